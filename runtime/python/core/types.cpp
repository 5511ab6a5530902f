// types.cpp: the registry of types defined by generated modules.
#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "core.hpp"

namespace sidl_python {
namespace {

struct defined_type {
  const type* description = nullptr;
  PyTypeObject* python = nullptr;    // the public class
  PyTypeObject* instance = nullptr;  // the class of instances: differs for an interface
  std::vector<const struct sidl_type_info*> strangers;  // see find_misfit()
};

// Never destroyed: objects may outlive the end of this library's statics.
struct registry {
  std::unordered_map<uint64_t, defined_type> types;  // by sidl_type_info.id
  std::unordered_map<PyTypeObject*, const struct sidl_type_info*> infos;
  std::unordered_map<const struct sidl_struct_info*, const structure*> structures;
  std::unordered_map<const struct sidl_method_info*, const method*> methods;  // see described()
  std::unordered_map<PyObject*, const method*> members;                       // see method_behind()
  std::unordered_map<std::string, PyObject*> classes;  // enums and dataclasses
  std::deque<PyMethodDef> functions;                   // Python keeps pointers to them
  std::deque<std::string> names;                       // of some of the functions
};

registry& known() {
  static registry* const all = new registry;
  return *all;
}

const defined_type* find_defined(const struct sidl_type_info* info) {
  const auto found = known().types.find(info->id);
  return found == known().types.end() ? nullptr : &found->second;
}

py::tuple bases_of(const type& description) {
  py::list bases;
  bool has_layout = description.info->kind == sidl_kind_interface ||
                    description.info->id == sidl_BaseClass__info.id;
  for (const char* const* name = description.bases; *name; ++name) {
    PyObject* const base = find_python_class(*name);
    if (!base) throw py::import_error(std::string("there is no Python class for ") + *name);
    bases.append(py::handle(base));
    auto* const python_type = reinterpret_cast<PyTypeObject*>(base);
    has_layout = has_layout || PyType_IsSubtype(python_type, object_layout()) ||
                 PyType_IsSubtype(python_type, throwable_layout());
  }
  // Exceptions can also be caught by their interfaces.
  has_layout = has_layout && description.info->id != sidl_BaseException__info.id;
  if (!has_layout) {
    PyTypeObject* const layout = description.is_exception ? throwable_layout() : object_layout();
    bases.insert(0, py::handle(reinterpret_cast<PyObject*>(layout)));
  }
  return py::tuple(bases);
}

PyTypeObject* make_type(const char* name, const py::tuple& bases, const py::dict& members) {
  PyObject* const made = PyObject_CallFunction(reinterpret_cast<PyObject*>(&PyType_Type), "sOO",
                                               name, bases.ptr(), members.ptr());
  if (!made) throw py::error_already_set();
  return reinterpret_cast<PyTypeObject*>(made);
}

py::dict members_of(const char* module, const char* doc) {
  py::dict members;
  members["__slots__"] = py::tuple(0);
  members["__module__"] = module;
  members["__doc__"] = doc;
  return members;
}

constexpr int kFlags = METH_FASTCALL | METH_KEYWORDS;

void add_function(PyTypeObject* python_type, const method& entry, const PyMethodDef& function) {
  known().functions.push_back(function);
  PyMethodDef* const definition = &known().functions.back();
  py::object made;
  if (entry.is_static) {
    const auto plain = py::reinterpret_steal<py::object>(PyCFunction_New(definition, nullptr));
    made = py::reinterpret_steal<py::object>(PyStaticMethod_New(plain.ptr()));
  } else {
    made = py::reinterpret_steal<py::object>(PyDescr_NewMethod(python_type, definition));
  }
  py::setattr(reinterpret_cast<PyObject*>(python_type), definition->ml_name, made);
  known().members[made.release().ptr()] = &entry;
}

void add_methods(PyTypeObject* python_type, const type& description) {
  for (const function* each = description.methods; each->description; ++each) {
    method& entry = *each->description;
    resolve(entry, description.info);
    entry.has_plain_self =
        description.info->kind == sidl_kind_class && PyType_IsSubtype(python_type, object_layout());
    add_function(python_type, entry, {entry.name, as_c_function(each->entry), kFlags, entry.doc});
    if (!each->send) continue;
    known().names.push_back(std::string(entry.name) + "_send");
    add_function(python_type, entry,
                 {known().names.back().c_str(), as_c_function(each->send), kFlags,
                  "Begins the call; what it returns is a shinar.Pending."});
  }
}

// The ancestors whose Python modules were generated from other files than this one.
std::vector<const struct sidl_type_info*> strangers_among_ancestors(
    const struct sidl_type_info* info) {
  std::vector<const struct sidl_type_info*> result;
  for (const struct sidl_type_info* each = info->parent; each; each = each->parent) {
    const struct sidl_type_info* const pythons = public_info(each);
    if (pythons && pythons->layout != each->layout) result.push_back(pythons);
  }
  return result;
}

void define(PyObject* module, const type& description) {
  py::dict members = members_of(description.module, description.doc);
  add_built_in(members, description.info);
  PyTypeObject* const made = make_type(description.name, bases_of(description), members);
  add_methods(made, description);
  known().types[description.info->id] = {&description, made, nullptr,
                                         strangers_among_ancestors(description.info)};
  known().infos[made] = description.info;
  PyObject* const python = reinterpret_cast<PyObject*>(made);
  known().classes[description.info->name] = python;
  py::setattr(module, python_name(description.info->name).c_str(), python);
}

// The methods of a type that have the names of built-in ones of the layout.
void add_methods_over_layout(py::dict& members, PyTypeObject* python_type) {
  for (const auto& built_in : py::reinterpret_borrow<py::dict>(object_layout()->tp_dict)) {
    PyObject* const own = find_member(python_type, built_in.first.ptr());
    if (own && method_behind(own)) members[built_in.first] = py::handle(own);
  }
}

// The type of objects of which only an interface is known.
PyTypeObject* make_instance_type(const defined_type& of) {
  const type& description = *of.description;
  const py::tuple bases = py::make_tuple(py::handle(reinterpret_cast<PyObject*>(object_layout())),
                                         py::handle(reinterpret_cast<PyObject*>(of.python)));
  py::dict members = members_of(description.module, description.doc);
  add_methods_over_layout(members, of.python);
  return make_type(description.name, bases, members);
}

py::object import_class(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return py::none();
  const py::object module = import_module(name.substr(0, dot).c_str());
  return module.attr(python_name(name.substr(dot + 1).c_str()).c_str());
}

}  // namespace

bool is_renamed(const char* name) {
  // Python's keywords that SIDL allows as names.
  static constexpr std::string_view keywords[] = {"False", "None",  "True",
                                                  "async", "await", "nonlocal"};
  if (!std::strchr("FNTan", name[0])) return false;
  const std::string_view whole(name);
  const std::string_view stem = whole.substr(0, whole.find_last_not_of('_') + 1);
  return std::find(std::begin(keywords), std::end(keywords), stem) != std::end(keywords);
}

std::string python_name(const char* name) {
  std::string result(name);
  for (char& c : result) {
    if (c == '.') c = '_';
  }
  return is_renamed(result.c_str()) ? result + "_" : result;
}

void resolve(method& description, const struct sidl_type_info* info) {
  description.type = info;
  description.info =
      description.is_static ? &info->statics[description.index] : info->slots[description.index];
  if (!description.interned) description.interned = PyUnicode_InternFromString(description.name);
  if (!description.interned) throw py::error_already_set();
}

bool define_type(PyObject* module, const type& description) {
  return guarded(
      [&] {
        define(module, description);
        return true;
      },
      false);
}

bool define_struct(const structure& description) {
  return guarded(
      [&] {
        known().structures[description.info] = &description;
        return true;
      },
      false);
}

const struct sidl_type_info* type_info_of(PyTypeObject* python_type) {
  if (!python_type) return nullptr;
  PyObject* const order = python_type->tp_mro;
  for (Py_ssize_t i = 0; order && i < PyTuple_GET_SIZE(order); ++i) {
    const auto found =
        known().infos.find(reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(order, i)));
    if (found != known().infos.end()) return found->second;
  }
  return nullptr;
}

