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
  std::optional<Span> span;  // none: not about a place in a source file
  std::string message;       // one sentence without a full stop
  std::vector<Note> notes;
  std::optional<FixIt> fix;
  // Additional fields of the JSON form, for tools.
  std::vector<std::pair<std::string, std::string>> facts;

  Severity severity() const { return info(code).severity; }
  Diagnostic& note(std::optional<Span> where, std::string text);
  Diagnostic& suggest(Span where, std::string replacement);
};

// 'text', as messages quote user input. (Not called "quoted", because of std::quoted.)
std::string in_quotes(std::string_view text);

// Passed by reference to every stage. Beyond a limit only the first diagnostics in source order are
// kept and the others counted: a file full of mistakes must not exhaust memory.
class Diagnostics {
 public:
  static constexpr std::size_t kMostErrors = 10'000;
  static constexpr std::size_t kMostWarnings = 1'000;

  // The reference is valid until the next report.
  Diagnostic& report(Code code, std::optional<Span> span, std::string message);

  // Adds all diagnostics of `other`.
  void append(Diagnostics&& other);

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  std::size_t warning_count() const { return warnings_; }
  // A stage stopped early after too many errors: there may be more than were counted.
  void give_up() { is_complete_ = false; }
  bool is_complete() const { return is_complete_; }
  // In source order: by file, then position; those without a place first.
  std::vector<const Diagnostic*> sorted() const;

 private:
  void prune();

  std::vector<Diagnostic> reports_;
  std::size_t errors_ = 0;    // including those not kept
  std::size_t warnings_ = 0;  // likewise
  bool is_complete_ = true;
};

}  // namespace shinar
