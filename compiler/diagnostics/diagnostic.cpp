#include "diagnostics/diagnostic.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "diagnostics/utf8.hpp"

namespace shinar {

Diagnostic& Diagnostic::note(std::optional<Span> where, std::string text) {
  notes.push_back({where, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::suggest(Span where, std::string replacement) {
  fix = FixIt{where, std::move(replacement)};
  return *this;
}

std::string in_quotes(std::string_view text) {
  return "'" + in_one_line(text) + "'";
}

Diagnostic& Diagnostics::report(Code code, std::optional<Span> span, std::string message) {
  if (reports_.size() >= 2 * (kMostErrors + kMostWarnings)) prune();
  ++(info(code).severity == Severity::Error ? errors_ : warnings_);
  reports_.push_back({code, span, std::move(message), {}, std::nullopt, {}});
  return reports_.back();
}

void Diagnostics::append(Diagnostics&& other) {
  std::ranges::move(other.reports_, std::back_inserter(reports_));
  errors_ += std::exchange(other.errors_, 0);
  warnings_ += std::exchange(other.warnings_, 0);
  is_complete_ = is_complete_ && other.is_complete_;
  other.reports_.clear();
}

// Diagnostics late in the source stay late whatever is reported after them: they can be dropped.
void Diagnostics::prune() {
  std::vector<bool> keep(reports_.size(), false);
  for (const Diagnostic* report : sorted()) {
    keep[static_cast<std::size_t>(report - reports_.data())] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < reports_.size(); ++i) {
    if (!keep[i]) continue;
    if (i != kept) reports_[kept] = std::move(reports_[i]);
    ++kept;
  }
  reports_.erase(reports_.begin() + static_cast<std::ptrdiff_t>(kept), reports_.end());
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
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::erase_if(list, [&](const Diagnostic* report) {
    const bool is_error = report->severity() == Severity::Error;
    return is_error ? ++errors > kMostErrors : ++warnings > kMostWarnings;
  });
  return list;
}

}  // namespace shinar
