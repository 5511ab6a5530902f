// In: a freshly generated Impl file, and the one on disk with the user's code in it.
// Out: the fresh file with the user's blocks put back byte for byte; or errors, and nothing.
//
// A block is what stands between two lines that hold, in any kind of comment,
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

// Finds the blocks of `text`, which must outlive the result. `file` is named in errors.
SplicerFile parse_splicers(std::string_view text, std::string_view file);

enum class CommentStyle { c, cxx, python, fortran };

// Blocks of `existing` replace those of `fresh`. Blocks that `fresh` does not have are kept as
// dead text at the end of the file, and come to life again with their method. Without a value if
// `existing` is damaged; `errors` says why.
std::optional<std::string> merge_splicers(const std::string& fresh, const std::string& existing,
                                          std::string_view file, CommentStyle style,
                                          std::vector<std::string>& errors);

// Adds an Impl file to `result`, with what the user wrote in the one that is there already.
void add_impl_file(Result& result, const Request& request, const std::string& path,
                   const std::string& fresh, CommentStyle style);

// "/* DO-NOT-DELETE splicer.begin(name) */" or its `//`, `#` or `!` form.
std::string splicer_begin(std::string_view name, CommentStyle style);
std::string splicer_end(std::string_view name, CommentStyle style);

}  // namespace shinar::codegen
