// The header of a whole package, <package>.h or .hxx: it includes the headers of its types.
#pragma once

#include <string>
#include <vector>

#include "codegen/backend.hpp"
#include "codegen/plan.hpp"

namespace shinar::codegen {

struct PackageHeaders {
  std::string suffix;     // of all headers: ".hxx"
  std::string about;      // "C++ binding of a whole package"
  bool has_docs = false;  // the packages' docs go into them
};

// One for each package. If several libraries have parts of a package, each has such a header; the
// first that the compiler finds includes the next.
std::vector<GeneratedFile> make_package_headers(const TypeIndex& index,
                                                const PackageHeaders& headers);

}  // namespace shinar::codegen
