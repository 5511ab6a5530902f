#include "frontend/format_lines.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/statement_words.hpp"

namespace shinar::formatting {
namespace {

using P = grammar::SidlParser;
using Kind = Atom::Kind;

bool is_clause(std::uint32_t type) {
  return type == P::INVARIANT || type == P::REQUIRE || type == P::ENSURE;
}

bool begins_block(std::uint32_t type) {
  return type == P::PACKAGE || type == P::CLASS || type == P::INTERFACE || type == P::STRUCT ||
         type == P::ENUM;
}

// Tokens that only a method can begin with; names need a further check.
bool begins_method(std::uint32_t type) {
  switch (type) {
    case P::ONEWAY:
    case P::LOCAL:
    case P::STATIC:
    case P::ABSTRACT:
    case P::FINAL:
    case P::NONBLOCKING:
    case P::COPY:
    case P::ATTRIB:
    case P::VOID:
    case P::ARRAY:
    case P::DOT:
      return true;
    default:
      return is_basic_type(type);
  }
}

class Grouper {
 public:
  explicit Grouper(const std::vector<Atom>& atoms) : atoms_(atoms) {}

  std::vector<Line> group();

 private:
  void comment(const Atom& atom);
  void begin(const Atom& atom);
  void begin_in_object(const Atom& atom);
  void token(const Atom& atom);
  void open_block(const Atom& atom);
  void close_block(const Atom& atom);
  void add(const Atom& atom);
  void add_inside(Atom comment);
  void end_line();
  std::size_t level_ahead() const;
  bool is_method(std::size_t at) const;
  bool has_one_assertion(std::size_t clause) const;
  std::optional<std::size_t> next_token(std::size_t from) const;
  bool next_token_is(std::uint32_t type) const;
  bool only_comments() const;
  bool in_object() const {
    return !blocks_.empty() && (blocks_.back() == P::CLASS || blocks_.back() == P::INTERFACE);
  }

