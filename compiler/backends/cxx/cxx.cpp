#include "backends/cxx/cxx.hpp"

#include <utility>

#include "backends/cxx/emit.hpp"
#include "backends/cxx/lower.hpp"
#include "codegen/type_files.hpp"

namespace shinar::backends {
namespace {

using codegen::Printer;
using codegen::TypeFiles;
using codegen::TypeIndex;

constexpr const char* kAbout = "C++ binding";

void add_object(TypeFiles& files, const codegen::Request& request, const cxx::ObjectModel& model) {
  const ir::Type& type = *model.type;
  files.add(type, ".hxx", kAbout, [&](Printer& p) { cxx::emit_object(p, model); });
  if (!request.implements(type)) return;
  files.add_impl(type, "_Impl.hxx", "implementation in C++",
                 [&](Printer& p) { cxx::emit_impl_header(p, model); });
  files.add_impl(type, "_Impl.cxx", "implementation in C++",
                 [&](Printer& p) { cxx::emit_impl_source(p, model); });
  files.add(type, "_Skel.cxx", "makes the C++ implementation a class",
            [&](Printer& p) { cxx::emit_skel(p, model); });
}

class CxxBackend : public codegen::Backend {
 public:
  std::string_view language() const override { return "cxx"; }
  codegen::Result generate(const codegen::Request& request) const override {
    const TypeIndex index(request.module);
    TypeFiles files(request, index, codegen::CommentStyle::cxx);
    for (const ir::Type* type : index.generated()) {
      if (type->has_object()) {
        add_object(files, request, cxx::lower_object(index, *type, request.hooks));
      } else if (type->has_structure()) {
        const cxx::StructModel model = cxx::lower_struct(index, *type);
        files.add(*type, ".hxx", kAbout, [&](Printer& p) { cxx::emit_struct(p, model); });
      } else {
        const cxx::EnumModel model = cxx::lower_enum(*type);
        files.add(*type, ".hxx", kAbout, [&](Printer& p) { cxx::emit_enum(p, model); });
      }
    }
    files.add_package_headers({".hxx", "C++ binding of a whole package"});
    codegen::Result result = files.take();
    for (codegen::Problem& problem : cxx::find_cxx_problems(index)) {
      result.problems.push_back(std::move(problem));
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<codegen::Backend> make_cxx_backend() {
  return std::make_unique<CxxBackend>();
}

}  // namespace shinar::backends
