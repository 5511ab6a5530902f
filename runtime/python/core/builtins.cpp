// builtins.cpp: built-in members of every type. Names with an underscore cannot be SIDL methods;
// others are overridden by a method of that name.
#include "core.hpp"
#include "sidl_String.h"
#include "sidl_io_Serializable_IOR.h"

namespace sidl_python {
namespace {

const struct sidl_type_info* required_info(PyObject* python_type) {
  const struct sidl_type_info* const info =
      type_info_of(reinterpret_cast<PyTypeObject*>(python_type));
  if (!info) throw py::type_error("no SIDL type");
  return info;
}

typedef void* (*maker)(const struct sidl_type_info*, const char*, exception_slot);

template <maker Make>
PyObject* from_url(PyObject* python_type, PyObject* url) {
  return guarded([&] {
    const struct sidl_type_info* const info = required_info(python_type);
    const char* const text = PyUnicode_AsUTF8(url);
    if (!text) throw py::error_already_set();
    return wrap(without_lock([&](exception_slot ex) { return Make(info, text, ex); }), info);
  });
}

// Who leaves the URL out thinks of C++, whose `_create` makes an object here.
PyObject* create(PyObject* python_type, PyObject* const* args, Py_ssize_t count) {
  if (count == 1) return from_url<sidl_create_remote>(python_type, args[0]);
  const char* const name = reinterpret_cast<PyTypeObject*>(python_type)->tp_name;
  PyErr_Format(
      PyExc_TypeError,
      "%s.create(url) creates an object on a server, and takes its URL alone (%zd arguments "
      "were given); %s() creates one here",
      name, count, name);
  return nullptr;
}

PyObject* cast(PyObject* python_type, PyObject* object) {
  return guarded([&]() -> py::object {
    if (object == Py_None) return py::none();
    const struct sidl_type_info* const info = required_info(python_type);
    const borrowed it(object, "the argument");
    return wrap(without_lock([&](exception_slot ex) { return sidl_cast(it.ior(), info, ex); }),
                info);
  });
}

// copy.copy and copy.deepcopy: objects that the object packs by value are copied with it.
PyObject* copied(PyObject* self, PyObject*) {
  return guarded([&] {
    const borrowed it(self, "what is copied");
    void* const made =
        without_lock([&](exception_slot ex) { return sidl_copy_object(it.ior(), ex); });
    return wrap(made, &sidl_BaseClass__info);
  });
}

// pickle: by value, too.
PyObject* reduced(PyObject* self, PyObject*) {
  static imported reduce("shinar._pickling", "reduce");
  return guarded([&] { return reduce(py::handle(self)); });
}

PyObject* get_url(PyObject* self, PyObject*) {
  return guarded([&] {
    const borrowed it(self, "self");
    char* const url = without_lock([&](exception_slot ex) { return sidl_get_url(it.ior(), ex); });
    const py::object result = py::str(url ? url : "");
    sidl_String_free(url);
    return result;
  });
}

PyObject* is_remote(PyObject* self, PyObject*) {
  return guarded([&] { return py::bool_(sidl_is_remote(borrowed(self, "self").ior()) != 0); });
}

PyObject* is_local(PyObject* self, PyObject*) {
  return guarded([&] { return py::bool_(sidl_is_remote(borrowed(self, "self").ior()) == 0); });
}

// The target of switching hooks and contracts: an object, or a class's static methods.
template <bool Static>
class target_of {
 public:
  explicit target_of(PyObject* self) : of_(self) {}
  auto get() const {
    if constexpr (Static) {
      return required_info(of_);
    } else {
      return of_.ior();
    }
  }

