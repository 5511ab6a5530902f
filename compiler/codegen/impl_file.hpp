// In: a freshly generated Impl file, the one on disk with the user's code in it, and what of it has
// another name by now.
// Out: the fresh file with the user's blocks put back byte for byte; or errors, and nothing.
#pragma once

#include <string>

#include "codegen/backend.hpp"
#include "codegen/splicers.hpp"

namespace shinar::codegen {

// Adds an Impl file to `result`. Blocks that `fresh` does not have are kept as dead text at its
// end, and come to life again with their method. Lines end as they do in the file on disk. What
// the user wrote outside of blocks goes to `result.replaced`.
void add_impl_file(Result& result, const Request& request, const std::string& path,
                   const std::string& fresh, CommentStyle style);

}  // namespace shinar::codegen
