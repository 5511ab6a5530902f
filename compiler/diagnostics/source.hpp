// In: the bytes of an input file.
// Out: lines and columns for byte offsets, and the text of a line for a message.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace shinar {

// A range of a source file, [begin, end) in bytes. begin == end marks a position between
// characters.
struct Span {
  std::uint32_t file = 0;  // index into Sources
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Both count from 1; columns count bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

class Source {
 public:
  Source(std::uint32_t id, std::string name, std::string text);

  std::uint32_t id() const { return id_; }
  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  Position position(std::uint32_t offset) const;
  std::uint32_t offset(Position position) const;
  // Without its line terminator, which is "\n", "\r\n" or "\r".
  std::string_view line(std::uint32_t number) const;

 private:
  std::uint32_t id_;
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

// All files of a run; addresses are stable. Span::file is an index into it.
class Sources {
 public:
  const Source& add(std::string name, std::string text);
  const Source& operator[](std::uint32_t id) const { return *files_[id]; }
  std::size_t size() const { return files_.size(); }

 private:
  std::vector<std::unique_ptr<Source>> files_;
};

}  // namespace shinar
