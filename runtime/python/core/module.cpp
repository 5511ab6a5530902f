// module.cpp: shinar._core, the extension module used by those of all packages.
#include <cstdlib>
#include <memory>

#include "core.hpp"
#include "device_arrays.hpp"
#include "sidl_process.h"

namespace sidl_python {
namespace {

const api table = {kVersion,    invoke,        send,         reenter,     raise,
                   define_type, define_struct, define_class, call_python, construct,
                   destruct,    drop,          pack_state,   unpack_state};

py::object object_at(uintptr_t address) {
  require_levels();
  if (address == 0) throw py::value_error("the object of this implementation has been destroyed");
  return wrap_borrowed(reinterpret_cast<void*>(address), &sidl_BaseClass__info);
}

void await_loading() {
  const released no_gil;
  sidl_await_loading();
}

/** The dynamic linker's message with an explanation. */
py::object explain_unloadable(const std::string& reason) {
  const std::unique_ptr<char, decltype(&std::free)> text(sidl_explain_unloadable(reason.c_str()),
                                                         &std::free);
  if (!text) throw std::bad_alloc();
  return py::reinterpret_steal<py::object>(PyUnicode_DecodeFSDefault(text.get()));
}

bool set_strict(bool value) {
  return std::exchange(strict, value);
}

}  // namespace
}  // namespace sidl_python

PYBIND11_MODULE(_core, module) {
  using namespace sidl_python;
  core = &table;  // the core uses its own interface, too
  module.doc() = "What the extension modules of SIDL packages are built on.";
  if (!init_layouts(module)) throw py::error_already_set();
  init_callbacks(module);
  init_protocols(module);
  init_interrupts();
  init_waits(module);
  init_device_arrays(module);
  module.def("object_at", object_at);
  module.def("new_exception", new_exception);
  module.def("is_stand_in", is_stand_in);
  module.def("set_strict", set_strict);
  module.def("await_loading", await_loading);
  module.def("explain_unloadable", explain_unloadable);
  module.def("receive", receive);
  module.def("call_super", invoke_super);
  module.def("layout_of_class", layout_of_class);
  module.def("implementation_of", implementation_of);
  module.attr("api") = py::capsule(static_cast<const void*>(&table), kApiCapsule);
}
