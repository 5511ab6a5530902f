// objects.cpp: instances of SIDL types in Python: a handle in one of two layouts.
#include "core.hpp"

#include <structmember.h>

#include "sidl_String.h"
#include "sidl_protocol.h"

namespace sidl_python {
namespace {

struct object_instance {
  instance head;
  PyObject* weak_references;
};

struct throwable_instance {
  PyBaseExceptionObject base;
  handle self;
};

PyTypeObject* object_type = nullptr;
PyTypeObject* throwable_type = nullptr;

void* identity(const void* ior) {
  return static_cast<const struct sidl_facet_object*>(ior)->d_object;
}

// The URL of a remote object: its identity among processes.
std::string url_of(void* ior) {
  const retained while_asked(ior);
  char* const url = without_lock([&](exception_slot ex) { return sidl_get_url(ior, ex); });
  const std::string result = url ? url : "";
  sidl_String_free(url);
  return result;
}

void clear(handle& self) {
  void* const ior = self.ior;
  self.ior = nullptr;
  if (self.calls > 0) {
    self.kept = ior ? ior : self.kept;
  } else if (ior) {
    drop(ior);
  }
}

void dealloc_object(PyObject* self) {
  auto* const instance = reinterpret_cast<object_instance*>(self);
  PyTypeObject* const python_type = Py_TYPE(self);
  if (instance->weak_references) PyObject_ClearWeakRefs(self);
  clear(instance->head.self);
  python_type->tp_free(self);
  Py_DECREF(python_type);
}

void dealloc_throwable(PyObject* self) {
  PyTypeObject* const python_type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);  // other threads run while the reference is dropped
  clear(reinterpret_cast<throwable_instance*>(self)->self);
  PyObject_GC_Track(self);
  reinterpret_cast<PyTypeObject*>(PyExc_Exception)->tp_dealloc(self);
  Py_DECREF(python_type);
}

// Implements constructors: creates an object of the class represented by the Python type.
void create(PyTypeObject* python_type, handle& self) {
  const struct sidl_type_info* const info = type_info_of(python_type);
  const bool creatable =
      info && info->kind == sidl_kind_class && !(info->flags & sidl_type_abstract);
  if (!creatable) {
    throw py::type_error(
        std::string(python_type->tp_name) +
        (info && info->kind == sidl_kind_class
             ? " is abstract: no objects of it can be created, but classes in Python can implement "
               "interfaces only; for a class there is sidlc --server=python"
             : " is an interface: no objects of it can be created"));
  }
  warn_of_overrides(python_type);
  void* const ior = without_lock([&](exception_slot ex) { return sidl_create(info, ex); });
  if (const struct sidl_type_info* const misfit = find_misfit(ior, info)) {
    refuse_version(ior, misfit);
  }
  self = {ior, info, 0, nullptr};
}

PyObject* new_object(PyTypeObject* python_type, PyObject* args, PyObject* names) {
  return guarded(
      [&]() -> PyObject* {
        require_levels();
        const bool no_arguments =
            PyTuple_GET_SIZE(args) == 0 && (!names || PyDict_Size(names) == 0);
        if (!no_arguments && python_type->tp_init == object_type->tp_init) {
          throw py::type_error(std::string(python_type->tp_name) + "() takes no arguments (" +
                               python_type->tp_name + ".create(url) creates one on a server)");
        }
        const auto instance =
            py::reinterpret_steal<py::object>(python_type->tp_alloc(python_type, 0));
        if (!instance) throw py::error_already_set();
        create(python_type, *handle_of(instance.ptr()));
        return py::object(instance).release().ptr();
      },
      nullptr);
}

int init_object(PyObject*, PyObject*, PyObject*) {
  return 0;
}

void set_note(void* ior, PyObject* args) {
  if (PyTuple_GET_SIZE(args) == 0 || PyTuple_GET_ITEM(args, 0) == Py_None) return;
  const auto text = py::reinterpret_steal<py::object>(PyObject_Str(PyTuple_GET_ITEM(args, 0)));
  if (!text) throw py::error_already_set();
  const std::string note = text_of_python(text);
  auto* const exception = static_cast<struct sidl_BaseException__object*>(
      sidl_cast_borrowed(ior, &sidl_BaseException__info));
  struct sidl_BaseInterface__object* ex = nullptr;
  exception->d_epv->f_setNote(exception->d_object, note.c_str(), &ex);
  check(ex);
}

PyObject* new_throwable(PyTypeObject* python_type, PyObject* args, PyObject* names) {
  return guarded(
      [&]() -> PyObject* {
        require_levels();
        const auto instance = py::reinterpret_steal<py::object>(
            reinterpret_cast<PyTypeObject*>(PyExc_Exception)->tp_new(python_type, args, names));
        if (!instance) throw py::error_already_set();
        handle& self = *handle_of(instance.ptr());
        create(python_type, self);
        set_note(self.ior, args);
        return py::object(instance).release().ptr();
      },
      nullptr);
}

PyObject* compare(PyObject* a, PyObject* b, int operation) {
  return guarded(
      [&]() -> PyObject* {
        const handle* const first = handle_of(a);
        const handle* const second = handle_of(b);
        if (!second || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
        bool same = a == b;
        if (!same && first->ior && second->ior) {
          same = identity(first->ior) == identity(second->ior);
          if (!same && sidl_is_remote(first->ior) && sidl_is_remote(second->ior)) {
            const std::string url = url_of(first->ior);
            same = url == url_of(second->ior);
            if (same && url.empty()) {  // of clients, which have none; nobody is asked
              struct sidl_BaseInterface__object* ex = nullptr;
              auto* const other = static_cast<struct sidl_BaseInterface__object*>(second->ior);
              same = sidl_proxy_isSame(first->ior, other, &ex) != 0;
              check(ex);
            }
          }
        }
        return PyBool_FromLong(same == (operation == Py_EQ));
      },
      nullptr);
}

Py_hash_t hash(PyObject* self) {
  return guarded(
      [&]() -> Py_hash_t {
        const handle* const mine = handle_of(self);
        if (!mine->ior) return 1;
        if (sidl_is_remote(mine->ior)) return py::hash(py::str(url_of(mine->ior)));
        return py::hash(py::int_(reinterpret_cast<uintptr_t>(identity(mine->ior))));
      },
      Py_hash_t{-1});
}

PyObject* repr(PyObject* self) {
  const handle* const mine = handle_of(self);
  return guarded(
      [&]() -> PyObject* {
        const py::handle python_type(reinterpret_cast<PyObject*>(Py_TYPE(self)));
        const py::str name = py::str("{}.{}").format(python_type.attr("__module__"),
                                                     python_type.attr("__qualname__"));
        if (!mine->ior) return PyUnicode_FromFormat("<%U (closed)>", name.ptr());
        if (!sidl_is_remote(mine->ior)) {
          return PyUnicode_FromFormat("<%U at %p>", name.ptr(), identity(mine->ior));
        }
        return PyUnicode_FromFormat("<%U at %s>", name.ptr(), url_of(mine->ior).c_str());
      },
      nullptr);
}

PyObject* enter(PyObject* self, PyObject*) {
  return new_reference(self);
}

PyObject* close(PyObject* self, PyObject*) {
  clear(*handle_of(self));
  Py_RETURN_NONE;
}

PyObject* get_trace(PyObject* self, void*) {
  return guarded(
      [&]() -> PyObject* {
        void* const ior = handle_of(self)->ior;
        auto* const exception = static_cast<struct sidl_BaseException__object*>(
            ior ? sidl_cast_borrowed(ior, &sidl_BaseException__info) : nullptr);
        if (!exception) return PyUnicode_FromString("");
        const retained while_asked(ior);
        char* const text = without_lock([&](exception_slot ex) {
          return exception->d_epv->f_getTrace(exception->d_object, ex);  // it may be remote
        });
        const py::object result = text_to_python(text ? text : "");
        sidl_String_free(text);
        return py::object(result).release().ptr();
      },
      nullptr);
}

// The current note: it may have changed since the exception was made.
PyObject* note(PyObject* self) {
  return guarded(
      [&]() -> PyObject* {
        void* const ior = handle_of(self)->ior;
        return text_to_python(ior ? note_of(ior).c_str() : "").release().ptr();
      },
      nullptr);
}

PyMethodDef object_methods[] = {
    {"__enter__", enter, METH_NOARGS, "The object itself: it is closed at the end of the block."},
    {"__exit__", close, METH_VARARGS, "Gives the reference to the object back."},
    {"close", close, METH_NOARGS,
     "close()\n--\n\nGives the reference to the object back, without waiting for Python to do so."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef object_members[] = {{"__weaklistoffset__", T_PYSSIZET,
                                 offsetof(object_instance, weak_references), READONLY, nullptr},
                                {nullptr, 0, 0, 0, nullptr}};

PyType_Slot object_slots[] = {
    {Py_tp_doc, const_cast<char*>("A SIDL object: a reference to it, counted.")},
    {Py_tp_new, reinterpret_cast<void*>(new_object)},
    {Py_tp_init, reinterpret_cast<void*>(init_object)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_object)},
    {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
    {Py_tp_hash, reinterpret_cast<void*>(hash)},
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_methods, object_methods},
    {Py_tp_members, object_members},
    {0, nullptr}};

PyType_Spec object_spec = {"shinar._core.Object", sizeof(object_instance), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, object_slots};

PyGetSetDef throwable_properties[] = {
    {"trace", get_trace, nullptr, "Where it came from and passed through, a line for each place.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot throwable_slots[] = {{Py_tp_doc, const_cast<char*>("A SIDL exception.")},
                                 {Py_tp_new, reinterpret_cast<void*>(new_throwable)},
                                 {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_throwable)},
                                 {Py_tp_str, reinterpret_cast<void*>(note)},
                                 {Py_tp_getset, throwable_properties},
                                 {0, nullptr}};

PyType_Spec throwable_spec = {"shinar._core.Throwable", sizeof(throwable_instance), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, throwable_slots};

// The type of the object itself, not of the view.
const struct sidl_type_info* real_type(const void* ior) {
  const auto* const object = static_cast<const struct sidl_object*>(identity(ior));
  return object->d_class->info;
}

// The Python class for an object, chosen by Python's tables, which may differ from those of the
// object's library.
struct seen {
  PyTypeObject* python = nullptr;
  const struct sidl_type_info* info = nullptr;
  void* view = nullptr;  // null: there is a Python class, but of another version than `info`
};

seen see_as(void* ior, const struct sidl_type_info* info) {
  seen result;
  result.python = instance_type(info);
  if (!result.python) return result;
  result.info = public_info(info);
  result.view = result.info == info ? ior : sidl_cast_borrowed(ior, result.info);
  if (const struct sidl_type_info* const misfit = find_misfit(ior, result.info)) {
    result.info = misfit;
    result.view = nullptr;
  }
  return result;
}

// The object's own class if a module has it, else the nearest parent that is of the expected type,
// else that type. Classes of an incompatible version, though of the same name, are skipped.
seen best_view(void* ior, const struct sidl_type_info* seen_as) {
  for (const struct sidl_type_info* each = real_type(ior); each && each != &sidl_BaseClass__info;
       each = each->parent) {
    if (each->id == seen_as->id) break;
    PyTypeObject* const found = instance_type(each);
    PyTypeObject* const wanted = public_type(seen_as);
    if (!found || (wanted && !PyType_IsSubtype(found, wanted))) continue;
    const struct sidl_type_info* const own = public_info(each);
    void* const view = sidl_cast_borrowed(ior, own);
    if (view && !find_misfit(ior, own)) return {view_type(found, own, seen_as), own, view};
  }
  return see_as(ior, seen_as);
}

PyObject* allocate(PyTypeObject* python_type) {
  if (!PyType_IsSubtype(python_type, throwable_type)) return python_type->tp_alloc(python_type, 0);
  const auto no_arguments = py::tuple(0);
  return reinterpret_cast<PyTypeObject*>(PyExc_Exception)
      ->tp_new(python_type, no_arguments.ptr(), nullptr);
}

// A SIDL object is of its SIDL class: Python may know only a type that it was seen as. Users
// familiar with C++ may pass an implementation instead of its object.
py::type_error wrong_type(PyObject* value, const struct sidl_type_info* type,
                          const std::string& what) {
  const bool is_implementation = PyObject_HasAttrString(value, "_sidl_object") != 0;
  const handle* const object = handle_of(value);
  const char* const found =
      object && object->ior ? real_type(object->ior)->name : Py_TYPE(value)->tp_name;
  return py::type_error(what + " must be " + type->name + ", not " + found +
                        (is_implementation ? ", which implements one: pass on its `this`" : ""));
}

}  // namespace

bool init_layouts(py::module_& module) {
  object_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&object_spec));
  if (!object_type) return false;
  const auto bases = py::make_tuple(py::handle(PyExc_Exception));
  throwable_type =
      reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&throwable_spec, bases.ptr()));
  if (!throwable_type) return false;
  module.attr("Object") = py::handle(reinterpret_cast<PyObject*>(object_type));
  module.attr("Throwable") = py::handle(reinterpret_cast<PyObject*>(throwable_type));
  return true;
}

