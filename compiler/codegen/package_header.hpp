// The header of a whole package, <package>.h or .hxx: it includes those of its types.
#pragma once

#include <string>
#include <vector>

#include "codegen/printer.hpp"

namespace shinar::codegen {

// `header` is the file's own name. Of a package that several libraries have parts of, each has such
// a header; the first that the compiler finds includes the next.
void emit_package_header(Printer& printer, const std::string& header, const std::string& doc,
                         const std::vector<std::string>& includes);

}  // namespace shinar::codegen
