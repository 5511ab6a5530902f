#include "codegen/impl_file.hpp"

#include <unordered_map>
#include <unordered_set>

#include "codegen/disabled_code.hpp"
#include "codegen/outside_marks.hpp"
#include "codegen/unwritten_code.hpp"

namespace shinar::codegen {
namespace {

// The line terminator of most lines.
std::string_view line_end_of(std::string_view text) {
  std::size_t lines = 0;
  std::size_t with_return = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    ++lines;
    if (at > 0 && text[at - 1] == '\r') ++with_return;
  }
  return 2 * with_return > lines ? "\r\n" : "\n";
}

// Generated text, whose lines end with "\n", with another line terminator.
std::string with_line_ends(std::string_view text, std::string_view end) {
  std::string result;
  for (; !text.empty(); text.remove_prefix(first_line(text).size())) {
    const std::string_view line = first_line(text);
    const bool is_whole = line.ends_with('\n');
    result += line.substr(0, line.size() - (is_whole ? 1 : 0));
    if (is_whole) result += end;
  }
  return result;
}

using Blocks = std::unordered_map<std::string_view, const SplicerBlock*>;

Blocks by_name(const SplicerFile& file) {
  Blocks result;
  for (const SplicerBlock& block : file.blocks) result.emplace(block.name, &block);
  return result;
}

// Merges one existing Impl file, under its own name, that of a renamed class, or both.
class Merge {
 public:
  Merge(Result& result, const Request& request, const std::string& path, CommentStyle style)
      : result_(result), renames_(request.renames), path_(path), style_(style) {}

  // nullopt: the existing text is damaged.
  std::optional<std::string> run(const std::string& fresh, const std::optional<std::string>& text,
                                 const std::optional<OldImpl>& old);

 private:
  // A block under the name that --rename gives it.
  struct Renamed {
    const SplicerBlock* block;
    std::string name;
    const std::string* file;  // where it is
  };

  bool is_generated(const Renamed& renamed, const SplicerBlock& fresh) const;
  bool parse(const std::string& text, const std::string& file, SplicerFile& blocks);
  std::string new_name(std::string name);
  void take_renamed(const SplicerFile& file, const std::string& path, const Blocks& present);
  std::optional<std::string> kept(const SplicerBlock& fresh, const Blocks& present);
  void warn(Code code, std::string message) { result_.problems.push_back({code, {}, message}); }
  void say_what_moved(const OldImpl& old);
  std::string unreferenced(const Blocks& fresh, const SplicerFile& existing, const SplicerFile& old,
                           std::string_view end) const;

  Result& result_;
  const std::vector<Rename>& renames_;
  const std::string& path_;
  CommentStyle style_;
  std::vector<Renamed> renamed_;
  std::unordered_map<std::string_view, const Renamed*> renamed_by_name_;
  std::unordered_set<const SplicerBlock*> moved_;
  bool took_from_old_ = false;
};

bool Merge::parse(const std::string& text, const std::string& file, SplicerFile& blocks) {
  blocks = parse_splicers(text);
  if (!blocks.errors.empty()) result_.damaged.push_back({file, text, blocks.errors});
  return blocks.errors.empty();
}

// The name itself if it has not changed. Records which renames were used.
std::string Merge::new_name(std::string name) {
  for (const Rename& rename : renames_) {
    if (name != rename.from && !name.starts_with(rename.from + ".")) continue;
    result_.renamed.insert(rename.from);
    name = rename.to + name.substr(rename.from.size());
  }
  return name;
}

void Merge::take_renamed(const SplicerFile& file, const std::string& path, const Blocks& present) {
  const bool is_old = &path != &path_;
  for (const SplicerBlock& block : file.blocks) {
    std::string name = new_name(block.name);
    if (is_blank_text(block.text)) continue;
    // Blocks that were moved before are in the new file, enabled or disabled.
    if (is_old && present.contains(block.name)) continue;
    if (is_old || name != block.name) renamed_.push_back({&block, std::move(name), &path});
  }
}

// True if the block is unchanged since it was generated under its old name.
bool Merge::is_generated(const Renamed& renamed, const SplicerBlock& fresh) const {
  const std::string& name = renamed.block->name;
  std::string text = enabled(renamed.block->text, style_);
  for (std::size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + fresh.name.size())) {
    text.replace(at, name.size(), fresh.name);
  }
  return is_same_code(text, fresh.text) || is_outdated(text, fresh.text);
}

