#include "frontend/format_atoms.hpp"

#include <algorithm>

namespace shinar::formatting {
namespace {

using grammar::SidlLexer;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Atom> read();

 private:
  void gap(std::size_t begin, std::size_t end);
  void add(Atom::Kind kind, std::uint32_t type, std::size_t begin, std::size_t end);

  std::string_view text_;
  std::vector<Atom> atoms_;
  std::size_t lines_ = 0;  // line ends since the last atom
};

void Reader::add(Atom::Kind kind, std::uint32_t type, std::size_t begin, std::size_t end) {
  if (!atoms_.empty()) atoms_.back().ends_line = lines_ > 0;
  atoms_.push_back({kind, type, text_.substr(begin, end - begin), lines_, false});
  lines_ = 0;
}

// The gap between two tokens: blanks, plain comments, byte order marks.
void Reader::gap(std::size_t begin, std::size_t end) {
  std::size_t at = begin;
  while (at < end) {
    const std::string_view rest = text_.substr(at, end - at);
    if (rest.starts_with("//")) {
      const std::size_t length = std::min(rest.find_first_of("\r\n"), rest.size());
      add(Atom::Kind::LineComment, 0, at, at + length);
      at += length;
    } else if (rest.starts_with("/*")) {
      const std::size_t length = rest.find("*/", 2) + 2;
      add(Atom::Kind::BlockComment, 0, at, at + length);
      at += length;
    } else {
      if (rest.starts_with("\r\n")) ++at;
      if (text_[at] == '\n' || text_[at] == '\r') ++lines_;
      ++at;
    }
  }
}

std::vector<Atom> Reader::read() {
  WordLexer lexer(text_);
  std::size_t at = 0;
  while (true) {
    const Lexeme lexeme = lexer.next();
    gap(at, lexeme.begin);
    if (lexeme.type == WordLexer::kEnd) break;
    const bool is_doc = lexeme.type == SidlLexer::COMMENT;
    add(is_doc ? Atom::Kind::DocComment : Atom::Kind::Token, lexeme.type, lexeme.begin, lexeme.end);
    at = lexeme.end;
  }
  if (!atoms_.empty()) atoms_.back().ends_line = true;
  return std::move(atoms_);
}

}  // namespace

std::vector<Atom> read_atoms(std::string_view text) {
  return Reader(text).read();
}

}  // namespace shinar::formatting