const struct sidl_type_info* generated_type_info(PyTypeObject* python_type) {
  const auto found = known().infos.find(python_type);
  return found == known().infos.end() ? nullptr : found->second;
}

std::vector<const method*> methods_of(const struct sidl_type_info* info) {
  std::vector<const method*> result;
  const defined_type* const defined = find_defined(info);
  if (!defined) return result;
  for (const function* each = defined->description->methods; each->description; ++each) {
    result.push_back(each->description);
  }
  return result;
}

const method* described(const struct sidl_method_info& info) {
  const method*& found = known().methods[&info];
  if (found) return found;
  for (const method* each : methods_of(info.type)) {
    const bool same = !each->is_static && each->info->digest == info.digest &&
                      std::strcmp(each->info->name, info.name) == 0;
    if (same) found = each;
  }
  return found;
}

PyObject* find_member(PyTypeObject* python_type, PyObject* name) {
  PyObject* const order = python_type->tp_mro;
  for (Py_ssize_t i = 0; order && i < PyTuple_GET_SIZE(order); ++i) {
    PyObject* const members = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(order, i))->tp_dict;
    PyObject* const found = members ? PyDict_GetItemWithError(members, name) : nullptr;
    if (found) return found;
    if (PyErr_Occurred()) throw py::error_already_set();
  }
  return nullptr;
}