  const std::vector<Atom>& atoms_;
  std::size_t at_ = 0;
  std::vector<Line> lines_;
  Line line_;                          // the current one; empty: between two lines
  std::vector<std::uint32_t> blocks_;  // the keywords of the open ones
  std::uint32_t heading_ = 0;          // the keyword of a block on this line
  std::uint32_t previous_ = 0;         // the token before, on this line
  std::size_t depth_ = 0;              // of parentheses, and of braces that are no blocks
  std::optional<std::size_t> clause_;  // level of the assertions of the clause that is open
};

std::vector<Line> Grouper::group() {
  for (; at_ < atoms_.size(); ++at_) {
    const Atom& atom = atoms_[at_];
    if (atom.is_comment()) {
      comment(atom);
    } else {
      token(atom);
    }
  }
  end_line();
  return std::move(lines_);
}

std::optional<std::size_t> Grouper::next_token(std::size_t from) const {
  for (std::size_t i = from; i < atoms_.size(); ++i) {
    if (!atoms_[i].is_comment()) return i;
  }
  return std::nullopt;
}

bool Grouper::next_token_is(std::uint32_t type) const {
  const auto next = next_token(at_ + 1);
  return next && atoms_[*next].type == type;
}

bool Grouper::only_comments() const {
  return std::ranges::all_of(line_.atoms, [](const Atom& atom) { return atom.is_comment(); });
}

void Grouper::add(const Atom& atom) {
  if (line_.atoms.empty()) line_.blank_before = atom.lines_before > 1 && !lines_.empty();
  line_.atoms.push_back(atom);
}

void Grouper::end_line() {
  if (line_.atoms.empty()) return;
  if (only_comments()) {
    line_.kind = Line::Kind::Comment;
    line_.level = level_ahead();
  }
  lines_.push_back(std::exchange(line_, {}));
  heading_ = 0;
  previous_ = 0;
}

// ---- comments -----------------------------------------------------------------------------------

// A comment is indented like the line after it.
std::size_t Grouper::level_ahead() const {
  const auto next = next_token(at_);
  if (!next || !in_object()) return blocks_.size();
  const std::uint32_t type = atoms_[*next].type;
  if (is_clause(type)) return blocks_.size() + (type == P::INVARIANT ? 0 : 1);
  const bool asserts = clause_ && type != P::RBRACE && !is_method(*next);
  return asserts ? *clause_ : blocks_.size();
}

// What follows a comment on its own line begins a new line.
void Grouper::add_inside(Atom atom) {
  const Atom& before = line_.atoms.back();
  const bool is_apart = before.is_comment() && before.lines_before > 0 && line_.atoms.size() > 1;
  if (is_apart) atom.lines_before = std::max<std::size_t>(atom.lines_before, 1);
  add(atom);
}

// Within a line a comment keeps its position. Between two lines it ends the previous one if it is
// on that line, begins the next one if that follows on its line, and otherwise gets its own line.
// Doc comments always get their own line, as they belong to what follows.
void Grouper::comment(const Atom& atom) {
  if (!line_.atoms.empty() && !only_comments()) {
    // After the last enumerator, which has no comma to end its line.
    const bool ends_enum = atom.lines_before > 0 && depth_ == 0 && next_token_is(P::RBRACE);
    if (!ends_enum) return add_inside(atom);
    end_line();
  }
  const bool leads = atom.kind == Kind::BlockComment && !atom.ends_line;
  if (!line_.atoms.empty()) {  // there are leading comments
    if (atom.lines_before == 0 && atom.kind != Kind::DocComment) {
      add(atom);
      if (!leads) end_line();
      return;
    }
    end_line();
  }
  const bool trails = atom.lines_before == 0 && !lines_.empty() && !leads;
  if (trails && atom.kind != Kind::DocComment && lines_.back().kind != Line::Kind::Comment) {
    lines_.back().atoms.push_back(atom);
  } else if (leads) {
    add(atom);
  } else {
    add(atom);
    end_line();
  }
}

// ---- tokens -------------------------------------------------------------------------------------

// `T f(`, where an assertion has at most `f(`.
bool Grouper::is_method(std::size_t at) const {
  if (begins_method(atoms_[at].type)) return true;
  const auto second = next_token(at + 1);
  if (atoms_[at].type != P::ID || !second) return false;
  const std::uint32_t type = atoms_[*second].type;
  return type == P::DOT || type == P::ID || type == P::VERSION;
}

bool Grouper::has_one_assertion(std::size_t clause) const {
  for (std::size_t i = clause + 1; i < atoms_.size(); ++i) {
    if (!atoms_[i].is(P::SEMI)) continue;
    const auto next = next_token(i + 1);
    if (!next) return true;
    const std::uint32_t type = atoms_[*next].type;
    return type == P::RBRACE || is_clause(type) || is_method(*next);
  }
  return true;
}

// The first token of a line determines its kind.
void Grouper::begin(const Atom& atom) {
  depth_ = 0;
  if (in_object()) return begin_in_object(atom);
  clause_.reset();
  line_.level = blocks_.size();
}

void Grouper::begin_in_object(const Atom& atom) {
  const std::size_t level = blocks_.size() + (atom.is(P::INVARIANT) ? 0 : 1);
  if (is_clause(atom.type)) {
    line_.kind = Line::Kind::Assertion;
    line_.level = level;
    clause_ = level + 1;
  } else if (clause_ && !is_method(at_)) {
    line_.kind = Line::Kind::Assertion;
    line_.level = *clause_;
  } else {
    clause_.reset();
    line_.kind = Line::Kind::Method;
    line_.level = blocks_.size();
  }
}

void Grouper::token(const Atom& atom) {
  const bool at_start = only_comments();
  if (atom.is(P::RBRACE) && depth_ == 0) return close_block(atom);
  if (atom.is(P::SEMI) && at_start && !lines_.empty()) {
    // "};", whatever is between them.
    line_.level = blocks_.size();
    add(atom);
    return end_line();
  }
  if (at_start) begin(atom);
  const bool starts_clause = at_start && in_object() && is_clause(atom.type);
  if (depth_ == 0 && begins_block(atom.type)) heading_ = atom.type;
  const bool is_block =
      atom.is(P::LBRACE) && depth_ == 0 && previous_ != P::ATTRIB && heading_ != 0;
  previous_ = atom.type;
  if (is_block) return open_block(atom);
  add(atom);
  if (atom.is(P::LPAREN) || atom.is(P::LBRACE)) ++depth_;
  if (atom.is(P::RPAREN) || atom.is(P::RBRACE)) --depth_;
  const bool in_enum = !blocks_.empty() && blocks_.back() == P::ENUM;
  if (atom.is(P::SEMI) || (atom.is(P::COMMA) && in_enum && depth_ == 0)) end_line();
  if (starts_clause && !has_one_assertion(at_)) end_line();
}

void Grouper::open_block(const Atom& atom) {
  line_.kind = Line::Kind::Heading;
  add(atom);
  const bool is_empty = at_ + 1 < atoms_.size() && atoms_[at_ + 1].is(P::RBRACE);
  if (is_empty) {
    add(atoms_[++at_]);
    if (at_ + 1 < atoms_.size() && atoms_[at_ + 1].is(P::SEMI)) add(atoms_[++at_]);
    return end_line();
  }
  blocks_.push_back(heading_);
  end_line();
}

void Grouper::close_block(const Atom& atom) {
  end_line();
  clause_.reset();
  blocks_.pop_back();
  line_.level = blocks_.size();
  add(atom);
  line_.blank_before = false;
  if (at_ + 1 < atoms_.size() && atoms_[at_ + 1].is(P::SEMI)) add(atoms_[++at_]);
  end_line();
}

}  // namespace

std::vector<Line> group_lines(const std::vector<Atom>& atoms) {
  return Grouper(atoms).group();
}

}  // namespace shinar::formatting
