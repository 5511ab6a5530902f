#include "codegen/splicers.hpp"

#include <algorithm>
#include <regex>

namespace shinar::codegen {
namespace {

constexpr std::string_view kUnreferencedBegin = "BEGIN UNREFERENCED METHOD(S)";
constexpr std::string_view kUnreferencedEnd = "END UNREFERENCED METHOD(S)";

struct Mark {
  bool begin = false;
  std::string name;
  bool damaged = false;
};

// The mark on a line, if there is one. What looks like a mark and is none counts as damaged, so
// that a slip of the editor never costs the user a block.
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
      error("damaged splicer mark", line_);
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
    const bool known = std::any_of(result_.blocks.begin(), result_.blocks.end(),
                                   [&](const SplicerBlock& block) { return block.name == name; });
    if (known) error("duplicate splicer block '" + name + "'", line_);
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
  std::optional<SplicerBlock> open_;
  std::size_t line_ = 0;
  std::size_t open_line_ = 0;
};

const SplicerBlock* find_block(const SplicerFile& file, std::string_view name) {
  const auto found = std::find_if(file.blocks.begin(), file.blocks.end(),
                                  [&](const SplicerBlock& block) { return block.name == name; });
  return found == file.blocks.end() ? nullptr : &*found;
}

std::string comment(std::string_view text, CommentStyle style) {
  if (style == CommentStyle::python) return "# " + std::string(text);
  if (style == CommentStyle::fortran) return "! " + std::string(text);
  if (style == CommentStyle::cxx) return "// " + std::string(text);
  return "/* " + std::string(text) + " */";
}

bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// What begins a line of dead text in languages that have no way to skip text.
std::string_view dead_mark(CommentStyle style) {
  if (style == CommentStyle::python) return "#| ";
  return style == CommentStyle::fortran ? "!| " : "";
}

std::string_view first_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

// The block's text as code, whether it was dead before or not.
std::string alive(std::string_view text, CommentStyle style) {
  const std::string_view mark = dead_mark(style);
  std::string result;
  while (!text.empty()) {
    std::string_view line = first_line(text);
    text.remove_prefix(line.size());
    if (line.starts_with(mark)) line.remove_prefix(mark.size());
    result += line;
  }
  return result;
}

std::string dead(std::string_view text, CommentStyle style) {
  const std::string code = alive(text, style);
  std::string result;
  for (std::string_view left = code; !left.empty();) {
    const std::string_view line = first_line(left);
    left.remove_prefix(line.size());
    if (!is_blank_text(line)) result += dead_mark(style);
    result += line;
  }
  return result;
}

std::string unreferenced(const SplicerFile& existing, const SplicerFile& fresh,
                         CommentStyle style) {
  std::string blocks;
  for (const SplicerBlock& block : existing.blocks) {
    if (find_block(fresh, block.name) != nullptr || is_blank_text(block.text)) continue;
    blocks += splicer_begin(block.name, style) + "\n" + dead(block.text, style) +
              splicer_end(block.name, style) + "\n";
  }
  if (blocks.empty()) return {};
  if (dead_mark(style).empty()) blocks = "#if 0\n" + blocks + "#endif\n";
  return "\n" + comment(kUnreferencedBegin, style) + "\n" +
         comment("Code of methods that are gone from the SIDL: move it or delete it.", style) +
         "\n" + blocks + comment(kUnreferencedEnd, style) + "\n";
}

}  // namespace

SplicerFile parse_splicers(std::string_view text, std::string_view file) {
  return SplicerParser(text, file).parse();
}

std::optional<std::string> merge_splicers(const std::string& fresh, const std::string& existing,
                                          std::string_view file, CommentStyle style,
                                          std::vector<std::string>& errors) {
  const SplicerFile old_blocks = parse_splicers(existing, file);
  if (!old_blocks.errors.empty()) {
    errors.insert(errors.end(), old_blocks.errors.begin(), old_blocks.errors.end());
    return std::nullopt;
  }
  const SplicerFile new_blocks = parse_splicers(fresh, file);
  std::string result;
  std::size_t copied = 0;
  for (const SplicerBlock& block : new_blocks.blocks) {
    const SplicerBlock* kept = find_block(old_blocks, block.name);
    if (kept == nullptr) continue;
    result.append(fresh, copied, block.begin - copied);
    result += alive(kept->text, style);
    copied = block.begin + block.text.size();
  }
  result.append(fresh, copied);
  return result + unreferenced(old_blocks, new_blocks, style);
}

void add_impl_file(Result& result, const Request& request, const std::string& path,
                   const std::string& fresh, CommentStyle style) {
  std::optional<std::string> text = fresh;
  if (const auto existing = request.read_impl ? request.read_impl(path) : std::nullopt) {
    text = merge_splicers(fresh, *existing, path, style, result.errors);
  }
  if (text) result.files.push_back({path, *text, true});
}

std::string splicer_begin(std::string_view name, CommentStyle style) {
  return comment("DO-NOT-DELETE splicer.begin(" + std::string(name) + ")", style);
}

std::string splicer_end(std::string_view name, CommentStyle style) {
  return comment("DO-NOT-DELETE splicer.end(" + std::string(name) + ")", style);
}

}  // namespace shinar::codegen
