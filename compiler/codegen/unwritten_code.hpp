// In: the text of a splicer block.
// Out: whether anybody wrote it, or sidlc did.
#pragma once

#include <string_view>

namespace shinar::codegen {

bool is_blank_text(std::string_view text);

// Line terminators and white space aside.
bool is_same_code(std::string_view a, std::string_view b);

// True for what sidlc makes the body of a method or a hook, in any language and whatever the
// signature was at the time; false if there is anything else in it, even one statement or comment.
bool is_unwritten(std::string_view text);

// True for what sidlc made the body `fresh` when the method had another signature.
bool is_outdated(std::string_view text, std::string_view fresh);

}  // namespace shinar::codegen
