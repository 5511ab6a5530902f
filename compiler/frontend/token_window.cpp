#include "frontend/token_window.hpp"

#include <utility>

namespace shinar {

using grammar::SidlLexer;

std::string WindowToken::getText() const {
  if (lexeme_.type == WordLexer::kEnd) return "<EOF>";
  return std::string(window_->text().substr(lexeme_.begin, lexeme_.end - lexeme_.begin));
}

size_t WindowToken::getType() const {
  return lexeme_.type == WordLexer::kEnd ? antlr4::Token::EOF : size_t{lexeme_.type};
}

antlr4::TokenSource* WindowToken::getTokenSource() const {
  return window_->getTokenSource();
}

antlr4::CharStream* WindowToken::getInputStream() const {
  return window_->getTokenSource()->getInputStream();
}

// True if the lexeme is to be dropped. A brace missing before it takes its place.
bool TokenWindow::change_braces(Lexeme& lexeme) {
  if (braces_[next_brace_].offset > lexeme.begin) return false;
  const BraceChange change = braces_[next_brace_++];
  bad_text_ = true;
  if (change.kind == BraceChange::Kind::Drop) return true;
  const bool opens = change.kind == BraceChange::Kind::Open;
  pending_ = lexeme;
  lexeme = {opens ? SidlLexer::LBRACE : SidlLexer::RBRACE, change.offset, change.offset};
  return false;
}

// Reads another token, with what precedes it.
void TokenWindow::read() {
  WindowToken::Range doc = std::exchange(doc_, {});
  Lexeme lexeme = pending_.type != 0 ? std::exchange(pending_, {}) : lexer_.next();
  while (true) {
    if (lexeme.type == SidlLexer::COMMENT) {
      doc = {lexeme.begin, lexeme.end};
    } else if (lexeme.type == SidlLexer::BAD_TEXT && text_[lexeme.begin] != '\'') {
      bad_text_ = true;
    } else if (next_brace_ == braces_.size() || !change_braces(lexeme)) {
      break;
    }
    lexeme = lexer_.next();
  }
  if (pending_.type != 0) std::swap(doc, doc_);  // the comment belongs to the next token
  const bool is_bad = lexeme.type >= SidlLexer::BAD_COMMENT && lexeme.type != WordLexer::kEnd;
  if (lexeme.type == SidlLexer::BAD_COMMENT) lexeme = {WordLexer::kEnd, lexeme.begin, lexeme.begin};
  const auto index = static_cast<std::uint32_t>(count_);
  make_room();
  WindowToken& token = blocks_.back()->emplace_back(*this, lexeme, index);
  ++count_;
  token.doc = doc;
  token.statement = statement_;
  token.after_bad_text = bad_text_ || is_bad;
  const bool ends = lexeme.type == SidlLexer::SEMI || lexeme.type == SidlLexer::LBRACE ||
                    lexeme.type == SidlLexer::RBRACE;
  if (ends) statement_ = index;
  bad_text_ = is_bad || (bad_text_ && !ends);
  at_end_ = lexeme.type == WordLexer::kEnd;
}

void TokenWindow::make_room() {
  if (count_ % kBlock == 0) {
    blocks_.push_back(std::make_unique<Block>());
    blocks_.back()->reserve(kBlock);  // addresses are stable from now on
  }
}

// Tokens ahead of the parser, few of which have been read, are not referenced and can move.
void TokenWindow::insert(size_t type) {
  const auto first = static_cast<std::uint32_t>(index_);
  const WindowToken& next = current();
  const std::uint32_t place = next.range().begin;
  WindowToken token(*this, {static_cast<std::uint32_t>(type), place, place}, first);
  token.statement = next.statement;
  token.after_bad_text = true;
  const size_t last = count_;
  make_room();
  blocks_.back()->push_back(token);
  ++count_;
  for (size_t index = last; index > index_; --index) {
    at(index) = at(index - 1).moved(static_cast<std::uint32_t>(index), first);
  }
  at(index_) = token;
  if (statement_ >= first) ++statement_;
  current_ = nullptr;
}

WindowToken& TokenWindow::at(size_t index) {
  while (index >= count_ && !at_end_) read();
  index = std::min(index, count_ - 1);
  return (*blocks_[index / kBlock - first_block_])[index % kBlock];
}

void TokenWindow::forget(size_t begin, size_t end) {
  begin = std::max((begin + kBlock - 1) / kBlock, first_block_);
  end = std::min(end, count_) / kBlock;
  for (size_t block = begin; block < end; ++block) blocks_[block - first_block_].reset();
  while (blocks_.size() > 1 && blocks_.front() == nullptr) {
    blocks_.pop_front();
    ++first_block_;
  }
  first_kept_ = first_block_ * kBlock;
}

void TokenWindow::consume() {
  if (current().getType() == antlr4::Token::EOF) {
    throw antlr4::IllegalStateException("cannot consume EOF");
  }
  ++index_;
  current_ = nullptr;
}

size_t TokenWindow::LA(ssize_t offset) {
  if (offset == 1) return current().getType();
  antlr4::Token* token = LT(offset);
  return token == nullptr ? size_t{antlr4::Token::INVALID_TYPE} : token->getType();
}

antlr4::Token* TokenWindow::LT(ssize_t offset) {
  if (offset == 1) return &current();
  if (offset > 0) return &at(index_ + static_cast<size_t>(offset) - 1);
  const auto back = static_cast<size_t>(-offset);
  return back == 0 || back > index_ ? nullptr : &at(index_ - back);
}

antlr4::Token* TokenWindow::get(size_t index) const {
  return &(*blocks_.at(index / kBlock - first_block_))[index % kBlock];
}

void TokenWindow::seek(size_t index) {
  index_ = index;
  current_ = nullptr;
}

std::string TokenWindow::getText(const antlr4::misc::Interval& interval) {
  return getText(get(static_cast<size_t>(interval.a)), get(static_cast<size_t>(interval.b)));
}

std::string TokenWindow::getText(antlr4::RuleContext* tree) {
  return getText(tree->getSourceInterval());
}

std::string TokenWindow::getText(antlr4::Token* first, antlr4::Token* last) {
  const size_t begin = first->getStartIndex();
  return std::string(text_.substr(begin, last->getStopIndex() + 1 - begin));
}

}  // namespace shinar
