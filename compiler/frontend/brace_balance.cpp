#include "frontend/brace_balance.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "frontend/limits.hpp"
#include "frontend/line_indent.hpp"
#include "frontend/statement_words.hpp"
#include "frontend/word_lexer.hpp"

namespace shinar {
namespace {

using grammar::SidlLexer;

// Whether the braces match, none opens where none is allowed, and none is in an unclosed string.
bool is_balanced(std::string_view text) {
  std::size_t depth = 0;
  std::uint32_t before = 0;
  WordLexer lexer(text);
  for (Lexeme lexeme = lexer.next(); lexeme.type != WordLexer::kEnd; lexeme = lexer.next()) {
    const bool is_closed = before == SidlLexer::RBRACE || before == SidlLexer::LBRACE;
    if (lexeme.type == SidlLexer::LBRACE && (++depth, is_closed)) return false;
    if (lexeme.type == SidlLexer::RBRACE && depth-- == 0) return false;
    const std::string_view word = text.substr(lexeme.begin, lexeme.end - lexeme.begin);
    const bool hides =
        lexeme.type == SidlLexer::BAD_STRING && word.find_first_of("{}") != std::string_view::npos;
    if (hides) return false;
    if (lexeme.type != SidlLexer::COMMENT) before = lexeme.type;
  }
  return depth == 0;
}

// Tokens without comments and invalid text, with lookahead.
class Lookahead {
 public:
  explicit Lookahead(std::string_view text) : text_(text), lexer_(text) {}

  Lexeme next() {
    Lexeme result = peek(0);
    if (result.type != WordLexer::kEnd) ahead_.pop_front();
    return result;
  }
  Lexeme peek(std::size_t count) {
    while (ahead_.size() <= count && (ahead_.empty() || ahead_.back().type != WordLexer::kEnd)) {
      read();
    }
    return ahead_[std::min(count, ahead_.size() - 1)];
  }
  std::optional<std::uint32_t> indent(const Lexeme& lexeme) const {
    return lexeme.type == WordLexer::kEnd ? 0 : line_indent(text_, lexeme.begin);
  }
  // True after an unclosed comment: the rest is unknown.
  bool is_cut() const { return is_cut_; }
  // The first token of a later line; of a very long line, none.
  std::optional<Lexeme> next_line() {
    constexpr std::size_t kFar = 4096;
    for (std::size_t i = 0; i < kFar; ++i) {
      const Lexeme lexeme = peek(i);
      if (indent(lexeme)) return lexeme;
    }
    return std::nullopt;
  }

 private:
  void read() {
    Lexeme lexeme = lexer_.next();
    while (lexeme.type == SidlLexer::COMMENT || lexeme.type == SidlLexer::BAD_TEXT) {
      lexeme = lexer_.next();
    }
    if (lexeme.type == SidlLexer::BAD_COMMENT) {
      is_cut_ = true;
      lexeme.type = WordLexer::kEnd;
    }
    ahead_.push_back(lexeme);
  }

  std::string_view text_;
  WordLexer lexer_;
  std::deque<Lexeme> ahead_;
  bool is_cut_ = false;
};

class Balance {
 public:
  Balance(const Source& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics), tokens_(source.text()) {}

  std::vector<BraceChange> run();

 private:
  struct Block {
    std::uint32_t keyword = 0;  // of a type; 0: unknown
    Lexeme brace;
    std::uint32_t indent = 0;  // of the line its head begins in
    std::uint32_t line = 0;    // of the brace
    bool has_content = false;
    bool is_flat = false;  // its contents are not indented: the layout is no help
  };
  struct Head {
    std::uint32_t keyword = 0;
    std::uint32_t indent = 0;
    std::uint32_t begin = 0;
  };

  void take(const Lexeme& lexeme);
  bool in_list(const Lexeme& lexeme);
  void open(const Lexeme& brace);
  bool opens_block(const Lexeme& brace);
  void close(const Lexeme& brace, std::optional<std::uint32_t> indent);
  bool goes_on();
  bool stands_for_open();
  bool is_stray(std::optional<std::uint32_t> indent);
  void other(const Lexeme& lexeme, std::optional<std::uint32_t> indent);
  void begin_type(const Lexeme& lexeme, std::optional<std::uint32_t> indent);
  bool begins_type(const Lexeme& lexeme, std::size_t i = 0);
  bool head_is_over(const Lexeme& lexeme, std::optional<std::uint32_t> indent);
  void open_hidden(const Lexeme& string);
  void push(const Lexeme& brace, std::uint32_t keyword, std::uint32_t indent);
  void insert_open(const Lexeme& before);
  void insert_close(const Lexeme& before);
  void drop(const Lexeme& brace);
  void report_unclosed(const Lexeme& brace, const Lexeme& before);
  bool is_outside(const Block& block, std::uint32_t indent, bool is_package) const;
  Span span(const Lexeme& lexeme) const { return {source_.id(), lexeme.begin, lexeme.end}; }
  std::string shown(const Lexeme& lexeme) const;