PyTypeObject* object_layout() {
  return object_type;
}

PyTypeObject* throwable_layout() {
  return throwable_type;
}

void refuse_version(void* ior, const struct sidl_type_info* info) {
  struct sidl_BaseInterface__object* ex = nullptr;
  void* view = nullptr;
  {
    const released no_gil;
    view = sidl_cast(ior, info, &ex);
  }
  if (view) drop(view);
  drop(ior);
  check(ex);
  throw py::type_error(std::string("the object is not a ") + info->name);
}

py::object new_exception(const py::type& type, const py::tuple& args) {
  auto* const python_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  const struct sidl_type_info* const info = type_info_of(python_type);
  if (!info) throw py::type_error("no SIDL type");
  auto instance = py::reinterpret_steal<py::object>(
      reinterpret_cast<PyTypeObject*>(PyExc_Exception)->tp_new(python_type, args.ptr(), nullptr));
  if (!instance) throw py::error_already_set();
  void* const made =
      without_lock([&](exception_slot ex) { return sidl_exception_by_name(info->name, ex); });
  if (!made) throw py::type_error(std::string(info->name) + " has no implementation here");
  if (const struct sidl_type_info* const misfit = find_misfit(made, info)) {
    refuse_version(made, misfit);
  }
  *handle_of(instance.ptr()) = {sidl_cast_borrowed(made, info), info, 0, nullptr};
  return instance;
}

