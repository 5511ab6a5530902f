// plain.cpp: objects of users' Python classes derived from SIDL interfaces.
//
// Such an object exists only in Python until it is passed somewhere as an interface. Then a SIDL
// object of a class made at run time (sidl_dynamic.h) represents it as long as that is referenced:
// it holds a reference to the Python object and calls its methods. When the SIDL object returns to
// Python, it is converted back to the Python object.
#include <memory>
#include <unordered_map>
#include <vector>

#include "core.hpp"
#include "sidl_dynamic.h"

namespace sidl_python {
namespace {

// Data of a SIDL object that represents a Python object.
struct plain {
  PyObject* python;  // a reference
  void* ior;         // the SIDL object itself
};

// The SIDL objects by the Python objects they represent. Guarded by the GIL.
std::unordered_map<PyObject*, void*>& standing() {
  static auto* const all = new std::unordered_map<PyObject*, void*>;
  return *all;
}

void call(void* data, void*, const struct sidl_method_info* method, void* const* args, void* result,
          exception_slot ex) {
  call_object(static_cast<const plain*>(data)->python, *method, args, result, ex);
}

void destroy(void* data) {
  const std::unique_ptr<plain> own(static_cast<plain*>(data));
  const entered python;
  if (!own || !python.open()) return;  // Python has ended, and its memory is gone
  const py::error_scope pending;
  const auto found = standing().find(own->python);
  // another one may have replaced one that is being destroyed
  if (found != standing().end() && found->second == own->ior) standing().erase(found);
  Py_DECREF(own->python);
}

const struct sidl_dynamic_functions functions = {call, destroy};

constexpr const char* kClassName = "_shinar_class";  // in the dict of a class: its SIDL class

// The generated types that a class derives from; all are interfaces if it is plain.
std::vector<std::pair<PyTypeObject*, const struct sidl_type_info*>> generated_bases(
    PyTypeObject* python_type) {
  std::vector<std::pair<PyTypeObject*, const struct sidl_type_info*>> result;
  PyObject* const order = python_type->tp_mro;
  for (Py_ssize_t i = 0; order && i < PyTuple_GET_SIZE(order); ++i) {
    auto* const each = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(order, i));
    if (const struct sidl_type_info* const info = generated_type_info(each)) {
      result.emplace_back(each, info);
    }
  }
  return result;
}

std::string name_of(PyTypeObject* python_type) {
  const py::handle type(reinterpret_cast<PyObject*>(python_type));
  return py::str("{}.{}")
      .format(type.attr("__module__"), type.attr("__qualname__"))
      .cast<std::string>();
}

PyObject* own_member(PyTypeObject* python_type, const char* name) {
  const py::handle members(python_type->tp_dict);
  return PyDict_GetItemString(members.ptr(), name);
}

// The class that defines a member of a class; null if none.
PyTypeObject* owner_of(PyTypeObject* python_type, const char* name) {
  PyObject* const order = python_type->tp_mro;
  for (Py_ssize_t i = 0; order && i < PyTuple_GET_SIZE(order); ++i) {
    auto* const each = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(order, i));
    if (each->tp_dict && own_member(each, name)) return each;
  }
  return nullptr;
}

// The methods missing in Python, for an error: "'report' of tour.Listener".
std::string missing_methods(PyTypeObject* python_type) {
  std::string result;
  for (const auto& [generated, info] : generated_bases(python_type)) {
    if (info->id == sidl_BaseInterface__info.id) continue;
    for (const method* each : methods_of(info)) {
      if (each->is_static) continue;
      if (owner_of(python_type, each->name) != generated) continue;
      if (!result.empty()) result += ", ";
      result += "'" + std::string(each->name) + "' of " + info->name;
    }
  }
  return result;
}

const struct sidl_class* make_class(PyTypeObject* python_type) {
  std::vector<const struct sidl_type_info*> interfaces;
  for (const auto& [generated, info] : generated_bases(python_type)) interfaces.push_back(info);
  // no SIDL type has a bracket in its name
  const std::string name = name_of(python_type) + " (Python)";
  return without_lock([&](exception_slot ex) {
    return sidl_dynamic_class(name.c_str(), interfaces.data(), interfaces.size(), &functions, ex);
  });
}

