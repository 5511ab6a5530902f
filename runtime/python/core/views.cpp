// views.cpp: classes of objects that are seen as one of several types with methods of one name.
//
// A class may rename methods of the same name that it inherits from several types: `read[Count]`
// from Counter.read and `read[Value]` from Gauge.read. In Python it has only one `read`, that of
// the first. An object that is seen as a Gauge is therefore of a class derived from its own, whose
// `read` is that of Gauge. Few classes do this, and all other objects are of their own class.
#include <unordered_map>
#include <vector>

#include "core.hpp"

namespace sidl_python {
namespace {

// The slot of a method in the EPV of a class or interface; -1: not known.
int slot_in(const struct sidl_type_info* info, const method& description) {
  const uint64_t declared_by = description.type->id;
  for (const struct sidl_type_info* each = info; each; each = each->parent) {
    if (each->id == declared_by) return description.index;
  }
  for (uint16_t i = 0; i < info->facet_count; ++i) {
    const struct sidl_facet& facet = info->facets[i];
    if (facet.type->id != declared_by) continue;
    return facet.type->layout == description.type->layout ? facet.slots[description.index] : -1;
  }
  return -1;
}

// True for the likes of `create` and `close`. What users add to a class are functions in Python.
bool is_built_in(PyObject* member) {
  return Py_IS_TYPE(member, &PyMethodDescr_Type) || Py_IS_TYPE(member, &PyClassMethodDescr_Type);
}

// True if objects of the type `info` have different methods behind the two, or a method behind the
// second only: a class may have renamed it, so that its own member of that name is built in.
bool differ(const struct sidl_type_info* info, PyObject* one, PyObject* other) {
  if (!one || !other || one == other) return false;
  const method* const first = method_behind(one);
  const method* const second = method_behind(other);
  if (!second || second->is_static) return false;
  const int wanted = slot_in(info, *second);
  if (!first) return is_built_in(one) && wanted >= 0;
  if (first->is_static) return true;
  const int slot = slot_in(info, *first);
  return slot >= 0 && wanted >= 0 && slot != wanted;
}

// The members of `wanted` that `own`, the class of objects of the type `info`, has otherwise.
py::dict hidden_members(PyTypeObject* own, const struct sidl_type_info* info,
                        PyTypeObject* wanted) {
  py::dict result;
  PyObject* const order = wanted->tp_mro;
  for (Py_ssize_t i = 0; order && i < PyTuple_GET_SIZE(order); ++i) {
    auto* const each = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(order, i));
    if (!generated_type_info(each)) continue;
    for (const auto& member : py::reinterpret_borrow<py::dict>(each->tp_dict)) {
      PyObject* const name = member.first.ptr();
      PyObject* const theirs = find_member(wanted, name);
      if (differ(info, find_member(own, name), theirs)) result[member.first] = py::handle(theirs);
    }
  }
  return result;
}

PyTypeObject* make_view(PyTypeObject* own, const struct sidl_type_info* info,
                        PyTypeObject* wanted) {
  const py::dict members = hidden_members(own, info, wanted);
  if (members.empty()) return own;
  const py::handle python(reinterpret_cast<PyObject*>(own));
  members["__slots__"] = py::tuple(0);
  members["__module__"] = python.attr("__module__");
  members["__doc__"] = python.attr("__doc__");
  members["_view_of"] = python;
  const py::handle type(reinterpret_cast<PyObject*>(&PyType_Type));
  py::object made = type(python.attr("__name__"), py::make_tuple(python), members);
  return reinterpret_cast<PyTypeObject*>(made.release().ptr());
}

struct view {
  uint64_t seen_as;
  PyTypeObject* python;
};

// By the classes of objects. Never destroyed, as the classes are not.
std::unordered_map<PyTypeObject*, std::vector<view>>& views() {
  static auto* const all = new std::unordered_map<PyTypeObject*, std::vector<view>>;
  return *all;
}

}  // namespace

PyTypeObject* view_type(PyTypeObject* own, const struct sidl_type_info* info,
                        const struct sidl_type_info* seen_as) {
  for (const view& each : views()[own]) {
    if (each.seen_as == seen_as->id) return each.python;
  }
  PyTypeObject* const wanted = public_type(seen_as);
  PyTypeObject* const made = wanted ? make_view(own, info, wanted) : own;
  if (made != own) define_view(made, info);
  if (wanted) views()[own].push_back({seen_as->id, made});
  return made;
}

}  // namespace sidl_python
