// In: the text of an Impl file.
// Out: what stands outside of its splicer blocks, and whether that is what sidlc once wrote there:
// the first comment of every Impl file has a digest of it. White space does not count, nor what
// formatters add where they break a comment.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/splicers.hpp"

namespace shinar::codegen {

// In the first comment of a file of which the digest is not known yet.
inline constexpr std::string_view kNoDigest = "Digest: 0000000000000000";

// What sidlc writes around the code of methods that are gone, at the end of a file.
struct Frame {
  std::vector<std::string> before;
  std::vector<std::string> after;
};

Frame unreferenced_frame(CommentStyle style);

// The file with its digest in the place of kNoDigest.
std::string with_digest(std::string text, CommentStyle style);

// The text has a digest, and that of another text: somebody wrote outside of the marks.
bool is_edited_outside(std::string_view text, CommentStyle style);

// The first line outside of the marks of `old` that `fresh`, written in its place, does not have,
// or has elsewhere. nullopt: nothing of it is the user's.
std::optional<std::size_t> first_lost_line(std::string_view old, std::string_view fresh,
                                           CommentStyle style);

}  // namespace shinar::codegen
