#include "backends/cxx/cxx.hpp"

#include "backends/cxx/emit.hpp"
#include "backends/cxx/lower.hpp"
#include "codegen/banner.hpp"
#include "codegen/impl_file.hpp"
#include "codegen/names.hpp"
#include "codegen/package_header.hpp"

namespace shinar::backends {
namespace {

using codegen::Banner;
using codegen::Printer;
using codegen::TypeIndex;

// Collects the files of one run.
class Run {
 public:
  explicit Run(const codegen::Request& request) : request_(request), index_(request.module) {}

  codegen::Result run() {
    for (const ir::Type* type : index_.generated()) {
      if (type->has_object()) {
        object(*type);
      } else if (type->has_structure()) {
        const cxx::StructModel model = cxx::lower_struct(index_, *type);
        add(banner(*type, ".hxx", kAbout), [&](Printer& p) { cxx::emit_struct(p, model); });
      } else {
        const cxx::EnumModel model = cxx::lower_enum(*type);
        add(banner(*type, ".hxx", kAbout), [&](Printer& p) { cxx::emit_enum(p, model); });
      }
    }
    const codegen::PackageHeaders headers{".hxx", "C++ binding of a whole package"};
    for (codegen::GeneratedFile& file : codegen::make_package_headers(index_, headers)) {
      result_.files.push_back(std::move(file));
    }
    return std::move(result_);
  }

 private:
  static constexpr const char* kAbout = "C++ binding";

  template <typename Emit>
  void add(const Banner& banner, Emit emit) {
    Printer printer;
    emit_banner(printer, banner);
    emit(printer);
    result_.files.push_back({banner.file, printer.take()});
  }

  // A file whose splicer blocks belong to the user.
  template <typename Emit>
  void add_impl(Banner banner, Emit emit) {
    banner.editing = codegen::Editing::splicers;
    Printer printer;
    emit_banner(printer, banner);
    emit(printer);
    codegen::add_impl_file(result_, request_, banner.file, printer.take(),
                           codegen::CommentStyle::cxx);
  }

  Banner banner(const ir::Type& type, const std::string& suffix, const std::string& about) const {
    return type_banner(index_, type, codegen::Namer::symbol(type.name()) + suffix, about);
  }

  void object(const ir::Type& type) {
    const cxx::ObjectModel model = cxx::lower_object(index_, type);
    add(banner(type, ".hxx", kAbout), [&](Printer& p) { cxx::emit_object(p, model); });
    if (!request_.implements(type)) return;
    add_impl(banner(type, "_Impl.hxx", "implementation in C++"),
             [&](Printer& p) { cxx::emit_impl_header(p, model); });
    add_impl(banner(type, "_Impl.cxx", "implementation in C++"),
             [&](Printer& p) { cxx::emit_impl_source(p, model); });
    add(banner(type, "_Skel.cxx", "makes the C++ implementation a class"),
        [&](Printer& p) { cxx::emit_skel(p, model); });
  }

  const codegen::Request& request_;
  TypeIndex index_;
  codegen::Result result_;
};

class CxxBackend : public codegen::Backend {
 public:
  std::string_view language() const override { return "cxx"; }
  codegen::Result generate(const codegen::Request& request) const override {
    return Run(request).run();
  }
};

}  // namespace

std::unique_ptr<codegen::Backend> make_cxx_backend() {
  return std::make_unique<CxxBackend>();
}

}  // namespace shinar::backends
