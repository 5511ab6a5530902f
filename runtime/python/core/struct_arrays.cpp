// struct_arrays.cpp: arrays of structs.
//
// Structs that own nothing are the elements of NumPy's structured arrays, over the same memory, as
// numbers are (arrays.cpp). Others are Python objects in NumPy's object arrays, and are copied.
#include <cstring>
#include <memory>
#include <unordered_map>
#include <utility>

#include "array_parts.hpp"
#include "sidl_raw_array.h"
#include "sidl_struct_array.h"

namespace sidl_python {
namespace {

// How a struct looks in NumPy.
struct layout {
  py::object python;  // a shinar._struct_arrays.Layout
  py::dtype dtype;    // of objects if the struct owns something
  bool is_plain;
  bool has_enums;
};

const layout& layout_of(const struct sidl_struct_info* info);

const char* format_of(const struct sidl_type_ref& type) {
  switch (type.kind) {
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  case number:                                              \
    return numpy;
#define SIDL_BOOL(name, number, array, ctype, Name, numpy) \
  case number:                                             \
    return "i4";
#include "sidl_kinds.def"
    case sidl_kind_enum:
      return "i8";
    default:
      return "O";
  }
}

py::object class_of_enum(const char* name) {
  PyObject* const found = name ? find_python_class(name) : nullptr;
  return found ? py::reinterpret_borrow<py::object>(found) : py::object(py::none());
}

py::object values_of(const struct sidl_enum_info& enumeration) {
  py::list values;
  for (int32_t i = 0; i < enumeration.enumerator_count; ++i) {
    values.append(enumeration.enumerators[i].value);
  }
  return py::tuple(values);
}

// Of an array that lies in the struct, in column order, which dtypes do not have: from the last
// dimension to the first.
py::tuple shape_of(const struct sidl_type_ref& type) {
  py::list lengths;
  if (type.kind == sidl_kind_inline) {
    for (int d = type.dimension; d > 0; --d) lengths.append(type.lengths[d - 1]);
  }
  return py::tuple(lengths);
}

// A shinar._struct_arrays.Member.
py::tuple describe(const struct sidl_member_info& member, const char* enumeration) {
  const struct sidl_type_ref& type = member.type;
  const bool is_enum = type.kind == sidl_kind_enum;
  struct sidl_type_ref one = type;
  if (type.kind == sidl_kind_inline) one.kind = type.element;
  return py::make_tuple(
      python_name(member.name), type_text(type, enumeration), format_of(one), shape_of(type),
      member.offset,
      type.kind == sidl_kind_struct ? layout_of(type.structure).python : py::object(py::none()),
      is_enum ? class_of_enum(enumeration) : py::object(py::none()),
      is_enum && type.enumeration ? values_of(*type.enumeration) : py::object(py::none()));
}

layout make_layout(const struct sidl_struct_info* info) {
  static imported make("shinar._struct_arrays", "make_layout");
  const structure* const known = find_structure(info);
  PyObject* const python_class = find_python_class(info->name);
  py::list members;
  for (int32_t i = 0; i < info->member_count; ++i) {
    members.append(describe(info->members[i], known && known->enums ? known->enums[i] : nullptr));
  }
  const bool is_plain = sidl_struct_is_plain(info);
  const py::object made =
      make(info->name, python_class ? py::handle(python_class) : py::handle(Py_None), info->size,
           is_plain, py::tuple(members), reinterpret_cast<uintptr_t>(info));
  return {made, made.attr("dtype").cast<py::dtype>(), is_plain,
          made.attr("has_enums").cast<bool>()};
}

// Never destroyed, as the structs' descriptions.
const layout& layout_of(const struct sidl_struct_info* info) {
  static auto* const all = new std::unordered_map<const struct sidl_struct_info*, layout>;
  const auto found = all->find(info);
  if (found != all->end()) return found->second;
  layout made = make_layout(info);  // which may import modules, and so come here
  return all->emplace(info, std::move(made)).first->second;
}

// True if the memory can be handed over as it is.
bool is_usable_as(py::handle object, const layout& elements, int dimension) {
  if (!elements.is_plain || !py::isinstance<py::array>(object)) return false;
  const auto array = py::reinterpret_borrow<py::array>(object);
  if (!array.dtype().is(elements.dtype) || !has_usable_memory(array)) return false;
  return (dimension == 0 || array.ndim() == dimension) &&
         shape().read(array, static_cast<size_t>(array.itemsize()));
}

struct sidl_type_ref type_of(const struct sidl_struct_info* structure) {
  struct sidl_type_ref result = {};
  result.kind = sidl_kind_struct;
  result.structure = structure;
  return result;
}

// "array<demo.Point,1>", also where a generic array is declared.
std::string wanted_text(const struct sidl_struct_info* structure,
                        const struct sidl_type_ref& type) {
  struct sidl_type_ref wanted = type;
  wanted.element = sidl_kind_struct;
  wanted.structure = structure;
  return type_text(wanted, nullptr);
}

// What is given as an array of exactly the layout, or of the struct's Python objects.
py::array accepted(py::handle given, const struct sidl_struct_info* structure,
                   const struct sidl_type_ref& type, const place& where) {
  static imported convert("shinar._struct_arrays", "convert");
  const layout& elements = layout_of(structure);
  if (is_usable_as(given, elements, type.dimension)) {
    return py::reinterpret_borrow<py::array>(given);
  }
  return convert(given, elements.python, static_cast<int>(type.dimension), where.text(),
                 wanted_text(structure, type), strict)
      .cast<py::array>();
}

// "argument 'a' of demo.Mesh.refine, element [1, 2]"
std::string element_text(struct sidl__array* array, size_t number, const place& where) {
  const int32_t dimension = sidlArrayDim(array);
  std::string indices;
  for (int32_t d = dimension - 1; d >= 0; --d) {
    const auto length = static_cast<size_t>(sidlLength(array, d));
    indices = std::to_string(number % length) + (indices.empty() ? "" : ", ") + indices;
    number /= length;
  }
  return where.text() + ", element [" + indices + "]";
}

// Loads objects into the elements, which are zero.
void load_elements(const py::array& objects, struct sidl__array* array,
                   const struct sidl_struct_info* structure, const place& where) {
  const struct sidl_type_ref type = type_of(structure);
  if (sidl__array_element_count(array) == 0) return;
  py::iterator next = py::iter(objects.attr("flat"));
  for_each_element(array, structure->size, [&](void* to, size_t number) {
    const std::string text = element_text(array, number, where);
    const place inside = {nullptr, nullptr, text.c_str(), where.keeps_given};
    load(*next, type, nullptr, to, false, inside);
    ++next;
  });
}

// A new array with the objects' values.
struct sidl__array* from_objects(py::handle given, const py::array& objects,
                                 const struct sidl_struct_info* structure, const place& where) {
  const shape bounds = shape_of(given, objects, static_cast<size_t>(objects.itemsize()), where);
  const auto order = lies_in_columns(objects) ? sidl_column_major_order : sidl_row_major_order;
  struct sidl__array* const result =
      sidl_struct__array_create(structure, order, bounds.dimension, bounds.lower, bounds.upper);
  if (!result) throw std::bad_alloc();
  try {
    if (sidl_struct_is_plain(structure)) {
      std::memset(sidl__array_first(result), 0,
                  sidl__array_element_count(result) * structure->size);
    }
    load_elements(objects, result, structure, where);
  } catch (...) {
    sidl__array_deleteRef(result);
    throw;
  }
  return result;
}

bool has_objects(const py::array& array) {
  return array.dtype().kind() == 'O';
}

// A structured array with memory that SIDL can use: that of `given`, if it can.
py::array plain_array(py::handle given, const struct sidl_struct_info* structure,
                      const struct sidl_type_ref& type, const place& where) {
  static imported check("shinar._struct_arrays", "check_enums");
  const layout& elements = layout_of(structure);
  const py::array array = accepted(given, structure, type, where);
  if (has_objects(array)) {
    return numpy_over(from_objects(py::none(), array, structure, where), elements.dtype);
  }
  if (elements.has_enums) check(array, elements.python, where.text());
  return array;
}

// The structs as Python objects, in an array of the same order.
py::object to_objects(struct sidl__array* array) {
  const struct sidl_struct_info* const structure = sidl__array_struct(array);
  const struct sidl_type_ref type = type_of(structure);
  const py::array result(py::dtype("O"), lengths_of(array));
  auto* const data = static_cast<PyObject**>(memory_of(result));
  for_each_element(array, structure->size, [&](void* from, size_t i) {
    Py_XDECREF(std::exchange(data[i], copy(type, nullptr, from).release().ptr()));
  });
  return with_bounds(lies_in_columns(array) ? py::array(result.attr("copy")("F")) : result, array);
}

}  // namespace

const struct sidl_struct_info* struct_of_elements(py::handle given,
                                                  const struct sidl_type_ref& type) {
  static imported find("shinar._struct_arrays", "find_layout");
  if (type.element == sidl_kind_struct) return type.structure;
  if (type.element != sidl_kind_void) return nullptr;
  if (py::isinstance<py::array>(given)) {
    const char kind = py::reinterpret_borrow<py::array>(given).dtype().kind();
    if (kind != 'V' && kind != 'O') return nullptr;
  }
  const py::object found = find(given);
  if (found.is_none()) return nullptr;
  return reinterpret_cast<const struct sidl_struct_info*>(found.attr("info").cast<uintptr_t>());
}

struct sidl__array* structs_from_python(py::handle object, const struct sidl_struct_info* structure,
                                        const struct sidl_type_ref& type, const place& where) {
  if (!layout_of(structure).is_plain) {
    const py::array objects = accepted(object, structure, type, where);
    return from_objects(object, objects, structure, where);
  }
  py::array array = plain_array(object, structure, type, where);
  if (where.keeps_given) array = py::array(array.attr("copy")("K"));
  const shape bounds = shape_of(object, array, structure->size, where);
  struct sidl__array* const result =
      sidl_struct__array_borrow_owned(structure, memory_of(array), bounds.dimension, bounds.lower,
                                      bounds.upper, bounds.stride, release_owner, array.ptr());
  if (!result) throw std::bad_alloc();
  Py_INCREF(array.ptr());
  return result;
}

lent_array lend_structs(py::handle object, const struct sidl_struct_info* structure,
                        const struct sidl_type_ref& type, const std::vector<py::object>& others,
                        const place& where) {
  if (!layout_of(structure).is_plain) return {};
  py::array array = apart_from(plain_array(object, structure, type, where), others, where);
  const shape bounds = shape_of(object, array, structure->size, where);
  struct sidl__array* const loan = sidl_struct_loan_begin(
      structure, memory_of(array), bounds.dimension, bounds.lower, bounds.upper, bounds.stride);
  if (!loan) throw std::bad_alloc();
  return {loan, nullptr, std::move(array)};
}

void check_structs_changeable(py::handle given, const struct sidl_type_ref& type,
                              const place& where) {
  static imported check("shinar._struct_arrays", "check_changeable");
  const layout& elements = layout_of(type.structure);
  if (is_usable_as(given, elements, 0)) return;
  check(given, elements.python, where.text(), type_text(type, nullptr));
}

void write_structs_back(py::handle given, const struct sidl_type_ref& type, size_t position,
                        const py::list& results, const place& where) {
  static imported put("shinar._struct_arrays", "write_back");
  put(given, layout_of(type.structure).python, position, results, where.text());
}

py::object structs_to_python(struct sidl__array* array) {
  std::unique_ptr<struct sidl__array, decltype(&sidl__array_deleteRef)> owned(
      array, &sidl__array_deleteRef);
  const layout& elements = layout_of(sidl__array_struct(array));
  return elements.is_plain ? numpy_over(owned.release(), elements.dtype) : to_objects(array);
}

py::dtype dtype_of_structs(const struct sidl_struct_info* structure) {
  return layout_of(structure).dtype;
}

// For the attribute `dtype` of a struct's class: its layout, or None for another class.
py::object layout_of_class(const py::object& python_class) {
  const struct sidl_struct_info* const info = struct_info_of(python_class.ptr());
  return info ? layout_of(info).python : py::object(py::none());
}

}  // namespace sidl_python
