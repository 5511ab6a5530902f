// arrays.cpp: NumPy arrays as SIDL arrays, and the reverse, over the same memory.
//
// A SIDL array over NumPy's memory owns a reference to the NumPy array; a NumPy array over SIDL's
// memory owns, by its base, a reference to the SIDL array. So either may be kept for any time.
// What cannot be shared (bools, strings, objects, other number types) is copied.
//
// An inout array is lent for the call (sidl_raw_array.h): what comes back in its place is written
// into the caller's memory, which those who have kept the array must not see.
//
// NumPy's indices begin with 0. An array whose bounds do not is a shinar.Array, which knows them.
//
// Arrays of structs are in struct_arrays.cpp.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "array_parts.hpp"
#include "core.hpp"
#include "device_arrays.hpp"
#include "sidl_String.h"
#include "sidl_memory_space.h"
#include "sidl_raw_array.h"

namespace sidl_python {

thread_local bool strict = false;

namespace {

typedef struct sidl__array sidl_array;

// How elements look in NumPy; those that are not shared are converted one by one.
struct element {
  const char* dtype;
  size_t size;
  bool is_shared;
};

// Of array types, and what is none.
constexpr int32_t kTypeCount = 1 + std::max({
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) array,
#include "sidl_kinds.def"
                                       int{sidl_interface_array}});

const element& element_of(int32_t type) {
  static constexpr auto elements = [] {
    std::array<element, kTypeCount> all{};
    for (element& each : all) each = {"f8", sizeof(double), false};
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) \
  all[array] = {numpy, sizeof(ctype), false};
#define SIDL_NUMBER(name, kind, array, ctype, Name, numpy) \
  all[array] = {numpy, sizeof(ctype), true};
#define SIDL_LOCAL(name, kind, array, ctype, Name, numpy) all[array] = {numpy, sizeof(ctype), true};
#include "sidl_kinds.def"
    all[sidl_interface_array] = {"O", sizeof(void*), false};
    return all;
  }();
  return elements[static_cast<size_t>(type)];
}

// NumPy's own number of a dtype never changes, and is faster to compare than names.
const py::dtype& dtype_of(int32_t type) {
  static const std::vector<py::dtype>* all;  // without a guard: see `imported`
  if (!all) {
    auto made = std::make_unique<std::vector<py::dtype>>();
    for (int32_t i = 0; i < kTypeCount; ++i) made->emplace_back(element_of(i).dtype);
    if (!all) all = made.release();
  }
  return (*all)[static_cast<size_t>(type)];
}

// True if the memory can be handed over as it is.
bool is_usable(py::handle object, int32_t type, int dimension) {
  if (!py::isinstance<py::array>(object)) return false;
  const auto array = py::reinterpret_borrow<py::array>(object);
  if (!has_usable_memory(array)) return false;
  if (dimension != 0 && array.ndim() != dimension) return false;
  const py::dtype given = array.dtype();
  if (given.is(dtype_of(type))) return true;  // NumPy has one descriptor for each plain number
  return given.num() == dtype_of(type).num() && given.byteorder() != '>' &&
         given.itemsize() == dtype_of(type).itemsize();
}

// What is not usable as it is becomes so in shinar._arrays, by a copy if need be.
py::array as_usable(py::handle object, int32_t type, int dimension, const place& where,
                    const std::string& wanted) {
  static imported convert("shinar._arrays", "convert");
  return convert(object, dtype_of(type), dimension, where.text(), wanted, strict).cast<py::array>();
}

sidl_array* shared(py::handle given, const py::array& array, int32_t type, const place& where) {
  const shape bounds = shape_of(given, array, element_of(type).size, where);
  sidl_array* const result =
      sidl__array_borrow_owned(type, memory_of(array), bounds.dimension, bounds.lower, bounds.upper,
                               bounds.stride, release_owner, array.ptr());
  if (!result) throw std::bad_alloc();
  Py_INCREF(array.ptr());
  return result;
}

