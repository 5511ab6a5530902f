#include "backends/c/c.hpp"

#include "backends/c/emit.hpp"
#include "backends/c/lower.hpp"
#include "codegen/type_files.hpp"

namespace shinar::backends {
namespace {

using codegen::Printer;
using codegen::TypeFiles;
using codegen::TypeIndex;

void add_object(TypeFiles& files, const codegen::Request& request, const c::ObjectModel& model) {
  const ir::Type& type = *model.type;
  files.add(type, ".h", "C binding", [&](Printer& p) { c::emit_object(p, model); });
  if (!request.implements(type)) return;
  files.add_impl(type, "_Impl.h", "implementation in C",
                 [&](Printer& p) { c::emit_impl_header(p, model); });
  files.add_impl(type, "_Impl.c", "implementation in C",
                 [&](Printer& p) { c::emit_impl_source(p, model); });
  files.add(type, "_Skel.c", "makes the C implementation a class",
            [&](Printer& p) { c::emit_skel(p, model); });
}

class CBackend : public codegen::Backend {
 public:
  std::string_view language() const override { return "c"; }
  codegen::Result generate(const codegen::Request& request) const override {
    const TypeIndex index(request.module);
    TypeFiles files(request, index, codegen::CommentStyle::c);
    for (const ir::Type* type : index.generated()) {
      if (type->has_object()) {
        add_object(files, request, c::lower_object(index, *type, request.hooks));
      } else if (type->has_structure()) {
        const c::StructModel model = c::lower_struct(index, *type);
        files.add(*type, ".h", "C binding", [&](Printer& p) { c::emit_struct(p, model); });
      } else {
        files.add(*type, ".h", "C binding", [&](Printer& p) { c::emit_enum(p, *type); });
      }
    }
    files.add_packages("_Stub.c", "the functions of the C binding as symbols", c::emit_stub);
    files.add_package_headers({".h", "C binding of a whole package", true});
    return files.take();
  }
};

}  // namespace

std::unique_ptr<codegen::Backend> make_c_backend() {
  return std::make_unique<CBackend>();
}

}  // namespace shinar::backends
