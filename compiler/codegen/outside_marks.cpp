#include "codegen/outside_marks.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "ir/hash.hpp"

namespace shinar::codegen {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kDigest = "Digest:";
constexpr std::size_t kDigits = 16;

struct Line {
  std::size_t number;
  std::string code;  // without its white space
};

struct Outside {
  std::vector<Line> lines;
  std::string code;  // of all lines
  std::string digest;
};

// When a formatter breaks a line of a C comment, it begins the next one with a star.
std::string squeezed(std::string_view line) {
  std::string result(line);
  std::erase_if(result, [](char c) { return kBlanks.find(c) != std::string_view::npos; });
  const std::size_t stars = std::min(result.find_first_not_of('*'), result.size());
  if (result.substr(stars, 1) != "/") result.erase(0, stars);
  return result;
}

// Removes the digest from its line, along with the comment sign before it.
void take_digest(std::string& code, std::string& digest) {
  const std::size_t at = code.find(kDigest);
  if (at == std::string::npos) return;
  const std::string digits = code.substr(at + kDigest.size(), kDigits);
  if (digits.size() < kDigits || digits.find_first_not_of(kHexDigits) != std::string::npos) return;
  const bool has_sign = at > 0 && (code[at - 1] == '#' || code[at - 1] == '!');
  const std::size_t begin = has_sign ? at - 1 : at;
  code.erase(begin, at + kDigest.size() + kDigits - begin);
  digest = digits;
}

// Collects the text outside of blocks, line by line.
class Reader {
 public:
  explicit Reader(CommentStyle style) : frame_(unreferenced_frame(style)) {
    for (std::vector<std::string>* lines : {&frame_.before, &frame_.after}) {
      for (std::string& line : *lines) line = squeezed(line);
    }
  }

  Outside read(std::string_view text);

 private:
  void take(std::string_view line, std::size_t number);

  bool is_of_frame(const std::string& code) const {
    return std::ranges::count(frame_.before, code) + std::ranges::count(frame_.after, code) > 0;
  }

  Frame frame_;
  bool in_frame_ = false;
  Outside result_;
};

void Reader::take(std::string_view line, std::size_t number) {
  std::string code = squeezed(line);
  if (result_.digest.empty()) take_digest(code, result_.digest);
  if (code == frame_.before.front()) in_frame_ = true;
  // A user who deletes disabled code may also delete the lines that sidlc wrote around it.
  const bool is_frame = in_frame_ && is_of_frame(code);
  if (code == frame_.after.back()) in_frame_ = false;
  if (code.empty() || is_frame) return;
  result_.code += code;
  result_.lines.push_back({number, std::move(code)});
}

Outside Reader::read(std::string_view text) {
  const SplicerFile file = parse_splicers(text);
  auto block = file.blocks.begin();
  std::size_t number = 0;
  bool is_inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    ++number;
    if (block != file.blocks.end() && end == block->begin) {
      is_inside = true;
    } else if (is_inside && at == block->begin + block->text.size()) {
      is_inside = false;
      ++block;
    } else if (!is_inside) {
      take(text.substr(at, end - at), number);
    }
    at = end;
  }
  return std::move(result_);
}

Outside outside(std::string_view text, CommentStyle style) {
  return Reader(style).read(text);
}

std::string digest_of(std::string_view code) {
  std::string digits;
  for (std::uint64_t rest = ir::fnv1a(code); digits.size() < kDigits; rest >>= 4U) {
    digits.insert(digits.begin(), kHexDigits[rest & 0xFU]);
  }
  return digits;
}

std::unordered_set<std::string> lines_of(std::string_view text) {
  std::unordered_set<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result.insert(squeezed(text.substr(at, end - at)));
    at = end + 1;
  }
  return result;
}

}  // namespace

Frame unreferenced_frame(CommentStyle style) {
  Frame frame{
      {comment_line("BEGIN UNREFERENCED METHOD(S)", style),
       comment_line("Code of methods that are gone from the SIDL: move it or delete it.", style)},
      {comment_line("END UNREFERENCED METHOD(S)", style)}};
  if (style == CommentStyle::c || style == CommentStyle::cxx) {
    frame.before.emplace_back("#if 0");
    frame.after.insert(frame.after.begin(), "#endif");
  }
  return frame;
}

std::string with_digest(std::string text, CommentStyle style) {
  const std::size_t at = text.find(kNoDigest);
  if (at == std::string::npos) return text;
  const std::string digest = digest_of(outside(text, style).code);
  return text.replace(at + kNoDigest.size() - kDigits, kDigits, digest);
}

bool is_edited_outside(std::string_view text, CommentStyle style) {
  const Outside found = outside(text, style);
  return !found.digest.empty() && found.digest != digest_of(found.code);
}

std::optional<std::size_t> first_lost_line(std::string_view old, std::string_view fresh,
                                           CommentStyle style) {
  const Outside before = outside(old, style);
  if (before.digest == digest_of(before.code)) return std::nullopt;
  const Outside after = outside(fresh, style);
  if (after.code.starts_with(before.code)) return std::nullopt;
  const std::unordered_set<std::string> present = lines_of(fresh);
  for (const Line& line : before.lines) {
    if (!present.contains(line.code)) return line.number;
  }
  const auto [mine, theirs] =
      std::ranges::mismatch(before.lines, after.lines, {}, &Line::code, &Line::code);
  return mine == before.lines.end() ? before.lines.back().number : mine->number;
}

}  // namespace shinar::codegen
