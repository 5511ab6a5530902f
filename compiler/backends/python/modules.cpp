// Packages that are called like modules of Python.
#include "backends/python/lower.hpp"
#include "codegen/plan.hpp"
#include "codegen/reserved_words.hpp"

namespace shinar::backends::python {

void find_modules(const codegen::TypeIndex& index, std::vector<codegen::Problem>& problems) {
  for (const codegen::PackagePlan& plan : codegen::plan_packages(index)) {
    const std::string& name = plan.package->name();
    if (codegen::is_reserved(codegen::Words::python_module, name)) {
      problems.push_back({Code::PythonModule, plan.package->span(),
                          "Python has a module '" + name + "' wherever it runs, so that 'import " +
                              name +
                              "' would not get the package: a package within another one can be "
                              "called so"});
    } else if (codegen::is_reserved(codegen::Words::python_library, name)) {
      problems.push_back({Code::PythonLibrary, plan.package->span(),
                          "'" + name + "' is also a module of Python's library: 'import " + name +
                              "' gets that one where it is built in, and elsewhere the package "
                              "hides it from what needs it"});
    }
  }
}

}  // namespace shinar::backends::python
