#include "backends/ior/ior.hpp"

#include <algorithm>
#include <iterator>

#include "backends/ior/emit.hpp"
#include "backends/ior/lower.hpp"
#include "codegen/banner.hpp"
#include "codegen/hooks.hpp"
#include "codegen/unsupported.hpp"

namespace shinar::backends {
namespace {

using codegen::GeneratedFile;
using codegen::Printer;
using codegen::TypeIndex;

template <typename Model>
GeneratedFile make_file(const TypeIndex& index, const Model& model, const std::string& suffix,
                        const std::string& about, void (*emit)(Printer&, const Model&)) {
  Printer printer;
  const std::string file = model.symbol + suffix;
  emit_banner(printer, type_banner(index, *model.type, file, about));
  emit(printer, model);
  return {file, printer.take()};
}

class IorBackend : public codegen::Backend {
 public:
  std::string_view language() const override { return "ior"; }

  // Client and server need the same files: a type's tables serve callers and callee alike.
  codegen::Result generate(const codegen::Request& request) const override {
    const TypeIndex index(request.module);
    codegen::Result result;
    result.problems = codegen::find_unsupported(request.module);
    std::ranges::move(codegen::find_hook_clashes(request), std::back_inserter(result.problems));
    if (codegen::has_errors(result.problems)) return result;
    for (const ir::Type* type : index.generated()) {
      if (type->has_object()) {
        const ior::ObjectModel model = ior::lower_object(index, *type);
        result.files.push_back(
            make_file(index, model, "_IOR.h", "object layout", ior::emit_object_header));
        result.files.push_back(make_file(index, model, "_IOR.c",
                                         "reflection, remote stubs and dispatchers",
                                         ior::emit_object_source));
      } else if (type->has_structure()) {
        const ior::StructModel model = ior::lower_struct(*type);
        result.files.push_back(
            make_file(index, model, "_IOR.h", "struct layout", ior::emit_struct_header));
        result.files.push_back(
            make_file(index, model, "_IOR.c", "reflection", ior::emit_struct_source));
      } else {
        const ior::EnumModel model = ior::lower_enum(*type);
        result.files.push_back(
            make_file(index, model, "_IOR.h", "reflection", ior::emit_enum_header));
        result.files.push_back(
            make_file(index, model, "_IOR.c", "reflection", ior::emit_enum_source));
      }
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<codegen::Backend> make_ior_backend() {
  return std::make_unique<IorBackend>();
}

}  // namespace shinar::backends
