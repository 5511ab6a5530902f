#include "frontend/format_print.hpp"

#include <algorithm>

#include "frontend/format_comments.hpp"
#include "frontend/format_spaces.hpp"

namespace shinar::formatting {
namespace {

using P = grammar::SidlParser;
using Kind = Atom::Kind;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kStep = 2;
// Arguments are aligned with the first one, unless it is beyond this column.
constexpr std::size_t kFurthest = 60;

// UTF-8 continuation bytes have no width.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

class LinePrinter {
 public:
  LinePrinter(const Line& line, std::string& out)
      : line_(line), spacing_(spaces_of(line)), out_(out), indent_(line.level * kStep) {}

  void print();

 private:
  bool may_break(std::size_t i) const;
  bool must_break(std::size_t i) const;
  std::size_t end_of_piece(std::size_t begin) const;
  std::size_t width_of(std::size_t begin, std::size_t end) const;
  std::size_t indent_behind(std::size_t i) const;
  void put(std::size_t i);
  void start_line(std::size_t indent);

  const Line& line_;
  std::vector<Spacing> spacing_;
  std::string& out_;
  std::size_t indent_;
  std::size_t column_ = 0;
  std::size_t arguments_ = 0;  // the column of the first argument; 0: none yet
};

bool is_own_line(const Atom& atom) {
  return atom.is_comment() && atom.lines_before > 0;
}

bool LinePrinter::must_break(std::size_t i) const {
  const Atom& before = line_.atoms[i - 1];
  if (before.kind == Kind::LineComment || is_own_line(line_.atoms[i])) return true;
  return is_own_line(before) && (i > 1 || before.ends_line);
}

// Never before a comment: at the beginning of a line it would be treated differently next time.
bool LinePrinter::may_break(std::size_t i) const {
  return spacing_[i].may_break && !line_.atoms[i].is_comment();
}

std::size_t LinePrinter::end_of_piece(std::size_t begin) const {
  std::size_t end = begin + 1;
  while (end < line_.atoms.size() && !may_break(end) && !must_break(end)) ++end;
  return end;
}

// Comments at the end of a line may exceed the width.
std::size_t LinePrinter::width_of(std::size_t begin, std::size_t end) const {
  if (end == line_.atoms.size()) {
    while (end > begin + 1 && line_.atoms[end - 1].is_comment()) --end;
  }
  std::size_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    sum += width(line_.atoms[i].text) + (i > 0 && spacing_[i].space ? 1 : 0);
  }
  return sum;
}

std::size_t LinePrinter::indent_behind(std::size_t i) const {
  if (line_.kind != Line::Kind::Method) return indent_ + 2 * kStep;
  if (!spacing_[i].in_parentheses) return indent_ + kStep;
  return arguments_ != 0 && arguments_ <= kFurthest ? arguments_ : indent_ + 2 * kStep;
}

void LinePrinter::start_line(std::size_t indent) {
  out_ += "\n" + std::string(indent, ' ');
  column_ = indent;
}

void LinePrinter::put(std::size_t i) {
  const Atom& atom = line_.atoms[i];
  std::string text(atom.text);
  if (atom.kind == Kind::BlockComment || atom.kind == Kind::DocComment) {
    text = is_own_line(atom) || i == 0 ? comment_at(text, column_) : comment_in_place(text);
  } else if (atom.kind == Kind::LineComment) {
    text.erase(text.find_last_not_of(" \t\f\v") + 1);
  }
  const std::size_t last_line = text.rfind('\n');
  out_ += text;
  column_ = last_line == std::string::npos ? column_ + width(text)
                                           : width(std::string_view(text).substr(last_line + 1));
  if (atom.is(P::LPAREN) && arguments_ == 0) arguments_ = column_;
}

void LinePrinter::print() {
  if (line_.blank_before) out_ += "\n";
  out_ += std::string(indent_, ' ');
  column_ = indent_;
  put(0);
  std::size_t end = end_of_piece(0);
  for (std::size_t i = 1; i < line_.atoms.size(); ++i) {
    const bool is_start = i == end;  // of a piece
    if (is_start) end = end_of_piece(i);
    const bool fits = !is_start || column_ + width_of(i, end) <= kWidth;
    if (must_break(i) || (may_break(i) && !fits)) {
      start_line(indent_behind(i));
    } else if (spacing_[i].space) {
      out_ += ' ';
      ++column_;
    }
    put(i);
  }
  out_ += "\n";
}

}  // namespace

std::string print_lines(const std::vector<Line>& lines) {
  std::string out;
  for (const Line& line : lines) LinePrinter(line, out).print();
  return out;
}

}  // namespace shinar::formatting
