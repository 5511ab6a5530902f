#include "diagnostics/diagnostic.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace shinar {

Diagnostic& Diagnostic::note(std::optional<Span> where, std::string text) {
  notes.push_back({where, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::suggest(Span where, std::string replacement) {
  fix = FixIt{where, std::move(replacement)};
  return *this;
}

Diagnostic& Diagnostics::report(Code code, std::optional<Span> span, std::string message) {
  if (info(code).severity == Severity::Error) ++errors_;
  reports_.push_back({code, span, std::move(message), {}, std::nullopt, {}});
  return reports_.back();
}

void Diagnostics::append(Diagnostics&& other) {
  std::ranges::move(other.reports_, std::back_inserter(reports_));
  errors_ += std::exchange(other.errors_, 0);
  other.reports_.clear();
}

std::vector<const Diagnostic*> Diagnostics::sorted() const {
  std::vector<const Diagnostic*> list;
  list.reserve(reports_.size());
  for (const Diagnostic& report : reports_) list.push_back(&report);
  const auto place = [](const Diagnostic* d) {
    const Span span = d->span.value_or(Span{});
    return std::tuple(d->span.has_value(), span.file, span.begin);
  };
  std::ranges::stable_sort(list, {}, place);
  return list;
}

}  // namespace shinar