bool is_stand_in(const py::object& object) {
  return sidl_value_is_stand_in(borrowed(object.ptr(), "the object").ior()) != 0;
}

handle* handle_of(PyObject* self) {
  if (PyObject_TypeCheck(self, object_type)) {
    return &reinterpret_cast<instance*>(self)->self;
  }
  if (PyObject_TypeCheck(self, throwable_type)) {
    return &reinterpret_cast<throwable_instance*>(self)->self;
  }
  return nullptr;
}

void add_ref(void* ior) {
  auto* const object = static_cast<struct sidl_BaseInterface__object*>(ior);
  struct sidl_BaseInterface__object* ex = nullptr;
  object->d_epv->f_addRef(object->d_object, &ex);
}

void drop(void* ior) {
  auto* const object = static_cast<struct sidl_BaseInterface__object*>(ior);
  struct sidl_BaseInterface__object* ex = nullptr;
  const py::error_scope pending;  // a destructor in Python must not see or clear it
  const released no_gil;
  object->d_epv->f_deleteRef(object->d_object, &ex);
}

py::object wrap(void* ior, const struct sidl_type_info* seen_as) {
  if (!ior) return py::none();
  if (PyObject* const plain = plain_behind(ior)) {
    const auto result = py::reinterpret_borrow<py::object>(plain);
    drop(ior);
    return result;
  }
  seen best;
  try {
    best = best_view(ior, seen_as);
  } catch (...) {
    drop(ior);
    throw;
  }
  if (!best.python) {
    drop(ior);
    throw py::type_error(std::string("there is no Python class for ") + seen_as->name);
  }
  if (!best.view) refuse_version(ior, best.info);
  const auto instance = py::reinterpret_steal<py::object>(allocate(best.python));
  if (!instance) {
    drop(best.view);
    throw py::error_already_set();
  }
  *handle_of(instance.ptr()) = {best.view, best.info, 0, nullptr};
  return instance;
}

