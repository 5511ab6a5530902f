#include "sema/raw_arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "diagnostics/spelling.hpp"
#include "sema/context.hpp"
#include "sema/numbers.hpp"
#include "sema/type_refs.hpp"

namespace shinar::sema {
namespace {

// What the extents of a raw array may refer to: the other arguments or members.
struct Variable {
  std::string_view name;
  const model::TypeRef* type = nullptr;
  Span span;
  bool is_in = true;  // members are
};

class RawArrays {
 public:
  // `what` is "argument" or "member".
  RawArrays(std::string_view what, std::vector<Variable> variables, bool are_complete,
            Diagnostics& diagnostics)
      : what_(what),
        variables_(std::move(variables)),
        are_complete_(are_complete),
        diagnostics_(diagnostics) {}

  model::TypeRef type(const ast::RawArray& tree);
  std::vector<model::Expression> extents(const ast::RawArray& tree);

 private:
  model::Expression extent(const ast::Expression& tree);
  model::Expression convert(const ast::Expression& tree);
  void variable(const ast::Expression& tree, model::Expression& result);
  void report_unknown(const ast::Expression& tree);

  std::string_view what_;
  std::vector<Variable> variables_;
  bool are_complete_;  // false: some may be missing
  Diagnostics& diagnostics_;
  std::optional<std::uint32_t> named_;  // the variable in the current extent
  bool failed_ = false;
};

model::TypeRef RawArrays::type(const ast::RawArray& tree) {
  const model::Kind element = kind_of(tree.element);
  const std::uint32_t dimension = dimension_of(tree.dimension, diagnostics_);
  if (!is_number(element) && element != model::Kind::Char) {
    diagnostics_.report(Code::RarrayElement, tree.span,
                        "the elements of a raw array must be char, " + names_of_numbers() +
                            ", not " + model::to_string({.kind = element}));
    return {};
  }
  if (dimension == 0) return {};
  if (dimension != tree.extents.size()) {
    const std::string wanted = std::to_string(dimension);
    diagnostics_.report(Code::RarrayExtents, tree.span,
                        "a raw array of " + wanted +
                            (dimension == 1 ? " dimension needs 1 extent"
                                            : " dimensions needs " + wanted + " extents") +
                            ", not " + std::to_string(tree.extents.size()));
    return {};
  }
  return {.kind = model::Kind::Rarray, .element = element, .dimension = dimension};
}

std::vector<model::Expression> RawArrays::extents(const ast::RawArray& tree) {
  std::vector<model::Expression> result;
  for (const ast::Expression& item : tree.extents) result.push_back(extent(item));
  return result;
}

model::Expression RawArrays::extent(const ast::Expression& tree) {
  named_.reset();
  failed_ = false;
  model::Expression result = convert(tree);
  if (!named_ || failed_) return result;
  const Variable& found = variables_[*named_];
  if (found.type->kind == model::Kind::Error) return result;
  const std::string name = in_quotes(found.name);
  if (!is_integer(found.type->kind)) {
    diagnostics_
        .report(Code::RarrayExtentType, tree.span,
                "an extent is an int or a long, and " + name + " is of type " +
                    model::to_string(*found.type))
        .note(found.span, "it is declared here");
  } else if (!found.is_in) {
    diagnostics_
        .report(Code::RarrayExtentMode, tree.span,
                "an extent must be known before the call: " + name + " must be an 'in' argument")
        .note(found.span, "it is declared here");
  }
  return result;
}

model::Expression RawArrays::convert(const ast::Expression& tree) {
  model::Expression result;
  result.span = tree.span;
  result.type.kind = model::Kind::Int;
  switch (tree.kind) {
    case ast::Expression::Kind::Name:
      variable(tree, result);
      return result;
    case ast::Expression::Kind::Chain:
      result.kind = model::Expression::Kind::Chain;
      break;
    default:
      result.kind = model::Expression::Kind::Literal;
      break;
  }
  result.text = tree.text;
  result.operators = tree.operators;
  for (const ast::Expression& operand : tree.operands) {
    result.operands.push_back(convert(operand));
    if (result.operands.back().type.kind == model::Kind::Long) {
      result.type.kind = model::Kind::Long;
    }
  }
  return result;
}

void RawArrays::variable(const ast::Expression& tree, model::Expression& result) {
  result.kind = model::Expression::Kind::Variable;
  for (std::uint32_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].name != tree.text) continue;
    result.index = i;
    if (variables_[i].type->kind == model::Kind::Long) result.type.kind = model::Kind::Long;
    if (named_) {
      failed_ = true;
      diagnostics_.report(Code::RarrayExtentForm, tree.span,
                          "an extent names one " + std::string(what_) +
                              " once, so that it can be computed from the length of an array; " +
                              in_quotes(tree.text) + " is the second");
    }
    named_ = i;
    return;
  }
  failed_ = true;
  if (are_complete_) report_unknown(tree);
}

