#include "codegen/splicers.hpp"

#include <regex>
#include <unordered_set>

namespace shinar::codegen {
namespace {

constexpr std::string_view kWarning = "DO-NOT-DELETE";
constexpr std::string_view kBegin = "splicer.begin(";
constexpr std::string_view kEnd = "splicer.end(";

struct Mark {
  bool begin = false;
  std::string name;
  bool damaged = false;
};

// The mark on a line, if any. What looks like a mark but is not one counts as damaged, so that an
// editing mistake never costs the user a block.
std::optional<Mark> find_mark(std::string_view line) {
  const bool suspicious = line.find(kWarning) != std::string_view::npos ||
                          line.find(kBegin) != std::string_view::npos ||
                          line.find(kEnd) != std::string_view::npos;
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
  explicit SplicerParser(std::string_view text) : text_(text) {}

  SplicerFile parse() {
    std::size_t at = 0;
    while (at < text_.size()) {
      std::size_t end = text_.find('\n', at);
      end = end == std::string_view::npos ? text_.size() : end + 1;
      std::string_view line = text_.substr(at, end - at);
      while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
      line_ = {at, at + line.size()};
      if (const std::optional<Mark> mark = find_mark(line)) take(*mark, end);
      at = end;
    }
    if (open_) error("splicer block '" + open_->name + "' begun here has no end", open_line_);
    if (!damaged_.empty()) report_damaged();
    return std::move(result_);
  }

 private:
  void take(const Mark& mark, std::size_t line_end) {
    if (mark.damaged) {
      damaged_.push_back(line_);
    } else if (mark.begin) {
      begin(mark.name, line_end);
    } else if (!open_) {
      error("splicer.end(" + mark.name + ") outside of a block", line_);
    } else if (open_->name != mark.name) {
      error("splicer.end(" + mark.name + ") does not match splicer.begin(" + open_->name + ")",
            line_, open_line_);
      open_.reset();
    } else {
      open_->text = text_.substr(open_->begin, line_.begin - open_->begin);
      result_.blocks.push_back(std::move(*open_));
      open_.reset();
    }
  }

  void begin(const std::string& name, std::size_t text_begin) {
    if (open_) {
      error("splicer.begin(" + name + ") inside of block '" + open_->name + "': is splicer.end(" +
                open_->name + ") missing before it?",
            line_, open_line_);
    }
    if (!names_.insert(name).second) error("duplicate splicer block '" + name + "'", line_);
    open_ = SplicerBlock{name, {}, text_begin};
    open_line_ = line_;
  }

  // Once for all of them. What else is wrong are consequences.
  void report_damaged() {
    const std::size_t others = damaged_.size() - 1;
    const std::string more = others == 0   ? ""
                             : others == 1 ? ", like one other line"
                                           : ", like " + std::to_string(others) + " other lines";
    result_.errors = {{damaged_.front(),
                       "damaged splicer mark" + more +
                           ": a mark is a comment on a line of its own, with nothing but "
                           "DO-NOT-DELETE splicer.begin(name) or DO-NOT-DELETE splicer.end(name)"}};
  }

  void error(std::string message, SplicerLine line, std::optional<SplicerLine> begun = {}) {
    result_.errors.push_back({line, std::move(message), begun});
  }

  std::string_view text_;
  SplicerFile result_;
  std::vector<SplicerLine> damaged_;
  std::unordered_set<std::string> names_;  // of blocks seen
  std::optional<SplicerBlock> open_;
  SplicerLine line_;
  SplicerLine open_line_;
};

}  // namespace

SplicerFile parse_splicers(std::string_view text) {
  return SplicerParser(text).parse();
}

std::string without_marks(std::string text) {
  for (std::size_t at = 0; (at = text.find(kWarning, at)) != std::string::npos;) {
    text.replace(at, kWarning.size(), "DO NOT DELETE");
  }
  for (const std::string_view mark : {kBegin, kEnd}) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += mark.size()) {
      text.insert(at + mark.size() - 1, " ");
    }
  }
  return text;
}

std::string_view first_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

std::string comment_line(std::string_view text, CommentStyle style) {
  if (style == CommentStyle::python) return "# " + std::string(text);
  if (style == CommentStyle::fortran) return "! " + std::string(text);
  if (style == CommentStyle::cxx || style == CommentStyle::java) return "// " + std::string(text);
  return "/* " + std::string(text) + " */";
}

std::string splicer_begin(std::string_view name, CommentStyle style) {
  return comment_line("DO-NOT-DELETE splicer.begin(" + std::string(name) + ")", style);
}

std::string splicer_end(std::string_view name, CommentStyle style) {
  return comment_line("DO-NOT-DELETE splicer.end(" + std::string(name) + ")", style);
}

}  // namespace shinar::codegen
