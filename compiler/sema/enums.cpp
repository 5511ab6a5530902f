#include <limits>
#include <map>

#include "sema/members.hpp"
#include "sema/names.hpp"

namespace shinar::sema {
namespace {

using Values = std::map<std::int32_t, const ast::Enumerator*>;

// The explicit values, each once.
Values explicit_values(const ast::Enum& body, Diagnostics& diagnostics) {
  Values values;
  for (const ast::Enumerator& item : body.enumerators) {
    if (!item.value || !item.value->in_range) continue;
    const ast::Integer& number = *item.value;
    if (number.long_suffix) {
      diagnostics.report(Code::LongSuffix, number.span, "the suffix of an enumerator is ignored");
    }
    using Limits = std::numeric_limits<std::int32_t>;
    if (number.value < Limits::min() || number.value > Limits::max()) {
      diagnostics.report(Code::NumberRange, number.span,
                         std::to_string(number.value) + " is not an int of 32 bits");
      continue;
    }
    const auto [place, is_new] = values.emplace(static_cast<std::int32_t>(number.value), &item);
    if (is_new) continue;
    diagnostics
        .report(Code::SameValue, number.span,
                in_quotes(item.name.text) + " and " + in_quotes(place->second->name.text) +
                    " have the same value " + std::to_string(number.value))
        .note(place->second->name.span, in_quotes(place->second->name.text) + " is declared here");
  }
  return values;
}

}  // namespace

// An item without a value gets the smallest non-negative number not used in the enum: explicit
// values count even if they come later. {a = 2, b, c = 1, d} is 2, 0, 1, 3.
void fill_enum(const ast::Enum& body, model::Type& type, Diagnostics& diagnostics) {
  if (body.enumerators.empty() && !type.is_damaged) {
    diagnostics.report(Code::EmptyEnum, body.name.span,
                       "the enum " + in_quotes(body.name.text) + " has no enumerators");
  }
  const Values taken = explicit_values(body, diagnostics);
  NameSet names;
  std::int32_t next = 0;
  for (const ast::Enumerator& item : body.enumerators) {
    check_reserved(item.name, diagnostics);
    names.add(item.name, "enumerator", diagnostics);
    model::Enumerator enumerator{item.name.text, 0, item.doc, item.name.span};
    if (item.value) {
      enumerator.value = static_cast<std::int32_t>(item.value->value);
    } else {
      while (taken.contains(next)) ++next;
      enumerator.value = next++;
    }
    type.enumerators.push_back(std::move(enumerator));
  }
}

}  // namespace shinar::sema
