// In: a freshly generated Impl file, the one on disk with the user's code in it, and the renames.
// Out: the fresh file with the user's blocks put back byte for byte; or errors, and nothing.
#pragma once

#include <string>

#include "codegen/backend.hpp"
#include "codegen/splicers.hpp"

namespace shinar::codegen {

// Adds an Impl file to `result`. Blocks that `fresh` does not have are kept as disabled text at its
// end and enabled again when their method returns. Line terminators are those of the file on disk.
// Text the user wrote outside of blocks goes to `result.replaced`.
void add_impl_file(Result& result, const Request& request, const std::string& path,
                   const std::string& fresh, CommentStyle style);

}  // namespace shinar::codegen
