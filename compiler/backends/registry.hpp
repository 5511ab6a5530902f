// In: nothing. Out: the back ends that are linked into sidlc. A new back end is one line in
// registry.cpp and one folder.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "codegen/backend.hpp"

namespace shinar::backends {

const std::vector<std::unique_ptr<codegen::Backend>>& all();

// The back ends that one --client or --server run needs, the IOR's first: {ior, c} for "c",
// {ior, cxx} for "c++" or "cxx", in any case. Empty for a language there is no back end for.
std::vector<const codegen::Backend*> for_language(std::string_view language);

}  // namespace shinar::backends
