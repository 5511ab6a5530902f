#include "backends/fortran/fortran.hpp"

#include <array>
#include <cstdio>

#include "backends/fortran/emit.hpp"
#include "backends/fortran/lower.hpp"
#include "codegen/banner.hpp"
#include "codegen/impl_file.hpp"
#include "codegen/line_wrap.hpp"
#include "ir/hash.hpp"

namespace shinar::backends {
namespace {

using codegen::Printer;
using codegen::TypeIndex;
using fortran::FileModel;
using fortran::ObjectModel;

// Collects the files of one run.
class Run {
 public:
  explicit Run(const codegen::Request& request) : request_(request), index_(request.module) {}

  codegen::Result run() {
    for (const FileModel& file : fortran::lower_files(index_, request_, result_.problems)) {
      modules(file);
      for (const fortran::ModuleModel& module : file.modules) {
        for (const ObjectModel& object : module.objects) {
          if (object.is_implemented) implementation(object);
        }
      }
    }
    return std::move(result_);
  }

 private:
  // gfortran's order of a table of type-bound procedures depends on everything read before it. So
  // the symbols of a module depend on its whole file: code compiled for one file cannot call
  // through the tables of another.
  std::string suffix(const FileModel& model) const {
    Printer printer(codegen::wrap_fortran);
    fortran::emit_modules(printer, model, "");
    std::string text = printer.take();
    for (const ir::Type& type : request_.module.types()) text += codegen::layout_tag(type);
    std::array<char, 20> digits{};
    std::snprintf(digits.data(), digits.size(), "_%016llx",
                  static_cast<unsigned long long>(ir::fnv1a(text)));
    return digits.data();
  }

  void modules(const FileModel& model) {
    // There is one library with the modules of libsidl's types.
    const std::string names = model.name == "sidl" ? "" : suffix(model);
    fortran_file(model.name + ".f90", "Fortran binding", model.symbol, model.source,
                 [&](Printer& p) { fortran::emit_modules(p, model, names); });
    const std::string file = model.name + "_fortran.c";
    Printer printer;
    emit_banner(printer, {file, model.symbol, model.source, "what the Fortran binding has in C"});
    fortran::emit_modules_c(printer, model);
    result_.files.push_back({file, printer.take()});
  }

  template <typename Emit>
  void fortran_file(const std::string& file, const std::string& about, const std::string& symbol,
                    const std::string& source, Emit emit) {
    Printer printer(codegen::wrap_fortran);
    fortran::emit_banner(printer, {file, symbol, source, about});
    emit(printer);
    result_.files.push_back({file, printer.take()});
  }

  void implementation(const ObjectModel& model) {
    const std::string symbol = codegen::symbol_line(*model.type);
    const std::string source = index_.source_file(*model.type);
    const std::string file = model.symbol + "_Impl.f90";
    Printer printer(codegen::wrap_fortran);
    fortran::emit_banner(
        printer, {file, symbol, source, "implementation in Fortran", codegen::Editing::splicers});
    fortran::emit_impl(printer, model);
    codegen::add_impl_file(result_, request_, file, printer.take(), codegen::CommentStyle::fortran);
    fortran_file(model.symbol + "_Skel.f90", "from the IOR to the implementation in Fortran",
                 symbol, source, [&](Printer& p) { fortran::emit_skel(p, model); });
    Printer skel;
    emit_banner(skel, type_banner(index_, *model.type, model.symbol + "_Skel.c",
                                  "makes the Fortran implementation a class"));
    fortran::emit_skel_c(skel, model);
    result_.files.push_back({model.symbol + "_Skel.c", skel.take()});
  }

  const codegen::Request& request_;
  TypeIndex index_;
  codegen::Result result_;
};

class FortranBackend : public codegen::Backend {
 public:
  std::string_view language() const override { return "fortran"; }
  codegen::Result generate(const codegen::Request& request) const override {
    return Run(request).run();
  }
};

}  // namespace

std::unique_ptr<codegen::Backend> make_fortran_backend() {
  return std::make_unique<FortranBackend>();
}

}  // namespace shinar::backends