sidl_array* make_dense(int32_t type, bool columns, const shape& bounds) {
  sidl_array* const made =
      sidl__array_create(type, columns ? sidl_column_major_order : sidl_row_major_order,
                         bounds.dimension, bounds.lower, bounds.upper);
  if (!made) throw std::bad_alloc();
  return made;
}

// The type of one element, for the functions that convert values.
struct sidl_type_ref element_type(const struct sidl_type_ref& array, int32_t type) {
  struct sidl_type_ref result = {};
  result.kind = static_cast<uint8_t>(sidl_element_kind_of(type));
  result.object = array.object ? array.object : &sidl_BaseInterface__info;
  return result;
}

// Element by element, in the order that the array has.
sidl_array* converted(py::handle given, const py::array& array, int32_t type,
                      const struct sidl_type_ref& ref, const place& where) {
  const shape bounds = shape_of(given, array, static_cast<size_t>(array.itemsize()), where);
  sidl_array* const result = make_dense(type, lies_in_columns(array), bounds);
  const struct sidl_type_ref item = element_type(ref, type);
  const size_t size = element_of(type).size;
  const std::string text = "an element of " + where.text();
  const place inside = {nullptr, nullptr, text.c_str()};
  try {
    if (sidl__array_element_count(result) == 0) return result;
    py::iterator next = py::iter(array.attr("flat"));
    for_each_element(result, size, [&](void* to, size_t) {
      value slot = {};
      load(*next, item, nullptr, &slot, false, inside);
      std::memcpy(to, &slot, size);
      ++next;
    });
  } catch (...) {
    sidl__array_deleteRef(result);
    throw;
  }
  return result;
}

// What a generic array is to hold: the elements say so.
int32_t guess_type(const py::array& array) {
  const int number = array.dtype().num();
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) \
  if (number == dtype_of(array).num()) return array;
#define SIDL_STRING(...)
#include "sidl_kinds.def"
  const char kind = array.dtype().kind();
  if (kind == 'U') return sidl_string_array;
  if (kind != 'O') return sidl_undefined_array;
  if (array.size() == 0) return sidl_string_array;
  for (const py::handle element : py::iter(array.attr("flat"))) {
    if (element.is_none()) continue;  // a null string, or a null reference
    return py::isinstance<py::str>(element) ? sidl_string_array : sidl_interface_array;
  }
  return sidl_interface_array;
}

// What is given as a generic array, as NumPy sees it.
py::array elements_of(py::handle object) {
  const py::array array = py::array::ensure(object);
  if (!array) throw py::error_already_set();
  return array;
}

int32_t given_type(py::handle object, const struct sidl_type_ref& type, const place& where) {
  if (type.element != sidl_kind_void) return sidl_array_type_of(type.element);
  const py::array array = elements_of(object);
  const int32_t guessed = guess_type(array);
  if (guessed == sidl_opaque_array) {  // who has numbers would not expect pointers
    throw py::type_error(where.text() +
                         ": SIDL has no arrays of unsigned numbers; pass array.astype('int64'), "
                         "or give addresses to an array<opaque>");
  }
  if (guessed == sidl_undefined_array && array.dtype().has_fields()) {
    throw py::type_error(where.text() +
                         ": which struct this is an array of can only be known if its dtype is "
                         "the `dtype` of the struct's class");
  }
  if (guessed == sidl_undefined_array) {
    throw py::type_error(where.text() + ": SIDL has no arrays of dtype " +
                         py::str(array.dtype()).cast<std::string>());
  }
  return guessed;
}

py::object numpy_copy(sidl_array* array, int32_t type, const struct sidl_type_ref& ref) {
  py::array result(dtype_of(type), lengths_of(array));
  const struct sidl_type_ref item = element_type(ref, type);
  void* const data = result.mutable_data();
  for_each_element(array, element_of(type).size, [&](void* from, size_t i) {
    if (type == sidl_bool_array) {
      static_cast<char*>(data)[i] = *static_cast<sidl_bool*>(from) != 0;
    } else {
      PyObject*& to = static_cast<PyObject**>(data)[i];
      Py_XDECREF(std::exchange(to, copy(item, nullptr, from).release().ptr()));
    }
  });
  const bool columns = lies_in_columns(array);
  return with_bounds(columns ? py::array(result.attr("copy")("F")) : result, array);
}