// The user's code for a block; none: the generated code stays.
std::optional<std::string> Merge::kept(const SplicerBlock& fresh, const Blocks& present) {
  const auto own = present.find(fresh.name);
  const auto other = renamed_by_name_.find(fresh.name);
  if (other == renamed_by_name_.end()) {
    const bool is_users = own != present.end() && !is_outdated(own->second->text, fresh.text);
    return is_users ? std::optional(enabled(own->second->text, style_)) : std::nullopt;
  }
  const Renamed& renamed = *other->second;
  const bool is_free = own == present.end() || is_blank_text(own->second->text) ||
                       is_same_code(own->second->text, fresh.text) ||
                       is_outdated(own->second->text, fresh.text);
  const bool is_same =
      !is_free && enabled(own->second->text, style_) == enabled(renamed.block->text, style_);
  if (is_free || is_same) moved_.insert(renamed.block);
  if (is_free && is_generated(renamed, fresh)) return std::nullopt;
  if (is_free) {
    took_from_old_ = took_from_old_ || renamed.file != &path_;
    return enabled(renamed.block->text, style_);
  }
  if (!is_same && !is_unwritten(enabled(renamed.block->text, style_))) {
    warn(Code::NotRenamed, "the code of '" + renamed.block->name + "' was not moved to '" +
                               fresh.name + "', which has code of its own in '" + path_ +
                               "': it is kept at the end of that file");
  }
  return enabled(own->second->text, style_);
}

std::string Merge::unreferenced(const Blocks& fresh, const SplicerFile& existing,
                                const SplicerFile& old, std::string_view end) const {
  std::string blocks;
  const auto line = [&](std::string text) { return text.append(end); };
  std::unordered_set<std::string_view> done;
  for (const SplicerFile* file : {&existing, &old}) {
    for (const SplicerBlock& block : file->blocks) {
      if (fresh.contains(block.name) || is_unwritten(enabled(block.text, style_))) continue;
      if (moved_.contains(&block) || !done.insert(block.name).second) continue;
      blocks += line(splicer_begin(block.name, style_)) + disabled(block.text, style_) +
                line(splicer_end(block.name, style_));
    }
  }
  if (blocks.empty()) return {};
  const Frame frame = unreferenced_frame(style_);
  std::string result = line("");
  for (const std::string& each : frame.before) result += line(each);
  result += blocks;
  for (const std::string& each : frame.after) result += line(each);
  return result;
}

void Merge::say_what_moved(const OldImpl& old) {
  if (!took_from_old_) return;
  const std::string but = is_edited_outside(old.text, style_)
                              ? ", but take from it what you wrote outside of its splicer marks"
                              : "";
  warn(Code::OldImpl, "the code of '" + old.path + "' is now in '" + path_ +
                          "'; the old file was not changed: delete it" + but);
}

std::optional<std::string> Merge::run(const std::string& fresh,
                                      const std::optional<std::string>& text,
                                      const std::optional<OldImpl>& old) {
  SplicerFile existing;
  SplicerFile old_blocks;
  const bool is_sound =
      (!text || parse(*text, path_, existing)) && (!old || parse(old->text, old->path, old_blocks));
  if (!is_sound) return std::nullopt;
  const std::string_view end = line_end_of(text ? *text : old->text);
  const std::string generated = with_line_ends(fresh, end);
  const SplicerFile new_blocks = parse_splicers(generated);
  const Blocks present = by_name(existing);
  take_renamed(existing, path_, present);
  if (old) take_renamed(old_blocks, old->path, present);
  for (const Renamed& item : renamed_) renamed_by_name_.emplace(item.name, &item);
  std::string result;
  std::size_t copied = 0;
  for (const SplicerBlock& block : new_blocks.blocks) {
    const std::optional<std::string> code = kept(block, present);
    if (!code) continue;
    result.append(generated, copied, block.begin - copied);
    result += *code;
    copied = block.begin + block.text.size();
  }
  result.append(generated, copied);
  if (old) say_what_moved(*old);
  return result + unreferenced(by_name(new_blocks), existing, old_blocks, end);
}

}  // namespace

void add_impl_file(Result& result, const Request& request, const std::string& path,
                   const std::string& fresh, CommentStyle style) {
  const std::optional<std::string> existing =
      request.read_impl ? request.read_impl(path) : std::nullopt;
  const std::optional<OldImpl> old =
      request.read_old_impl ? request.read_old_impl(path) : std::nullopt;
  std::optional<std::string> text = fresh;
  if (existing || old) text = Merge(result, request, path, style).run(fresh, existing, old);
  if (!text) return;
  text = with_digest(std::move(*text), style);
  if (existing) {
    const std::optional<std::size_t> line = first_lost_line(*existing, *text, style);
    if (line) result.replaced.push_back({path, *existing, *line});
  }
  result.files.push_back({path, std::move(*text), true});
}

}  // namespace shinar::codegen