const method* method_behind(PyObject* member) {
  const auto found = known().members.find(member);
  return found == known().members.end() ? nullptr : found->second;
}

void define_view(PyTypeObject* python_type, const struct sidl_type_info* info) {
  known().infos[python_type] = info;
}

PyTypeObject* public_type(const struct sidl_type_info* info) {
  const defined_type* const found = find_defined(info);
  return found ? found->python : nullptr;
}

const struct sidl_type_info* public_info(const struct sidl_type_info* info) {
  const defined_type* const found = find_defined(info);
  return found ? found->description->info : nullptr;
}

const struct sidl_type_info* find_misfit(void* ior, const struct sidl_type_info* own) {
  const defined_type* const found = find_defined(own);
  if (!found) return nullptr;
  for (const struct sidl_type_info* each : found->strangers) {
    if (!sidl_cast_borrowed(ior, each)) return each;
  }
  return nullptr;
}

PyTypeObject* instance_type(const struct sidl_type_info* info) {
  auto found = known().types.find(info->id);
  if (found == known().types.end()) {
    if (!find_python_class(info->name)) return nullptr;
    found = known().types.find(info->id);
    if (found == known().types.end()) return nullptr;
  }
  defined_type& defined = found->second;
  if (!defined.instance) {
    const bool has_layout = PyType_IsSubtype(defined.python, object_layout()) ||
                            PyType_IsSubtype(defined.python, throwable_layout());
    defined.instance = has_layout ? defined.python : make_instance_type(defined);
  }
  return defined.instance;
}

PyObject* find_python_class(const std::string& name) {
  auto& classes = known().classes;
  const auto found = classes.find(name);
  if (found != classes.end()) return found->second;
  PyObject* imported = nullptr;
  try {
    imported = import_class(name).release().ptr();
  } catch (py::error_already_set& error) {
    // No module of this name, or an older one: the caller reports it. The next call may find it if
    // only the stack was too deep.
    if (error.matches(PyExc_RecursionError)) return nullptr;
  }
  const auto now = classes.find(name);  // importing the module may have defined it
  if (now != classes.end()) return now->second;
  classes[name] = imported;
  return imported;
}

const structure* find_structure(const struct sidl_struct_info* info) {
  const auto found = known().structures.find(info);
  if (found != known().structures.end()) return found->second;
  for (const auto& [other, description] : known().structures) {
    if (std::string(other->name) == info->name) return description;
  }
  return nullptr;
}

const struct sidl_struct_info* struct_info_of(PyObject* python_class) {
  if (!PyType_Check(python_class)) return nullptr;
  const std::string name = py::handle(python_class).attr("__name__").cast<std::string>();
  std::vector<const struct sidl_struct_info*> namesakes;  // to look for classes may import more
  for (const auto& [info, description] : known().structures) {
    const char* const dot = std::strrchr(info->name, '.');
    if (name == python_name(dot ? dot + 1 : info->name)) namesakes.push_back(info);
  }
  for (const struct sidl_struct_info* each : namesakes) {
    if (find_python_class(each->name) == python_class) return each;
  }
  return nullptr;
}

const struct sidl_type_info* find_type(const std::string& name) {
  for (const auto& [id, defined] : known().types) {
    if (name == defined.description->info->name) return defined.description->info;
  }
  return nullptr;
}

const method* find_method(const struct sidl_type_info* info, const char* name) {
  for (; info; info = info->parent) {
    const defined_type* const defined = find_defined(info);
    if (!defined) continue;
    for (const function* each = defined->description->methods; each->description; ++each) {
      if (!each->description->is_static && std::string(each->description->name) == name) {
        return each->description;
      }
    }
  }
  return nullptr;
}

}  // namespace sidl_python
