#include "backends/fortran/f77.hpp"

#include "backends/fortran/emit.hpp"
#include "backends/fortran/f77_emit.hpp"
#include "codegen/banner.hpp"
#include "codegen/line_wrap.hpp"
#include "codegen/names.hpp"

namespace shinar::backends {
namespace {

using codegen::Printer;
using fortran::F77Package;

class F77Backend : public codegen::Backend {
 public:
  std::string_view language() const override { return "f77"; }

  std::string_view instead_of_server() const override {
    return "implement the class with --server=fortran and call the old code from there "
           "(docs/fortran77.md)";
  }

  codegen::Result generate(const codegen::Request& request) const override {
    const codegen::TypeIndex index(request.module);
    codegen::Result result;
    for (const F77Package& package : fortran::lower_f77(index, result.problems)) {
      if (!package.types.empty() || !package.arrays.empty()) subroutines(package, result);
      if (!package.types.empty()) functions(package, result);
      if (!package.enums.empty()) constants(package, result);
      for (const ir::Type* type : package.enums) constants(package, *type, result);
    }
    return result;
  }

 private:
  static void subroutines(const F77Package& package, codegen::Result& result) {
    const std::string file = package.name + "_f77.f90";
    Printer printer(codegen::wrap_fortran);
    fortran::emit_banner(
        printer, {file, package.symbol, package.source, "external subroutines for old codes"});
    fortran::emit_f77(printer, package);
    result.files.push_back({file, printer.take()});
  }

  static void functions(const F77Package& package, codegen::Result& result) {
    const std::string file = package.name + "_f77.c";
    Printer printer;
    emit_banner(printer, {file, package.symbol, package.source,
                          "from the subroutines for old codes to the C binding"});
    fortran::emit_f77_c(printer, package);
    result.files.push_back({file, printer.take()});
  }

  // Comments begin in the first column: fixed source knows them there only.
  static void constants(const F77Package& package, codegen::Result& result) {
    const std::string file = package.name + ".inc";
    Printer printer;
    fortran::emit_banner(printer, {file, package.symbol, package.source,
                                   "constants, for fixed and for free source"});
    result.files.push_back({file, printer.take() + fortran::f77_constants(package)});
  }

  static void constants(const F77Package& package, const ir::Type& type, codegen::Result& result) {
    const std::string file = codegen::Namer::symbol(type.name()) + ".inc";
    Printer printer;
    fortran::emit_banner(printer, {file, codegen::symbol_line(type), package.source,
                                   "constants, for fixed and for free source"});
    result.files.push_back({file, printer.take() + fortran::f77_constants(type)});
  }
};

}  // namespace

std::unique_ptr<codegen::Backend> make_f77_backend() {
  return std::make_unique<F77Backend>();
}

}  // namespace shinar::backends