  const Source& source_;
  Diagnostics& diagnostics_;
  Lookahead tokens_;
  std::vector<BraceChange> changes_;
  std::vector<Block> blocks_;   // outermost first
  std::optional<Head> head_;    // of a type, up to its brace
  std::optional<Lexeme> list_;  // the brace of an open %attrib{…} or complex number
  Lexeme before_;               // the token before
  // Braces in unclosed strings: their absence is not another error.
  std::size_t hidden_open_ = 0;
  std::size_t hidden_closed_ = 0;
  std::uint32_t line_ = 0;
  std::uint32_t line_indent_ = 0;
};

std::string Balance::shown(const Lexeme& lexeme) const {
  if (lexeme.type == WordLexer::kEnd) return "the end of the file";
  return in_quotes(source_.text().substr(lexeme.begin, lexeme.end - lexeme.begin));
}

void Balance::push(const Lexeme& brace, std::uint32_t keyword, std::uint32_t indent) {
  blocks_.push_back({keyword, brace, indent, line_});
  head_.reset();
}

void Balance::drop(const Lexeme& brace) {
  changes_.push_back({BraceChange::Kind::Drop, brace.begin});
  std::size_t& hidden = brace.type == SidlLexer::RBRACE ? hidden_open_ : hidden_closed_;
  if (hidden > 0) {
    --hidden;
    return;
  }
  diagnostics_.report(Code::Unexpected, span(brace), "unexpected " + shown(brace));
}

void Balance::insert_open(const Lexeme& before) {
  changes_.push_back({BraceChange::Kind::Open, before.begin});
  const bool ends_head = before_.type == SidlLexer::ID || before_.type == SidlLexer::INTEGER ||
                         before_.type == SidlLexer::FLOAT ||
                         before_.type == SidlLexer::VERSION_STRING;
  const Span place{source_.id(), before_.end, before_.end};
  const std::string missing = before_.type == SidlLexer::VERSION ? "a version number" : "a name";
  // The parser is silent at a brace that has been inserted.
  diagnostics_.report(Code::Expected, place,
                      ends_head ? "expected '{' before " + shown(before)
                                : "expected " + missing + " and '{' after " + shown(before_));
  push({SidlLexer::LBRACE, before_.end, before_.end}, head_->keyword, head_->indent);
}

void Balance::insert_close(const Lexeme& before) {
  changes_.push_back({BraceChange::Kind::Close, before.begin});
  const Block block = blocks_.back();
  blocks_.pop_back();
  const bool is_missing_too = block.brace.begin == block.brace.end;
  if (is_missing_too || (tokens_.is_cut() && before.type == WordLexer::kEnd)) return;
  if (hidden_closed_ > 0) {
    --hidden_closed_;
    return;
  }
  report_unclosed(block.brace, before);
}

void Balance::report_unclosed(const Lexeme& brace, const Lexeme& before) {
  const bool is_end = before.type == WordLexer::kEnd;
  diagnostics_.report(Code::Expected, span(brace), "this '{' is not closed")
      .note(span(before), is_end ? "a '}' is missing before the end of the file"
                                 : "a '}' is missing before this");
}

// Whether a declaration with this indentation is outside the block.
bool Balance::is_outside(const Block& block, std::uint32_t indent, bool is_package) const {
  const bool holds_types = block.keyword == SidlLexer::PACKAGE || block.keyword == 0;
  if (!holds_types && (block.is_flat || is_package)) return true;
  return !block.is_flat && indent <= block.indent;
}

// Lists in braces, whose possible contents and ends are simple. True if the token is part of one.
bool Balance::in_list(const Lexeme& lexeme) {
  if (!list_) return false;
  const auto type = lexeme.type;
  const auto is_name = [](std::uint32_t each) {
    return each == SidlLexer::ID || (each >= SidlLexer::ABSTRACT && each <= SidlLexer::XOR);
  };
  const bool ends = type == SidlLexer::SEMI || type == SidlLexer::LBRACE ||
                    type == SidlLexer::LPAREN || type == SidlLexer::RPAREN ||
                    type == WordLexer::kEnd ||
                    (is_name(type) && (is_name(before_.type) || before_.type == SidlLexer::STRING ||
                                       before_.type == SidlLexer::BAD_STRING));
  if (ends) {
    changes_.push_back({BraceChange::Kind::Close, lexeme.begin});
    if (before_.type != SidlLexer::BAD_STRING) report_unclosed(*list_, lexeme);
  }
  if (ends || type == SidlLexer::RBRACE) list_.reset();
  return !ends;
}

bool Balance::opens_block(const Lexeme& brace) {
  switch (before_.type) {
    case 0:
    case SidlLexer::LBRACE:
    case SidlLexer::RBRACE:
    case SidlLexer::SEMI:
      return false;
    default:
      break;
  }
  if (!blocks_.empty() && blocks_.back().line == line_) return false;
  std::size_t depth = 1;
  for (std::size_t i = 0;; ++i) {
    const Lexeme lexeme = tokens_.peek(i);
    const std::optional<std::uint32_t> indent = tokens_.indent(lexeme);
    if (indent) return i == 0 && *indent > line_indent_ && lexeme.type != WordLexer::kEnd;
    if (lexeme.type == SidlLexer::LBRACE) ++depth;
    if (lexeme.type == SidlLexer::RBRACE && --depth == 0) return true;
    if (lexeme.begin > brace.begin + limits::kName) return false;
  }
}

void Balance::open(const Lexeme& brace) {
  if (before_.type == SidlLexer::ATTRIB) {
    list_ = brace;
    return;
  }
  if (head_) return push(brace, head_->keyword, head_->indent);
  const Lexeme next = tokens_.peek(0);
  const bool is_number = next.type == SidlLexer::INTEGER || next.type == SidlLexer::FLOAT ||
                         next.type == SidlLexer::PLUS || next.type == SidlLexer::MINUS;
  if (is_number) {
    list_ = brace;
  } else if (opens_block(brace)) {
    push(brace, 0, line_indent_);
  } else {
    drop(brace);
  }
}

// Whether the head of the type continues after the token.
bool Balance::goes_on() {
  const Lexeme next = tokens_.peek(0);
  return !tokens_.indent(next) && next.type != SidlLexer::RBRACE && next.type != SidlLexer::SEMI &&
         !begins_type(next, 1);
}

// Whether the next line belongs to the type whose head is being read.
bool Balance::stands_for_open() {
  const std::optional<Lexeme> next = tokens_.next_line();
  if (!next || next->type == WordLexer::kEnd) return false;
  return *tokens_.indent(*next) > head_->indent;
}

// Whether the closing brace belongs to no block, judged by the next line.
bool Balance::is_stray(std::optional<std::uint32_t> indent) {
  const Block& block = blocks_.back();
  if (block.is_flat || block.line == line_) return false;
  if (indent && *indent <= block.indent) return false;
  const std::optional<Lexeme> next = tokens_.next_line();
  if (!next || next->type == WordLexer::kEnd) return false;
  const std::uint32_t inner = *tokens_.indent(*next);
  return next->type == SidlLexer::RBRACE ? inner >= block.indent : inner > block.indent;
}

void Balance::close(const Lexeme& brace, std::optional<std::uint32_t> indent) {
  if (head_ && goes_on()) return drop(brace);
  if (head_ && stands_for_open()) {
    insert_open(brace);
    changes_.push_back({BraceChange::Kind::Drop, brace.begin});
    return;
  }
  if (head_) {
    const bool is_its_own = !indent || *indent >= head_->indent;
    if (is_its_own) insert_open(brace);
    head_.reset();
  }
  const auto is_met = [&](const Block& block) { return block.indent <= *indent; };
  if (indent && std::ranges::any_of(blocks_, is_met)) {
    while (!blocks_.back().is_flat && blocks_.back().indent > *indent) insert_close(brace);
  }
  if (blocks_.empty() || is_stray(indent)) {
    drop(brace);
  } else {
    blocks_.pop_back();
  }
}

// A type, or the words before one; token number i from here follows it.
bool Balance::begins_type(const Lexeme& lexeme, std::size_t i) {
  constexpr std::size_t kFew = 64;
  std::uint32_t type = lexeme.type;
  for (; i < kFew; ++i) {
    if (is_type_keyword(type)) return true;
    if (type != SidlLexer::FINAL && type != SidlLexer::ABSTRACT && type != SidlLexer::ATTRIB) {
      return false;
    }
    const bool is_list = type == SidlLexer::ATTRIB;
    type = tokens_.peek(i).type;
    while (is_list && type != SidlLexer::RBRACE && type != SidlLexer::SEMI && i < kFew &&
           type != WordLexer::kEnd) {
      type = tokens_.peek(++i).type;
    }
    if (type == SidlLexer::RBRACE) type = tokens_.peek(++i).type;
  }
  return false;
}

void Balance::begin_type(const Lexeme& lexeme, std::optional<std::uint32_t> indent) {
  if (!indent) return;
  const bool is_package = lexeme.type == SidlLexer::PACKAGE;
  while (!blocks_.empty() && is_outside(blocks_.back(), *indent, is_package)) insert_close(lexeme);
}

// Whether a token cannot be part of a type's head.
bool Balance::head_is_over(const Lexeme& lexeme, std::optional<std::uint32_t> indent) {
  if (!indent) return is_member_keyword(lexeme.type);
  if (begins_type(lexeme)) return *indent > head_->indent;
  if (head_->keyword == SidlLexer::ENUM || head_->keyword == SidlLexer::STRUCT) {
    return before_.begin != head_->begin;
  }
  const auto goes_on = [](std::uint32_t type) {
    return type == SidlLexer::COMMA || type == SidlLexer::DOT || type == SidlLexer::EXTENDS ||
           type == SidlLexer::IMPLEMENTS || type == SidlLexer::IMPLEMENTS_ALL ||
           type == SidlLexer::VERSION;
  };
  // A list of names continues with one name, a member with two.
  const bool is_name = lexeme.type == SidlLexer::ID && tokens_.peek(0).type != SidlLexer::ID;
  return !goes_on(lexeme.type) && !(is_name && goes_on(before_.type)) &&
         lexeme.type != SidlLexer::SEMI && before_.begin != head_->begin;
}

void Balance::other(const Lexeme& lexeme, std::optional<std::uint32_t> indent) {
  if (head_ && lexeme.type == SidlLexer::SEMI) {
    const Lexeme next = tokens_.peek(0);
    const std::optional<std::uint32_t> inner = tokens_.indent(next);
    const bool is_in_place_of_brace = inner && *inner > head_->indent;
    if (!is_in_place_of_brace) head_.reset();
  }
  if (head_ && head_is_over(lexeme, indent)) insert_open(lexeme);
  const bool is_type = begins_type(lexeme);
  if (is_type && indent) head_.reset();
  if (is_type || lexeme.type == SidlLexer::IMPORT) begin_type(lexeme, indent);
  if (!blocks_.empty() && !blocks_.back().has_content && indent) {
    blocks_.back().has_content = true;
    blocks_.back().is_flat = *indent <= blocks_.back().indent;
  }
  if (is_type_keyword(lexeme.type) && !head_) head_ = Head{lexeme.type, line_indent_, lexeme.begin};
}

// Opens a block whose brace is in an unclosed string at the end of the line.
void Balance::open_hidden(const Lexeme& string) {
  const Lexeme next = tokens_.peek(0);
  changes_.push_back({BraceChange::Kind::Open, next.begin});
  push({SidlLexer::LBRACE, string.end, string.end}, head_ ? head_->keyword : 0, line_indent_);
  before_ = blocks_.back().brace;
}

void Balance::take(const Lexeme& lexeme) {
  const std::optional<std::uint32_t> indent = tokens_.indent(lexeme);
  if (indent) {
    ++line_;
    line_indent_ = *indent;
  }
  if (lexeme.type == SidlLexer::BAD_STRING) {
    const std::string_view text = source_.text().substr(lexeme.begin, lexeme.end - lexeme.begin);
    const auto opened = static_cast<std::size_t>(std::ranges::count(text, '{'));
    auto closed = static_cast<std::size_t>(std::ranges::count(text, '}'));
    if (list_ && closed > 0) {
      --closed;
      list_.reset();
      changes_.push_back({BraceChange::Kind::Close, tokens_.peek(0).begin});
    }
    if (opened > closed && !list_) return open_hidden(lexeme);
    hidden_open_ += opened;
    hidden_closed_ += closed;
  }
  if (!in_list(lexeme)) {
    if (lexeme.type == SidlLexer::LBRACE) {
      open(lexeme);
    } else if (lexeme.type == SidlLexer::RBRACE) {
      close(lexeme, indent);
    } else if (lexeme.type != WordLexer::kEnd) {
      other(lexeme, indent);
    }
  }
  before_ = lexeme;
}

std::vector<BraceChange> Balance::run() {
  Lexeme lexeme;
  do {
    lexeme = tokens_.next();
    take(lexeme);
    if (changes_.size() <= limits::kErrors) continue;
    diagnostics_.give_up();
    return std::move(changes_);
  } while (lexeme.type != WordLexer::kEnd);
  while (!blocks_.empty()) insert_close(lexeme);
  return std::move(changes_);
}

}  // namespace

std::vector<BraceChange> balance_braces(const Source& source, Diagnostics& diagnostics) {
  if (is_balanced(source.text())) return {};
  return Balance(source, diagnostics).run();
}

}  // namespace shinar