void RawArrays::report_unknown(const ast::Expression& tree) {
  std::vector<std::string> names;
  for (const Variable& variable : variables_) {
    if (is_integer(variable.type->kind)) names.emplace_back(variable.name);
  }
  Diagnostic& report = diagnostics_.report(
      Code::RarrayExtentUnknown, tree.span,
      "the extent " + in_quotes(tree.text) + " is not " +
          (what_ == "argument" ? "an argument of the method" : "a member of the struct"));
  if (const auto meant = closest(tree.text, names)) {
    report.message += "; did you mean " + in_quotes(*meant) + "?";
    report.suggest(tree.span, *meant);
    return;
  }
  report.message += "; declare it as an int next to the array";
}

}  // namespace

void fill_raw_arguments(const ast::Method& tree, model::Method& method, Diagnostics& diagnostics) {
  std::vector<Variable> variables;
  for (const model::Argument& item : method.arguments) {
    variables.push_back({item.name, &item.type, item.span, item.direction == model::Direction::In});
  }
  RawArrays raw_arrays("argument", std::move(variables), true, diagnostics);
  for (std::size_t i = 0; i < tree.arguments.size(); ++i) {
    const auto& raw = tree.arguments[i].raw;
    if (!raw) continue;
    model::Argument& argument = method.arguments[i];
    argument.type = raw_arrays.type(*raw);
    argument.extents = raw_arrays.extents(*raw);
    if (argument.direction != model::Direction::Out) continue;
    diagnostics.report(Code::RarrayOut, raw->span,
                       "a raw array cannot be 'out': the caller provides its memory; make it "
                       "'inout', or an array<> that the method creates");
  }
}

namespace {

// Structs are often on stacks.
constexpr std::int64_t kMostElements = 4096;

bool names_variable(const model::Expression& extent) {
  return extent.kind == model::Expression::Kind::Variable ||
         std::ranges::any_of(extent.operands, names_variable);
}

// Nothing if 64 bits do not hold it.
std::optional<std::int64_t> computed(const std::string& sign, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (sign == "/") return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
  const bool is_wide = sign == "*"   ? __builtin_mul_overflow(a, b, &result)
                       : sign == "+" ? __builtin_add_overflow(a, b, &result)
                                     : __builtin_sub_overflow(a, b, &result);
  return is_wide ? std::nullopt : std::optional(result);
}

// The value of an extent without variables, likewise.
std::optional<std::int64_t> value_of(const model::Expression& extent) {
  if (extent.kind != model::Expression::Kind::Chain) {
    return std::strtoll(extent.text.c_str(), nullptr, 0);
  }
  std::optional<std::int64_t> result = value_of(extent.operands[0]);
  for (std::size_t i = 1; result && i < extent.operands.size(); ++i) {
    const std::optional<std::int64_t> next = value_of(extent.operands[i]);
    result = next ? computed(extent.operators[i - 1], *result, *next) : std::nullopt;
  }
  return result;
}

// Of extents without variables; nothing if one is none, or 64 bits do not hold it.
std::optional<std::int64_t> size_of(const std::vector<model::Expression>& extents) {
  std::int64_t size = 1;
  for (const model::Expression& extent : extents) {
    const std::optional<std::int64_t> length = value_of(extent);
    if (!length || *length < 0 || __builtin_mul_overflow(size, *length, &size)) return std::nullopt;
  }
  return size;
}

// Members whose extents are all numbers lie in their struct.
void settle_inline(const ast::RawArray& tree, model::Member& member, Diagnostics& diagnostics) {
  if (member.type.kind != model::Kind::Rarray ||
      std::ranges::any_of(member.extents, names_variable)) {
    return;
  }
  const std::optional<std::int64_t> size = size_of(member.extents);
  const bool fits = size && *size >= 1 && *size <= kMostElements;
  member.inline_size = fits ? *size : 1;
  if (fits) return;
  diagnostics.report(Code::RarrayLength, tree.span,
                     "an array whose extents are numbers lies in the struct, and has 1 to " +
                         std::to_string(kMostElements) + " elements" +
                         (size ? ", not " + std::to_string(*size) : "") +
                         "; make it an array<>, or give its length in another member");
}

}  // namespace

void fill_raw_members(const ast::Struct& tree, model::Type& type, Diagnostics& diagnostics) {
  std::vector<Variable> variables;
  for (const model::Member& item : type.members) {
    variables.push_back({item.name, &item.type, item.span});
  }
  RawArrays raw_arrays("member", std::move(variables), !type.is_damaged, diagnostics);
  for (std::size_t i = 0; i < tree.members.size(); ++i) {
    const auto& raw = tree.members[i].raw;
    if (!raw) continue;
    type.members[i].type = raw_arrays.type(*raw);
    type.members[i].extents = raw_arrays.extents(*raw);
    settle_inline(*raw, type.members[i], diagnostics);
  }
}

}  // namespace shinar::sema
