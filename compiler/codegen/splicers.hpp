// In: the text of an Impl file.
// Out: its splicer blocks: the text between two lines that contain, in any kind of comment,
//     DO-NOT-DELETE splicer.begin(demo.Solver.solve)
//     DO-NOT-DELETE splicer.end(demo.Solver.solve)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shinar::codegen {

struct SplicerBlock {
  std::string name;
  std::string_view text;  // whole lines between the marks
  std::size_t begin = 0;  // where `text` begins in the file
};

// A line of the file, without its terminator.
struct SplicerLine {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct SplicerError {
  SplicerLine line;
  std::string message;
  std::optional<SplicerLine> begun = {};  // where the block concerned begins
};

struct SplicerFile {
  std::vector<SplicerBlock> blocks;  // in order
  std::vector<SplicerError> errors;  // if any, blocks may be incomplete
};

// Finds the blocks of `text`, which must outlive the result.
SplicerFile parse_splicers(std::string_view text);

// The text of a comment without anything in it that might be taken for a mark.
std::string without_marks(std::string text);

// With its terminator, if it has one.
std::string_view first_line(std::string_view text);

enum class CommentStyle { c, cxx, python, fortran, java };

// "/* text */" or its `//`, `#` or `!` form.
std::string comment_line(std::string_view text, CommentStyle style);

// "/* DO-NOT-DELETE splicer.begin(name) */" or its `//`, `#` or `!` form.
std::string splicer_begin(std::string_view name, CommentStyle style);
std::string splicer_end(std::string_view name, CommentStyle style);

}  // namespace shinar::codegen