 private:
  struct held : borrowed {
    explicit held(PyObject* self) : borrowed(self, "self") {}
  };
  std::conditional_t<Static, PyObject*, held> of_;
};

template <bool Static, auto Set>
PyObject* set_hooks(PyObject* self, PyObject* args, PyObject* names) {
  static const char* const keywords[] = {"enable", nullptr};
  int enable = 0;
  return guarded([&]() -> py::object {
    if (!PyArg_ParseTupleAndKeywords(args, names, "p", const_cast<char**>(keywords), &enable)) {
      throw py::error_already_set();
    }
    const target_of<Static> target(self);
    without_lock([&](exception_slot ex) { Set(target.get(), enable, ex); });
    return py::none();
  });
}

template <bool Static, auto Set>
PyObject* set_contracts(PyObject* self, PyObject* args, PyObject* names) {
  static const char* const keywords[] = {"enable", "file", "reset", nullptr};
  int enable = 0;
  const char* file = "";
  int reset = 0;
  return guarded([&]() -> py::object {
    if (!PyArg_ParseTupleAndKeywords(args, names, "p|sp", const_cast<char**>(keywords), &enable,
                                     &file, &reset)) {
      throw py::error_already_set();
    }
    const target_of<Static> target(self);
    without_lock([&](exception_slot ex) { Set(target.get(), enable, file, reset, ex); });
    return py::none();
  });
}

template <bool Static, auto Dump>
PyObject* dump_stats(PyObject* self, PyObject* args, PyObject* names) {
  static const char* const keywords[] = {"filename", "prefix", nullptr};
  const char* filename = "";
  const char* prefix = "";
  return guarded([&]() -> py::object {
    if (!PyArg_ParseTupleAndKeywords(args, names, "|ss", const_cast<char**>(keywords), &filename,
                                     &prefix)) {
      throw py::error_already_set();
    }
    const target_of<Static> target(self);
    without_lock([&](exception_slot ex) { Dump(target.get(), filename, prefix, ex); });
    return py::none();
  });
}

PyObject* make_plain(PyObject*, PyObject* args, PyObject* names) {
  if (PyTuple_GET_SIZE(args) == 0 || !PyType_Check(PyTuple_GET_ITEM(args, 0))) {
    PyErr_SetString(PyExc_TypeError, "__new__ needs a class");
    return nullptr;
  }
  return new_plain(reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(args, 0)), args, names);
}

#define CONNECT_DOC "(url)\n--\n\nAttaches to the living object that the URL names."
#define CREATE_DOC "(url)\n--\n\nMakes an object of the class on the server that the URL names."

constexpr int kNamed = METH_VARARGS | METH_KEYWORDS;

PyMethodDef class_methods[] = {
    {"connect", from_url<sidl_connect>, METH_O, "connect" CONNECT_DOC},
    {"_connect", from_url<sidl_connect>, METH_O, "_connect" CONNECT_DOC},
    {"_cast", cast, METH_O, "_cast(object)\n--\n\nThe object as this type, or None."},
    {"_set_hooks_static", as_c_function(set_hooks<true, sidl_set_hooks_static>), kNamed,
     "Switches the hooks of the static methods."},
    {"_set_contracts_static", as_c_function(set_contracts<true, sidl_set_contracts_static>), kNamed,
     "Switches the contracts of the static methods."},
    {"_dump_stats_static", as_c_function(dump_stats<true, sidl_dump_stats_static>), kNamed,
     "Writes what was counted of the static methods."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef create_methods[] = {
    {"create", as_c_function(create), METH_FASTCALL, "create" CREATE_DOC},
    {"_create", as_c_function(create), METH_FASTCALL, "_create" CREATE_DOC},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef pickling_methods[] = {
    {"__reduce__", reduced, METH_NOARGS, "The state that the object packs, for pickle."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef serializable_methods[] = {
    {"__copy__", copied, METH_NOARGS, "A new object with the state that the object packs."},
    {"__deepcopy__", copied, METH_O, "A new object with the state that the object packs."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef methods[] = {
    {"_getURL", get_url, METH_NOARGS, "The URL by which the object can be reached."},
    {"_isRemote", is_remote, METH_NOARGS, "True if the object is in another process."},
    {"_isLocal", is_local, METH_NOARGS, "True if the object is in this process."},
    {"_set_hooks", as_c_function(set_hooks<false, sidl_set_hooks>), kNamed,
     "Switches the object's hooks."},
    {"_set_contracts", as_c_function(set_contracts<false, sidl_set_contracts>), kNamed,
     "Switches the object's contracts."},
    {"_dump_stats", as_c_function(dump_stats<false, sidl_dump_stats>), kNamed,
     "Writes what was counted of the object."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef plain_def = {"__new__", as_c_function(make_plain), kNamed, nullptr};

template <class Make>
void add(py::dict& members, PyMethodDef* list, const Make& make) {
  for (; list->ml_name; ++list) {
    members[list->ml_name] = py::reinterpret_steal<py::object>(make(&PyBaseObject_Type, list));
  }
}

}  // namespace

void add_built_in(py::dict& members, const struct sidl_type_info* info) {
  if (info->id == sidl_BaseInterface__info.id) {
    add(members, class_methods, PyDescr_NewClassMethod);
    add(members, methods, PyDescr_NewMethod);
    const auto make = py::reinterpret_steal<py::object>(PyCFunction_New(&plain_def, nullptr));
    members["__new__"] = py::reinterpret_steal<py::object>(PyStaticMethod_New(make.ptr()));
  } else if (info->id == sidl_BaseClass__info.id) {
    add(members, create_methods, PyDescr_NewClassMethod);
  } else if (info->id == sidl_io_Serializable__info.id) {
    add(members, serializable_methods, PyDescr_NewMethod);
  }
  // in the class itself, as Python's exceptions have one, too
  if (info->kind == sidl_kind_class && has_facet(info, sidl_io_Serializable__info)) {
    add(members, pickling_methods, PyDescr_NewMethod);
  }
}

}  // namespace sidl_python