const struct sidl_class* class_of(PyTypeObject* python_type) {
  if (PyObject* const known = own_member(python_type, kClassName)) {
    return static_cast<const struct sidl_class*>(PyCapsule_GetPointer(known, kClassName));
  }
  const struct sidl_class* const made = make_class(python_type);
  const py::capsule kept(static_cast<const void*>(made), kClassName);
  py::setattr(reinterpret_cast<PyObject*>(python_type), kClassName, kept);
  return made;
}

}  // namespace

bool is_plain(PyObject* value) {
  PyTypeObject* const python_type = Py_TYPE(value);
  return !handle_of(value) && type_info_of(python_type) && !generated_type_info(python_type);
}

void* object_for_plain(PyObject* value) {
  const auto found = standing().find(value);
  if (found != standing().end() && sidl_dynamic_revive(found->second)) return found->second;
  auto own = std::make_unique<plain>();
  struct sidl_BaseInterface__object* ex = nullptr;
  void* const made = sidl_dynamic_create(class_of(Py_TYPE(value)), own.get(), &ex);
  check(ex);
  own->python = new_reference(value);
  own->ior = made;
  own.release();
  standing()[value] = made;
  return made;
}

PyObject* plain_behind(const void* ior) {
  const auto* const data = static_cast<const plain*>(sidl_dynamic_data(ior, &functions));
  return data ? data->python : nullptr;
}

void warn_of_overrides(PyTypeObject* python_type) {
  constexpr const char* kSeen = "_shinar_warned";  // in the dict of a class
  const py::handle type(reinterpret_cast<PyObject*>(python_type));
  if (generated_type_info(python_type) || own_member(python_type, kSeen)) return;
  py::setattr(type, kSeen, py::none());
  for (const auto& [generated, info] : generated_bases(python_type)) {
    for (const method* each : methods_of(info)) {
      PyTypeObject* const owner = owner_of(python_type, each->name);
      if (each->is_static || !owner || generated_type_info(owner)) continue;
      const std::string text =
          name_of(owner) + "." + each->name +
          " is seen by Python only: other languages continue to call that of " +
          type_info_of(python_type)->name +
          ". Derive the class from an interface instead, or implement it with "
          "sidlc --server=python";
      if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) < 0) throw py::error_already_set();
    }
  }
}

PyObject* new_plain(PyTypeObject* python_type, PyObject* args, PyObject* names) {
  return guarded([&]() -> py::object {
    const py::handle type(reinterpret_cast<PyObject*>(python_type));
    if (const struct sidl_type_info* const info = generated_type_info(python_type)) {
      throw py::type_error(
          name_of(python_type) +
          (info->kind == sidl_kind_class
               ? " is what all classes of SIDL derive from: create an object of one of these"
               : " is an interface: no objects of it can be created; derive a class from it that "
                 "has its methods"));
    }
    if (!own_member(python_type, kClassName)) {
      const std::string missing = missing_methods(python_type);
      if (!missing.empty()) {
        throw py::type_error("a " + name_of(python_type) + " cannot be created: its class lacks " +
                             missing);
      }
      class_of(python_type);
    }
    PyTypeObject* const root = public_type(&sidl_BaseInterface__info);
    const py::object next = import_module("builtins")
                                .attr("super")(py::handle(reinterpret_cast<PyObject*>(root)), type)
                                .attr("__new__");
    const py::object last =
        py::handle(reinterpret_cast<PyObject*>(&PyBaseObject_Type)).attr("__new__");
    if (next.is(last)) return next(type);  // it takes no arguments
    const py::tuple rest = py::reinterpret_borrow<py::tuple>(args)[py::slice(1, PY_SSIZE_T_MAX, 1)];
    const py::dict named = names ? py::reinterpret_borrow<py::dict>(names) : py::dict();
    return next(type, *rest, **named);
  });
}

}  // namespace sidl_python
