// In: the bytes of a source.
// Out: the input of ANTLR's lexer: one "character" per byte, so that token offsets are byte offsets
// and no conversion can fail.
#pragma once

#include <string>
#include <string_view>

#include "frontend/antlr.hpp"

namespace shinar {

class ByteStream final : public antlr4::CharStream {
 public:
  explicit ByteStream(std::string_view text) : text_(text) {}

  void consume() override {
    if (index_ < text_.size()) ++index_;
  }
  size_t LA(ssize_t offset) override {
    const ssize_t at = static_cast<ssize_t>(index_) + offset - (offset > 0 ? 1 : 0);
    if (offset == 0 || at < 0 || at >= static_cast<ssize_t>(text_.size())) return EOF;
    return static_cast<unsigned char>(text_[static_cast<size_t>(at)]);
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return index_; }
  void seek(size_t index) override { index_ = index < text_.size() ? index : text_.size(); }
  size_t size() override { return text_.size(); }
  std::string getSourceName() const override { return UNKNOWN_SOURCE_NAME; }
  std::string getText(const antlr4::misc::Interval& interval) override {
    if (interval.a < 0 || interval.b < interval.a) return {};
    const auto begin = static_cast<size_t>(interval.a);
    if (begin >= text_.size()) return {};
    return std::string(text_.substr(begin, static_cast<size_t>(interval.b) - begin + 1));
  }
  std::string toString() const override { return std::string(text_); }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  size_t index_ = 0;
};

}  // namespace shinar
