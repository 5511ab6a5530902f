#include "diagnostics/source.hpp"

#include <algorithm>

namespace shinar {

Source::Source(std::uint32_t id, std::string name, std::string text)
    : id_(id), name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool lone_cr = text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n');
    if (text_[i] == '\n' || lone_cr) line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

Position Source::position(std::uint32_t offset) const {
  const auto after = std::ranges::upper_bound(line_starts_, offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

std::uint32_t Source::offset(Position position) const {
  const std::size_t line = std::min<std::size_t>(position.line, line_starts_.size());
  return line == 0 ? 0 : line_starts_[line - 1] + position.column - 1;
}

std::string_view Source::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[number - 1];
  const std::size_t end = number < line_starts_.size() ? line_starts_[number] : text_.size();
  std::string_view line = text().substr(begin, end - begin);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

const Source& Sources::add(std::string name, std::string text) {
  const auto id = static_cast<std::uint32_t>(files_.size());
  files_.push_back(std::make_unique<Source>(id, std::move(name), std::move(text)));
  return *files_.back();
}

}  // namespace shinar
