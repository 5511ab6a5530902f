#include "rows.hpp"

#include <stdexcept>

namespace sidl_tool {
namespace {

/** What is said of a text: its length, or one of these. */
constexpr std::uint8_t longest = 253, sent_apart = 254, none = 255;

/** The text, its zero, and another one if the next would not begin at an odd place. */
std::size_t space_of(std::size_t text) {
  return (text + 2) / 2 * 2;
}

/** Where they begin. */
std::size_t begin_of_texts(std::size_t codes) {
  return codes / 2 * 2 + 1;
}

/** Whether so many structs have `each` bytes. */
bool is_size(std::size_t all, std::size_t each, std::size_t count) {
  return each == 0 || (all % each == 0 && all / each == count);
}

/** Whether so many structs have `each` codes before their texts. */
bool are_codes(std::size_t all, std::size_t each, std::size_t count) {
  return each == 0 || count <= all / each;
}

}  // namespace

void RowWriter::text(const std::string& text) {
  const bool is_apart = text.size() > longest;
  codes_ += static_cast<char>(is_apart ? sent_apart : static_cast<std::uint8_t>(text.size()));
  if (is_apart) return apart_.push_back(text);
  texts_ += text;
  texts_.append(space_of(text.size()) - text.size(), '\0');
}

std::string RowWriter::texts() const {
  if (codes_.empty()) return {};
  return codes_ + std::string(begin_of_texts(codes_.size()) - codes_.size(), '\0') + texts_;
}

RowReader::RowReader(std::string_view rows, std::string_view all_texts, std::size_t numbers,
                     std::size_t texts, std::size_t count)
    : rows_(rows), texts_(all_texts), text_(begin_of_texts(count * texts)) {
  if (!is_size(rows.size(), numbers, count) || !are_codes(all_texts.size(), texts, count)) {
    throw std::runtime_error("an array of structs is not of the announced size");
  }
}

bool RowReader::boolean() {
  const auto byte = number<std::uint8_t>();
  if (byte > 1) throw std::runtime_error("a bool is neither 0 nor 1");
  return byte != 0;
}

std::optional<std::string> RowReader::text() {
  const auto code = static_cast<std::uint8_t>(texts_[code_++]);
  if (code == sent_apart) return std::nullopt;
  if (code == none) return "";
  if (text_ > texts_.size() || code > texts_.size() - text_) {
    throw std::runtime_error("a text of an array of structs is missing");
  }
  const std::string_view text = texts_.substr(text_, code);
  text_ += space_of(code);
  return std::string(text);
}

}  // namespace sidl_tool
