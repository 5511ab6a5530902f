// In: the text of an Impl file.
// Out: its splicer blocks: the text between two lines that contain, in any kind of comment,
//     DO-NOT-DELETE splicer.begin(demo.Solver.solve)
//     DO-NOT-DELETE splicer.end(demo.Solver.solve)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/backend.hpp"

namespace shinar::codegen {

struct SplicerBlock {
  std::string name;
  std::string_view text;  // whole lines between the marks
  std::size_t begin = 0;  // where `text` begins in the file
};

struct SplicerFile {
  std::vector<SplicerBlock> blocks;  // in order
  std::vector<std::string> errors;   // "file:line: error: …"; if any, blocks may be incomplete
};

// Finds the blocks of `text`, which must outlive the result. Errors name `file`.
SplicerFile parse_splicers(std::string_view text, std::string_view file);

enum class CommentStyle { c, cxx, python, fortran };

// "/* text */" or its `//`, `#` or `!` form.
std::string comment_line(std::string_view text, CommentStyle style);

// "/* DO-NOT-DELETE splicer.begin(name) */" or its `//`, `#` or `!` form.
std::string splicer_begin(std::string_view name, CommentStyle style);
std::string splicer_end(std::string_view name, CommentStyle style);

}  // namespace shinar::codegen