// An array of NumPy's whose memory can be handed over: `object` itself if that can be.
py::array usable_array(py::handle object, int32_t element_type, const struct sidl_type_ref& type,
                       const place& where) {
  if (is_usable(object, element_type, type.dimension)) {
    const auto array = py::reinterpret_borrow<py::array>(object);
    if (shape().read(array, element_of(element_type).size)) return array;
  }
  return as_usable(object, element_type, type.dimension, where, type_text(type, nullptr));
}

sidl_array* any_from_python(py::handle object, const struct sidl_type_ref& type,
                            const place& where) {
  if (const struct sidl_struct_info* const structure = struct_of_elements(object, type)) {
    return structs_from_python(object, structure, type, where);
  }
  const int32_t element_type = given_type(object, type, where);
  if (!element_of(element_type).is_shared) {
    const int dimension = type.dimension;  // 0: any
    const py::array array =
        as_usable(object, element_type, dimension, where, type_text(type, nullptr));
    return converted(object, array, element_type, type, where);
  }
  py::array array = usable_array(object, element_type, type, where);
  if (where.keeps_given) array = py::array(array.attr("copy")("K"));
  return shared(object, array, element_type, where);
}

// A mask would be lost without a word.
void check_unmasked(py::handle object, const place& where) {
  static imported masked("numpy.ma", "MaskedArray");
  if (Py_IS_TYPE(object.ptr(), py::detail::npy_api::get().PyArray_Type_)) return;  // most are
  if (!py::isinstance<py::array>(object) || !py::isinstance(object, masked.get())) return;
  throw py::type_error(where.text() +
                       " is a masked array, and arrays of SIDL have no masks: pass what its "
                       "filled() makes, or its data");
}

// The first element that is not a value of the enum; null if there is none.
const int64_t* find_no_enumerator(sidl_array* array, const struct sidl_enum_info& enumeration) {
  std::vector<int64_t> values;
  for (int32_t i = 0; i < enumeration.enumerator_count; ++i) {
    values.push_back(enumeration.enumerators[i].value);
  }
  std::sort(values.begin(), values.end());
  const int64_t* found = nullptr;
  for_each_element(array, sizeof(int64_t), [&](const void* element, size_t) {
    const auto* const number = static_cast<const int64_t*>(element);
    if (!found && !std::binary_search(values.begin(), values.end(), *number)) found = number;
  });
  return found;
}

void check_enumerators(sidl_array* array, const struct sidl_type_ref& type, const place& where) {
  if (type.element != sidl_kind_enum || (type.flags & sidl_ref_raw)) return;
  if (sidl__array_space(array)) return;  // nobody can look at them
  const int64_t* const wrong = find_no_enumerator(array, *type.enumeration);
  if (!wrong) return;
  throw py::value_error("an element of " + where.text() + ": " + std::to_string(*wrong) +
                        " is not a value of " + type.enumeration->name);
}

}  // namespace

py::object array_of_tensor(py::handle object, const struct sidl_type_ref& type, const place& where,
                           bool changes) {
  static imported seen("shinar._arrays", "of_tensor");
  const bool may_be = !py::isinstance<py::array>(object) && !PyList_Check(object.ptr()) &&
                      type.element != sidl_kind_struct;
  if (!may_be || !py::hasattr(object, "__dlpack__")) return {};
  if (is_elsewhere(object)) return changes ? device_array_of(object, type, where) : py::object();
  return seen(object, where.text(), type_text(type, nullptr));
}

struct sidl__array* array_from_python(py::handle object, const struct sidl_type_ref& type,
                                      const place& where) {
  if (object.is_none()) return nullptr;
  check_unmasked(object, where);
  if (is_elsewhere(object)) return array_elsewhere(object, type, where);
  const py::object tensor = array_of_tensor(object, type, where);
  sidl_array* const made = any_from_python(tensor ? py::handle(tensor) : object, type, where);
  try {
    check_enumerators(made, type, where);
  } catch (...) {
    sidl__array_deleteRef(made);
    throw;
  }
  return made;
}

