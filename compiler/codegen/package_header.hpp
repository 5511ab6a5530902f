// The header of a whole package, <package>.h or .hxx: it includes those of its types.
#pragma once

#include <string>
#include <vector>

#include "codegen/backend.hpp"
#include "codegen/plan.hpp"

namespace shinar::codegen {

struct PackageHeaders {
  std::string suffix;     // of all headers: ".hxx"
  std::string about;      // "C++ binding of a whole package"
  bool has_docs = false;  // those of the packages stand in them
};

// One for each package. Of a package that several libraries have parts of, each has such a header;
// the first that the compiler finds includes the next.
std::vector<GeneratedFile> make_package_headers(const TypeIndex& index,
                                                const PackageHeaders& headers);

}  // namespace shinar::codegen
