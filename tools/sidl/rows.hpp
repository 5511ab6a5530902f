/**
 * The rows and texts of structs that own something, as sidl_marshal.h says.
 */
#ifndef SIDL_TOOL_ROWS_HPP
#define SIDL_TOOL_ROWS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sidl_tool {

/** Of one struct after the other: its numbers and its texts, in order. */
class RowWriter {
 public:
  template <class T>
  void number(const T& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    rows_.append(bytes, sizeof bytes);
  }
  void bytes(const std::string& bytes) { rows_ += bytes; }
  void text(const std::string& text);

  const std::string& rows() const { return rows_; }
  /** Empty if there are none. */
  std::string texts() const;
  /** Texts that are too long to be among those. */
  const std::vector<std::string>& apart() const { return apart_; }

 private:
  std::string rows_;
  std::string codes_;  ///< of all texts
  std::string texts_;
  std::vector<std::string> apart_;
};

/** Reads them in the same order. What does not fit throws std::runtime_error. */
class RowReader {
 public:
  /** Of `count` structs with so many bytes of numbers, and texts. The memory must stay. */
  RowReader(std::string_view rows, std::string_view all_texts, std::size_t numbers,
            std::size_t texts, std::size_t count);

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, rows_.data() + number_, sizeof value);
    number_ += sizeof value;
    return value;
  }
  /** Where so many bytes are. */
  const char* bytes(std::size_t count) {
    number_ += count;
    return rows_.data() + number_ - count;
  }
  bool boolean();
  /** Nothing if the text is sent apart; of a null one, the empty text. */
  std::optional<std::string> text();

 private:
  std::string_view rows_, texts_;
  std::size_t number_ = 0, code_ = 0, text_;
};

}  // namespace sidl_tool
#endif
