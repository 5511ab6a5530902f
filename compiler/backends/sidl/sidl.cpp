#include "backends/sidl/sidl.hpp"

#include "backends/sidl/emit.hpp"
#include "backends/sidl/lower.hpp"

namespace shinar::backends {
namespace {

class SidlBackend : public codegen::Backend {
 public:
  std::string_view language() const override { return "sidl"; }

  codegen::Result generate(const codegen::Request& request) const override {
    const sidl::Spelling spelling(request.module);
    codegen::Result result;
    for (const ir::Package& package : request.module.packages()) {
      const bool is_outermost = package.name().find('.') == std::string::npos;
      if (package.external() || !is_outermost) continue;
      const sidl::FileModel file = sidl::lower(request.module, package.name());
      result.files.push_back({package.name() + ".sidl", sidl::emit(file, spelling)});
    }
    return result;
  }
};

}  // namespace

std::string sidl_text(const ir::Module& module) {
  return sidl::emit(sidl::lower(module), sidl::Spelling(module));
}

std::unique_ptr<codegen::Backend> make_sidl_backend() {
  return std::make_unique<SidlBackend>();
}

}  // namespace shinar::backends
