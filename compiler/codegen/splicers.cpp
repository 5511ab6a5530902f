#include "codegen/splicers.hpp"

#include <regex>
#include <unordered_set>

namespace shinar::codegen {
namespace {

struct Mark {
  bool begin = false;
  std::string name;
  bool damaged = false;
};

// The mark on a line, if any. What looks like a mark but is not one counts as damaged, so that an
// editing mistake never costs the user a block.
std::optional<Mark> find_mark(std::string_view line) {
  const bool suspicious = line.find("DO-NOT-DELETE") != std::string_view::npos ||
                          line.find("splicer.begin(") != std::string_view::npos ||
                          line.find("splicer.end(") != std::string_view::npos;
  if (!suspicious) return std::nullopt;
  static const std::regex pattern(
      R"(^\s*\S{1,3}\s*DO-NOT-DELETE\s+splicer\.(begin|end)\(([A-Za-z_][A-Za-z0-9_.]*)\)\s*(\*/)?\s*$)");
  std::cmatch match;
  if (!std::regex_match(line.data(), line.data() + line.size(), match, pattern)) {
    return Mark{false, "", true};
  }
  return Mark{match[1] == "begin", match[2], false};
}

// Collects blocks line by line.
class SplicerParser {
 public:
  SplicerParser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  SplicerFile parse() {
    std::size_t at = 0;
    while (at < text_.size()) {
      ++line_;
      std::size_t end = text_.find('\n', at);
      end = end == std::string_view::npos ? text_.size() : end + 1;
      std::string_view line = text_.substr(at, end - at);
      while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
      if (const std::optional<Mark> mark = find_mark(line)) take(*mark, at, end);
      at = end;
    }
    if (open_) error("splicer block '" + open_->name + "' begun here has no end", open_line_);
    return std::move(result_);
  }

 private:
  void take(const Mark& mark, std::size_t line_begin, std::size_t line_end) {
    if (mark.damaged) {
      error("malformed splicer mark", line_);
    } else if (mark.begin) {
      begin(mark.name, line_end);
    } else if (!open_) {
      error("splicer.end(" + mark.name + ") outside of a block", line_);
    } else if (open_->name != mark.name) {
      error("splicer.end(" + mark.name + ") does not match splicer.begin(" + open_->name +
                ") on line " + std::to_string(open_line_),
            line_);
      open_.reset();
    } else {
      open_->text = text_.substr(open_->begin, line_begin - open_->begin);
      result_.blocks.push_back(std::move(*open_));
      open_.reset();
    }
  }

  void begin(const std::string& name, std::size_t text_begin) {
    if (open_) {
      error("splicer.begin(" + name + ") inside of block '" + open_->name + "' begun on line " +
                std::to_string(open_line_),
            line_);
    }
    if (!names_.insert(name).second) error("duplicate splicer block '" + name + "'", line_);
    open_ = SplicerBlock{name, {}, text_begin};
    open_line_ = line_;
  }

  void error(const std::string& message, std::size_t line) {
    result_.errors.push_back(std::string(file_) + ":" + std::to_string(line) +
                             ": error: " + message);
  }

  std::string_view text_;
  std::string_view file_;
  SplicerFile result_;
  std::unordered_set<std::string> names_;  // of blocks seen
  std::optional<SplicerBlock> open_;
  std::size_t line_ = 0;
  std::size_t open_line_ = 0;
};

}  // namespace

SplicerFile parse_splicers(std::string_view text, std::string_view file) {
  return SplicerParser(text, file).parse();
}

std::string comment_line(std::string_view text, CommentStyle style) {
  if (style == CommentStyle::python) return "# " + std::string(text);
  if (style == CommentStyle::fortran) return "! " + std::string(text);
  if (style == CommentStyle::cxx) return "// " + std::string(text);
  return "/* " + std::string(text) + " */";
}

std::string splicer_begin(std::string_view name, CommentStyle style) {
  return comment_line("DO-NOT-DELETE splicer.begin(" + std::string(name) + ")", style);
}

std::string splicer_end(std::string_view name, CommentStyle style) {
  return comment_line("DO-NOT-DELETE splicer.end(" + std::string(name) + ")", style);
}

}  // namespace shinar::codegen
