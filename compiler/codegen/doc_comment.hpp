// In: the text of a SIDL doc comment, without comment marks.
// Out: the same as a Doxygen comment, wrapped at 100 columns and safe inside a comment.
#pragma once

#include <string>
#include <string_view>

#include "codegen/printer.hpp"

namespace shinar::codegen {

// Prints "/** … */" on one line if it fits, else a block; nothing when `doc` is empty.
void emit_doc(Printer& printer, std::string_view doc);

// The text for use inside a comment: every comment mark and splicer mark in it is broken up.
std::string comment_text(std::string_view text);

}  // namespace shinar::codegen
