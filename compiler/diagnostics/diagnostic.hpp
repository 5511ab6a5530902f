// In: what a stage found wrong, said once, with the places involved.
// Out: a list the driver renders; stages never print and never throw for a user's mistake.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostics/codes.hpp"
#include "diagnostics/source.hpp"

namespace shinar {

struct Note {
  std::optional<Span> span;
  std::string message;
};

// "Replace the text in span by replacement" (an insertion when the span is empty).
struct FixIt {
  Span span;
  std::string replacement;
};

struct Diagnostic {
  Code code;
  std::optional<Span> span;  // none: about no place in a source file
  std::string message;       // one sentence without a full stop
  std::vector<Note> notes;
  std::optional<FixIt> fix;
  // What tools want to know beyond the message: more fields of the JSON form.
  std::vector<std::pair<std::string, std::string>> facts;

  Severity severity() const { return info(code).severity; }
  Diagnostic& note(std::optional<Span> where, std::string text);
  Diagnostic& suggest(Span where, std::string replacement);
};

// 'text', as messages name what the user wrote. (Not "quoted", which std has for other things.)
std::string in_quotes(std::string_view text);

// Passed by reference to every stage. Of very many diagnostics the first in the order of the text
// are kept, the others counted: a file of nothing but mistakes must not fill the memory.
class Diagnostics {
 public:
  static constexpr std::size_t kMostErrors = 10'000;
  static constexpr std::size_t kMostWarnings = 1'000;

  // The reference is good until the next report.
  Diagnostic& report(Code code, std::optional<Span> span, std::string message);

  // All of the other's, as if they were reported here.
  void append(Diagnostics&& other);

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  std::size_t warning_count() const { return warnings_; }
  // A stage went no further after so many errors: there may be more than were counted.
  void give_up() { is_complete_ = false; }
  bool is_complete() const { return is_complete_; }
  // In the order of the text: by file, then place; those without a place first.
  std::vector<const Diagnostic*> sorted() const;

 private:
  void prune();

  std::vector<Diagnostic> reports_;
  std::size_t errors_ = 0;    // with those not kept
  std::size_t warnings_ = 0;  // likewise
  bool is_complete_ = true;
};

}  // namespace shinar
