// In: a source.
// Out: a token stream for ANTLR's parser. Tokens are read on demand and freed once the parser is
// past them, so that a long file never has all its tokens in memory.
//
// Comments and invalid text (reported by token_check) are not tokens; a token records what preceded
// it. An unclosed string or character is a token that no rule accepts; after an unclosed comment
// the file ends.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics/source.hpp"
#include "frontend/antlr.hpp"
#include "frontend/brace_balance.hpp"
#include "frontend/word_lexer.hpp"

namespace shinar {

class TokenWindow;

// Half the size of ANTLR's own token.
class WindowToken final : public antlr4::Token {
 public:
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  WindowToken(TokenWindow& window, Lexeme lexeme, std::uint32_t index)
      : window_(&window), lexeme_(lexeme), index_(index) {}

  // As token number `index`, after one was inserted before token number `first`.
  WindowToken moved(std::uint32_t index, std::uint32_t first) const {
    WindowToken token = *this;
    token.index_ = index;
    if (token.statement >= first) ++token.statement;
    return token;
  }

  Range range() const { return {lexeme_.begin, lexeme_.end}; }
  Range doc;                    // the last doc comment before the token; empty: none
  std::uint32_t statement = 0;  // index of the last ';', '{' or '}' before it; 0: none
  bool after_bad_text = false;  // there is a reported error between that and the token

  std::string getText() const override;
  size_t getType() const override;
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return INVALID_INDEX; }
  size_t getChannel() const override { return DEFAULT_CHANNEL; }
  size_t getTokenIndex() const override { return index_; }
  size_t getStartIndex() const override { return lexeme_.begin; }
  size_t getStopIndex() const override { return size_t{lexeme_.end} - 1; }
  antlr4::TokenSource* getTokenSource() const override;
  antlr4::CharStream* getInputStream() const override;
  std::string toString() const override { return getText(); }

 private:
  TokenWindow* window_;
  Lexeme lexeme_;
  std::uint32_t index_;
};

class TokenWindow final : public antlr4::TokenStream {
 public:
  explicit TokenWindow(const Source& source, std::vector<BraceChange> braces = {})
      : text_(source.text()), lexer_(source.text()), braces_(std::move(braces)) {}

  // The token at an index that was not freed; beyond the end of the file, the end-of-file token.
  WindowToken& at(size_t index);
  WindowToken& current() { return *(current_ != nullptr ? current_ : current_ = &at(index_)); }
  // Tokens from begin to end are not needed any more. Only whole blocks are freed.
  static constexpr size_t kBlock = 256;
  void forget(size_t begin, size_t end);
  void forget_before(size_t index) { forget(first_kept_, index); }

  // Inserts a token that is not in the text before the current one.
  void insert(size_t type);

  std::string_view text() const { return text_; }

  void consume() override;
  size_t LA(ssize_t offset) override;
  antlr4::Token* LT(ssize_t offset) override;
  antlr4::Token* get(size_t index) const override;
  ssize_t mark() override { return 0; }  // tokens ahead of the parser are never freed
  void release(ssize_t) override {}
  size_t index() override { return index_; }
  void seek(size_t index) override;
  size_t size() override { return count_; }
  std::string getSourceName() const override { return {}; }
  antlr4::TokenSource* getTokenSource() const override { return &lexer_.source(); }
  std::string getText(const antlr4::misc::Interval& interval) override;
  std::string getText() override { return std::string(text_); }
  std::string getText(antlr4::RuleContext* tree) override;
  std::string getText(antlr4::Token* first, antlr4::Token* last) override;

 private:
  using Block = std::vector<WindowToken>;

  void read();
  void make_room();
  bool change_braces(Lexeme& lexeme);

  std::string_view text_;
  mutable WordLexer lexer_;
  std::vector<BraceChange> braces_;  // changes to the text
  size_t next_brace_ = 0;
  WindowToken::Range doc_;                     // of the pending one
  Lexeme pending_;                             // follows an inserted brace; type 0: none
  std::deque<std::unique_ptr<Block>> blocks_;  // null: freed; a block never grows beyond kBlock
  size_t first_block_ = 0;                     // the number of blocks_.front()
  size_t first_kept_ = 0;
  size_t count_ = 0;  // tokens read so far
  bool at_end_ = false;
  size_t index_ = 0;
  WindowToken* current_ = nullptr;  // at index_, once requested
  std::uint32_t statement_ = 0;
  bool bad_text_ = false;
};

}  // namespace shinar
