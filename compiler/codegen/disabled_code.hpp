// In: the text of a splicer block whose method is gone, or has come back.
// Out: the same as text that compilers skip, or as code again.
#pragma once

#include <string>
#include <string_view>

#include "codegen/splicers.hpp"

namespace shinar::codegen {

// Unchanged in languages whose frame makes compilers skip it. May be disabled already.
std::string disabled(std::string_view text, CommentStyle style);

// The code as it was when it was disabled; text that is not disabled stays as it is.
std::string enabled(std::string_view text, CommentStyle style);

}  // namespace shinar::codegen
