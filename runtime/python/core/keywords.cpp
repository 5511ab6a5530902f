#include "keywords.hpp"

#include <cmath>
#include <cstring>
#include <string>

#include "sidl_rmi_Deadline_IOR.h"

namespace sidl_python {

bool is_keyword(const struct sidl_method_info& method, PyObject* name, const char* word) {
  if (PyUnicode_CompareWithASCIIString(name, word) != 0) return false;
  for (int32_t i = 0; i < method.arg_count; ++i) {
    if (std::strcmp(method.args[i].name, word) == 0) return false;
  }
  return true;
}

std::string suggestion(const std::string& name, const py::list& known) {
  static imported close("difflib", "get_close_matches");
  const py::list found = close(name, known, 1);
  if (found.empty()) return "";
  return ": did you mean '" + found[0].cast<std::string>() + "'?";
}

keywords::keywords(const struct sidl_method_info& method, PyObject* const* args, Py_ssize_t count,
                   PyObject* names) {
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    PyObject* const name = PyTuple_GET_ITEM(names, i);
    if (is_keyword(method, name, "deadline")) {
      ++given_;
      if (args[count + i] != Py_None) set(args[count + i]);
    } else if (is_keyword(method, name, "strict")) {
      ++given_;
      const int truth = PyObject_IsTrue(args[count + i]);
      if (truth < 0) throw py::error_already_set();
      strict = truth != 0;
    }
  }
}

keywords::~keywords() {
  strict = was_strict_;
  if (!statics_) return;
  struct sidl_BaseInterface__object* ex = nullptr;
  statics_->f_setForThread(previous_, &ex);
  if (ex) drop(ex);
}

void keywords::set(PyObject* seconds) {
  const double milliseconds = PyFloat_AsDouble(seconds) * 1e3;
  if (PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
    const std::string given = Py_TYPE(seconds)->tp_name;
    py::raise_from(PyExc_TypeError,
                   ("the deadline must be a number of seconds, not " + given).c_str());
    throw py::error_already_set();
  }
  if (!(milliseconds > 0 && milliseconds < 1e15)) {
    throw py::value_error("the deadline must be a positive number of seconds");
  }
  const void* const epv =
      without_lock([](exception_slot ex) { return sidl_static_epv(&sidl_rmi_Deadline__info, ex); });
  struct sidl_BaseInterface__object* ex = nullptr;
  const auto* const statics = static_cast<const struct sidl_rmi_Deadline__sepv*>(epv);
  previous_ = statics->f_getForThread(&ex);
  check(ex);
  statics->f_setForThread(static_cast<int64_t>(std::ceil(milliseconds)), &ex);
  check(ex);
  statics_ = statics;
}

}  // namespace sidl_python
