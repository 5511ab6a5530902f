#include "frontend/format_spaces.hpp"

#include <utility>

namespace shinar::formatting {
namespace {

using P = grammar::SidlParser;

// After these an operator is binary, and a parenthesis is a call.
bool is_operand(std::uint32_t type) {
  switch (type) {
    case P::ID:
    case P::INTEGER:
    case P::FLOAT:
    case P::STRING:
    case P::CHARACTER:
    case P::TRUE:
    case P::FALSE:
    case P::NULL_LITERAL:
    case P::PURE:
    case P::RESULT:
    case P::RPAREN:
    case P::RBRACE:
      return true;
    default:
      return false;
  }
}

bool is_operator(std::uint32_t type) {
  switch (type) {
    case P::IMPLIES:
    case P::IFF:
    case P::OR:
    case P::XOR:
    case P::AND:
    case P::MOD:
    case P::REM:
      return true;
    default:
      return (type >= P::EQ && type <= P::CARET) || type == P::PERCENT;
  }
}

bool is_tail(std::uint32_t type) {
  return type == P::THROWS || type == P::FROM || type == P::EXTENDS || type == P::IMPLEMENTS ||
         type == P::IMPLEMENTS_ALL;
}

class Spacer {
 public:
  explicit Spacer(const Line& line) : line_(line) {}

  std::vector<Spacing> run();

 private:
  bool space(const Atom& atom) const;
  bool may_break(const Atom& atom) const;
  void follow(const Atom& atom);
  bool in_type() const { return angles_ > 0; }
  bool in_extents() const { return extents_ > 0 && parentheses_ >= extents_; }

  const Line& line_;
  std::uint32_t before_ = 0;  // the type of the token before
  bool behind_comment_ = false;
  bool glued_ = false;      // the previous token is a sign, and the next one belongs to it
  std::size_t angles_ = 0;  // of array<…>
  std::size_t parentheses_ = 0;
  std::size_t extents_ = 0;   // the depth of the parentheses of a raw array's extents
  bool array_ahead_ = false;  // the '<' of an array type comes next
  bool raw_ahead_ = false;    // the name and '(' of a raw array come next
};

bool Spacer::space(const Atom& atom) const {
  if (atom.is_comment()) return true;
  if (behind_comment_) return !atom.is(P::COMMA) && !atom.is(P::SEMI) && !atom.is(P::RPAREN);
  if (glued_ || before_ == P::LPAREN || before_ == P::LBRACE || before_ == P::DOT) return false;
  if (before_ == P::COMMA) return !in_type() && !in_extents();
  switch (atom.type) {
    case P::SEMI:
    case P::COMMA:
    case P::RPAREN:
    case P::RBRACE:
    case P::COLON:
    case P::EXTENSION:
      return false;
    case P::DOT:
      return before_ != P::ID;
    case P::LT:
      return !array_ahead_;
    case P::GT:
      return !in_type();
    case P::LBRACE:
      return before_ != P::ATTRIB;
    case P::LPAREN:
      return before_ != P::ID && before_ != P::VERSION && before_ != P::EXTENSION;
    default:
      return !(in_type() && before_ == P::LT);
  }
}

bool Spacer::may_break(const Atom& atom) const {
  if (in_type() || in_extents()) return false;
  if (before_ == P::COMMA || is_tail(atom.type)) return true;
  const bool joins = is_operator(atom.type) && is_operand(before_);
  return line_.kind == Line::Kind::Assertion && joins;
}

void Spacer::follow(const Atom& atom) {
  behind_comment_ = atom.is_comment();
  if (atom.is_comment()) return;
  const bool is_sign = atom.is(P::PLUS) || atom.is(P::MINUS) || atom.is(P::TILDE);
  glued_ = is_sign && !is_operand(before_);
  if (atom.is(P::LT) && array_ahead_) ++angles_;
  if (atom.is(P::GT) && angles_ > 0) --angles_;
  array_ahead_ = atom.is(P::ARRAY) || atom.is(P::RARRAY);
  if (atom.is(P::RARRAY)) raw_ahead_ = true;
  if (atom.is(P::LPAREN)) {
    ++parentheses_;
    if (std::exchange(raw_ahead_, false)) extents_ = parentheses_;
  }
  if (atom.is(P::RPAREN)) {
    if (parentheses_ == extents_) extents_ = 0;
    --parentheses_;
  }
  before_ = atom.type;
}

std::vector<Spacing> Spacer::run() {
  std::vector<Spacing> result;
  result.reserve(line_.atoms.size());
  for (const Atom& atom : line_.atoms) {
    result.push_back({space(atom), may_break(atom), parentheses_ > 0});
    follow(atom);
  }
  return result;
}

}  // namespace

std::vector<Spacing> spaces_of(const Line& line) {
  return Spacer(line).run();
}

}  // namespace shinar::formatting
