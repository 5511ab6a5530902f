// In: the text of an Impl file.
// Out: the text outside of its splicer blocks, and whether it is as sidlc generated it: the first
// comment of every Impl file has a digest of it. White space is ignored, and so is what formatters
// add when they break a comment.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/splicers.hpp"

namespace shinar::codegen {

// Placeholder in the first comment until the digest is known.
inline constexpr std::string_view kNoDigest = "Digest: 0000000000000000";

// The lines that sidlc writes around the code of removed methods, at the end of a file.
struct Frame {
  std::vector<std::string> before;
  std::vector<std::string> after;
};

Frame unreferenced_frame(CommentStyle style);

// Replaces kNoDigest by the file's digest.
std::string with_digest(std::string text, CommentStyle style);

// True if the text has a digest that does not match: it was edited outside of the marks.
bool is_edited_outside(std::string_view text, CommentStyle style);

// The first line outside of the marks of `old` that is missing or moved in `fresh`, which replaces
// it. nullopt: nothing of it is the user's.
std::optional<std::size_t> first_lost_line(std::string_view old, std::string_view fresh,
                                           CommentStyle style);

}  // namespace shinar::codegen
