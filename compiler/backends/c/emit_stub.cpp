// <package>_Stub.c: the functions of the package's headers as symbols. Programs written for Babel
// may call them without their headers.
#include <algorithm>

#include "backends/c/emit.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::c {

void emit_stub(codegen::Printer& printer, const codegen::PackagePlan& plan) {
  std::vector<std::string> headers;
  for (const ir::Type* type : plan.types) {
    headers.push_back(codegen::Namer::symbol(type->name()) + ".h");
  }
  std::ranges::sort(headers);
  printer.emit({{"includes", [&] { emit_includes(printer, headers); }}}, R"(
    #include "sidl.h"

    /* Their headers have them inline; the first library of those with the same functions serves all. */
    #undef SIDL_INLINE
    #define SIDL_INLINE __attribute__((weak))
    #pragma GCC diagnostic ignored "-Wmissing-prototypes"

    $includes$
  )");
}

}  // namespace shinar::backends::c
