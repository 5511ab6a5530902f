// imports.cpp: modules that the core needs, or finds classes in.
#include "core.hpp"
#include "sidl_process.h"

namespace sidl_python {

loading::loading() {
  const released no_gil;  // which the forking thread may hold
  sidl_begin_loading();
}

loading::~loading() {
  sidl_end_loading();
}

py::module_ import_module(const char* name) {
  const auto known = py::reinterpret_steal<py::object>(PyImport_GetModule(py::str(name).ptr()));
  if (known) return py::module_::import(name);
  if (PyErr_Occurred()) throw py::error_already_set();
  const loading forks_wait;
  return py::module_::import(name);
}

py::handle imported::get() {
  if (!found_) {
    py::object made = import_module(module_).attr(name_);
    if (!found_) found_ = made.release().ptr();  // else another thread has set it
  }
  return found_;
}

}  // namespace sidl_python
