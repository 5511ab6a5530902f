#include "frontend/splicer_marks.hpp"

#include <optional>
#include <string>
#include <unordered_map>

#include "diagnostics/utf8.hpp"
#include "frontend/format_atoms.hpp"

namespace shinar {
namespace {

constexpr std::string_view kWarning = "DO-NOT-DELETE";
constexpr std::string_view kBegin = "splicer.begin(";
constexpr std::string_view kEnd = "splicer.end(";
constexpr std::string_view kBlankInMark = " \t";

struct Mark {
  bool is_begin = false;
  bool is_whole = false;  // false: it begins like a mark but is not one
  std::string_view name;
};

std::optional<Mark> find_mark(std::string_view comment) {
  const std::size_t at = comment.find(kWarning);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = comment.substr(at + kWarning.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlankInMark), rest.size()));
  const bool is_begin = rest.starts_with(kBegin);
  if (!is_begin && !rest.starts_with(kEnd)) return Mark{};
  rest.remove_prefix(is_begin ? kBegin.size() : kEnd.size());
  const std::size_t length = rest.find_first_of(") \t\r\n");
  const bool is_closed = length != std::string_view::npos && length > 0 && rest[length] == ')';
  if (!is_closed) return Mark{};
  return Mark{is_begin, true, rest.substr(0, length)};
}

class MarkChecker {
 public:
  MarkChecker(const Source& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  void take(std::string_view comment);
  void finish();

 private:
  void begin(std::string_view name, Span span);
  void end(std::string_view name, Span span);
  Diagnostic& report(Span span, const std::string& message) {
    return diagnostics_.report(Code::SplicerMarks, span, message);
  }

  const Source& source_;
  Diagnostics& diagnostics_;
  std::optional<std::string_view> open_;
  Span open_span_;
  std::unordered_map<std::string_view, Span> seen_;
};

std::string begin_text(std::string_view name) {
  return "splicer.begin(" + shortened(name) + ")";
}
std::string end_text(std::string_view name) {
  return "splicer.end(" + shortened(name) + ")";
}

void MarkChecker::begin(std::string_view name, Span span) {
  if (open_) {
    report(span, begin_text(name) + " is inside another splicer block")
        .note(open_span_, "that block begins here: " + begin_text(*open_));
  }
  const auto [place, is_new] = seen_.try_emplace(name, span);
  if (!is_new) {
    report(span, "duplicate splicer block '" + shortened(name) + "'")
        .note(place->second, "the first one begins here");
  }
  open_ = name;
  open_span_ = span;
}

void MarkChecker::end(std::string_view name, Span span) {
  if (!open_) {
    report(span, end_text(name) + " without splicer.begin");
  } else if (*open_ != name) {
    report(span, end_text(name) + " does not match " + begin_text(*open_))
        .note(open_span_, "the block begins here");
  }
  open_.reset();
}

void MarkChecker::take(std::string_view comment) {
  const std::optional<Mark> mark = find_mark(comment);
  if (!mark) return;
  const auto at = static_cast<std::uint32_t>(comment.data() - source_.text().data());
  const Span span{source_.id(), at, at + static_cast<std::uint32_t>(comment.size())};
  if (!mark->is_whole) {
    report(span,
           "malformed splicer mark; write DO-NOT-DELETE splicer.begin(name) or "
           "splicer.end(name)");
  } else if (mark->is_begin) {
    begin(mark->name, span);
  } else {
    end(mark->name, span);
  }
}

void MarkChecker::finish() {
  if (open_) report(open_span_, "the splicer block '" + shortened(*open_) + "' has no end");
}

}  // namespace

void check_splicer_marks(const Source& source, Diagnostics& diagnostics) {
  if (source.text().find(kWarning) == std::string_view::npos) return;
  MarkChecker checker(source, diagnostics);
  for (const formatting::Atom& atom : formatting::read_atoms(source.text())) {
    if (atom.is_comment()) checker.take(atom.text);
  }
  checker.finish();
}

}  // namespace shinar