lent_array lend_array(py::handle object, const struct sidl_type_ref& type,
                      const std::vector<py::object>& others, const place& where) {
  if (object.is_none()) return {};
  check_unmasked(object, where);
  if (is_elsewhere(object)) {
    return {nullptr, array_elsewhere(object, type, where, true),
            py::reinterpret_borrow<py::object>(object)};
  }
  if (const struct sidl_struct_info* const structure = struct_of_elements(object, type)) {
    return lend_structs(object, structure, type, others, where);
  }
  const int32_t element_type = given_type(object, type, where);
  if (!element_of(element_type).is_shared) return {};
  py::array array = apart_from(usable_array(object, element_type, type, where), others, where);
  const shape bounds = shape_of(object, array, element_of(element_type).size, where);
  sidl_array* const loan =
      sidl_loan_begin(static_cast<enum sidl_array_type>(element_type), memory_of(array),
                      bounds.dimension, bounds.lower, bounds.upper, bounds.stride);
  if (!loan) throw std::bad_alloc();
  try {
    check_enumerators(loan, type, where);
  } catch (...) {
    sidl_loan_end(loan);
    throw;
  }
  return {loan, nullptr, std::move(array)};
}

void check_changeable(py::handle given, const struct sidl_type_ref& type, const place& where) {
  if (given.is_none() || is_elsewhere(given)) return;  // lend_array sees whether it fits
  if (type.element == sidl_kind_struct) return check_structs_changeable(given, type, where);
  const bool known = type.element != sidl_kind_void;
  const int32_t element_type = known ? sidl_array_type_of(type.element) : sidl_undefined_array;
  if (known && is_usable(given, element_type, 0)) return;
  static imported changeable("shinar._arrays", "check_changeable");
  const py::object dtype = known ? py::object(dtype_of(element_type)) : py::object(py::none());
  changeable(given, dtype, where.text(), type_text(type, nullptr));
}

void write_back(py::handle given, const struct sidl_type_ref& type, size_t position,
                const py::list& results, const place& where) {
  static imported put("shinar._arrays", "write_back");
  if (!given || given.is_none()) return;
  if (is_elsewhere(given)) return write_elsewhere(given, type, position, results, where);
  if (type.element == sidl_kind_struct) {
    return write_structs_back(given, type, position, results, where);
  }
  put(given, position, results, type.element == sidl_kind_void, where.text());
}

namespace {

py::object without_bounds(const py::object& array) {
  static imported bare("numpy", "ndarray");
  const bool is_bare = Py_IS_TYPE(array.ptr(), py::detail::npy_api::get().PyArray_Type_);
  if (is_bare || !py::isinstance<py::array>(array)) return array;
  return array.attr("view")(bare.get());
}

}  // namespace

py::dtype dtype_of_elements(const struct sidl__array* array) {
  const struct sidl_struct_info* const structure = sidl__array_struct(array);
  return structure ? dtype_of_structs(structure) : dtype_of(sidl__array_type(array));
}

py::object array_to_python(struct sidl__array* array, const struct sidl_type_ref& type) {
  if (!array) return py::none();
  if (type.flags & sidl_ref_raw) {  // it begins at 0, whatever bounds the caller's array has
    struct sidl_type_ref bounded = type;
    bounded.flags &= static_cast<uint8_t>(~sidl_ref_raw);
    return without_bounds(array_to_python(array, bounded));
  }
  if (sidl__array_space(array)) return elsewhere_to_python(array);
  const int32_t element_type = sidl__array_type(array);
  if (element_type == sidl_struct_array) return structs_to_python(array);
  if (element_of(element_type).is_shared) return numpy_over(array, dtype_of(element_type));
  const py::object result = numpy_copy(array, element_type, type);
  sidl__array_deleteRef(array);
  return result;
}

}  // namespace sidl_python