py::object wrap_borrowed(void* ior, const struct sidl_type_info* seen_as) {
  if (ior) add_ref(ior);
  return wrap(ior, seen_as);
}

borrowed::borrowed(PyObject* value, const std::string& what) : ior_(nullptr), owned_(false) {
  const handle* const object = handle_of(value);
  if (!object && !is_plain(value)) throw py::type_error(what + " is not a SIDL object");
  if (object && !object->ior) throw py::value_error(what + " is closed");
  ior_ = object ? object->ior : object_for_plain(value);
  owned_ = !object;
}

borrowed::~borrowed() {
  if (owned_) drop(ior_);
}

void* cast_for(PyObject* value, const struct sidl_type_info* type, const std::string& what,
               bool& owned) {
  const handle* const object = handle_of(value);
  owned = false;
  if (!object && is_plain(value)) {
    if (void* const view = sidl_cast_over(object_for_plain(value), type)) {
      owned = true;
      return view;
    }
  }
  if (!object) {
    throw wrong_type(value, type, what);
  }
  if (!object->ior) throw py::value_error(what + " is closed");
  if (void* const view = sidl_cast_borrowed(object->ior, type)) return view;
  struct sidl_BaseInterface__object* ex = nullptr;
  void* view = nullptr;
  if (sidl_is_remote(object->ior)) {
    const released no_gil;
    view = sidl_cast(object->ior, type, &ex);
  }
  check(ex);
  if (!view) throw wrong_type(value, type, what);
  owned = true;
  return view;
}

}  // namespace sidl_python
