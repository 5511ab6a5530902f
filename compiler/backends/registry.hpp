// In: nothing. Out: the back ends that are linked into sidlc. A new back end is one line in
// registry.cpp and one folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/backend.hpp"

namespace shinar::backends {

const std::vector<std::unique_ptr<codegen::Backend>>& all();

// The back ends that one --client or --server run needs, the IOR's first: {ior, c} for "c", {ior,
// cxx} for "c++" or "cxx", {ior, c, f77} for "f77", in any case. Empty for a language without a
// back end.
std::vector<const codegen::Backend*> for_language(std::string_view language);

// The languages of for_language, as users write them: "c", "c++".
std::vector<std::string> languages();
// Those that classes are implemented in.
std::vector<std::string> server_languages();

// The back end that writes texts rather than code (--text), or null.
const codegen::Backend* for_text(std::string_view format);

}  // namespace shinar::backends
