// values.cpp: conversion of single values between Python and the IOR.
#include <cfloat>
#include <cmath>
#include <cstring>
#include <utility>

#include "core.hpp"
#include "device_arrays.hpp"
#include "sidl_String.h"
#include "sidl_raw_array.h"

namespace sidl_python {
namespace {

// An error that is set already becomes the cause.
[[noreturn]] void wrong_type(const place& where, const struct sidl_type_ref& type,
                             const char* enumeration, py::handle object) {
  const std::string text = where.text() + " must be " + type_text(type, enumeration) + ", not " +
                           Py_TYPE(object.ptr())->tp_name;
  if (!PyErr_Occurred()) throw py::type_error(text);
  py::raise_from(PyExc_TypeError, text.c_str());
  throw py::error_already_set();
}

// What converting an object has raised: array types have the methods of numbers whatever they
// hold, and then raise a TypeError that says nothing of the call. Other errors are the object's
// own.
[[noreturn]] void not_converted(const place& where, const struct sidl_type_ref& type,
                                const char* enumeration, py::handle object) {
  if (PyErr_ExceptionMatches(PyExc_TypeError)) wrong_type(where, type, enumeration, object);
  throw py::error_already_set();
}

[[noreturn]] void overflow(const place& where, const struct sidl_type_ref& type,
                           py::handle object) {
  PyErr_Format(PyExc_OverflowError, "%s: %R is too large for %s", where.text().c_str(),
               object.ptr(), sidl_kind_name(type.kind));
  throw py::error_already_set();
}

int64_t load_integer(py::handle object, const struct sidl_type_ref& type, const char* enumeration,
                     const place& where, int64_t low, int64_t high) {
  py::object index = py::reinterpret_borrow<py::object>(object);
  if (!PyLong_Check(object.ptr())) {
    if (!PyIndex_Check(object.ptr())) wrong_type(where, type, enumeration, object);
    index = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    if (!index) not_converted(where, type, enumeration, object);
  }
  int too_large = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &too_large);
  if (too_large != 0 || number < low || number > high) overflow(where, type, object);
  return number;
}

int64_t load_enum(py::handle object, const struct sidl_type_ref& type, const char* enumeration,
                  const place& where) {
  const int64_t number = load_integer(object, type, enumeration, where, INT64_MIN, INT64_MAX);
  PyObject* const python = enumeration ? find_python_class(enumeration) : nullptr;
  if (!python || is_instance(object, python)) return number;
  const py::int_ plain(number);
  if (!py::reinterpret_steal<py::object>(PyObject_CallOneArg(python, plain.ptr()))) {
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) throw py::error_already_set();
    PyErr_Clear();
    throw py::value_error(where.text() + ": " + std::to_string(number) + " is not a value of " +
                          enumeration);
  }
  return number;
}

// What NumPy makes a float of all the same: a complex number, which would lose its imaginary part
// with only a warning, and an array that holds one text, which would be read.
bool is_no_real(py::handle object) {
  const auto dtype =
      py::reinterpret_steal<py::object>(PyObject_GetAttrString(object.ptr(), "dtype"));
  if (!dtype) PyErr_Clear();
  return PyComplex_Check(object.ptr()) ||
         (py::isinstance<py::dtype>(dtype) && std::strchr("cSU", py::dtype(dtype).kind()));
}

// Converts an integer to a type that may lack the precision for it.
double load_whole(const py::int_& whole, const struct sidl_type_ref& type, const place& where) {
  const double number = PyLong_AsDouble(whole.ptr());
  const bool is_too_large = number == -1.0 && PyErr_Occurred();
  if (is_too_large) PyErr_Clear();
  const bool is_narrow = type.kind == sidl_kind_float || type.kind == sidl_kind_fcomplex;
  if (is_too_large || (is_narrow && std::fabs(number) > FLT_MAX)) overflow(where, type, whole);
  const double kept = is_narrow ? static_cast<double>(static_cast<float>(number)) : number;
  if (py::float_(kept).equal(whole)) return number;
  PyErr_Format(PyExc_OverflowError, "%s: %R has more digits than %s can hold", where.text().c_str(),
               whole.ptr(), sidl_kind_name(type.kind));
  throw py::error_already_set();
}

double load_real(py::handle object, const struct sidl_type_ref& type, const place& where) {
  if (PyFloat_Check(object.ptr())) return PyFloat_AS_DOUBLE(object.ptr());
  const PyNumberMethods* const numbers = Py_TYPE(object.ptr())->tp_as_number;
  const bool has_float = numbers && numbers->nb_float;
  if (PyIndex_Check(object.ptr())) {
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    if (whole) return load_whole(whole, type, where);
    if (!has_float) not_converted(where, type, nullptr, object);
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
    PyErr_Clear();
  }
  if (!has_float || is_no_real(object)) wrong_type(where, type, nullptr, object);
  const double number = PyFloat_AsDouble(object.ptr());
  if (number == -1.0 && PyErr_Occurred()) not_converted(where, type, nullptr, object);
  if (std::isinf(number) && !py::float_(number).equal(object)) overflow(where, type, object);
  return number;
}

float to_float(double number, const struct sidl_type_ref& type, py::handle object,
               const place& where) {
  if (std::isfinite(number) && std::fabs(number) > FLT_MAX) overflow(where, type, object);
  return static_cast<float>(number);
}

Py_complex load_complex(py::handle object, const struct sidl_type_ref& type, const place& where) {
  const bool has_complex =
      PyComplex_Check(object.ptr()) || PyObject_HasAttrString(object.ptr(), "__complex__");
  if (!has_complex) return {load_real(object, type, where), 0.0};
  const Py_complex number = PyComplex_AsCComplex(object.ptr());
  if (number.real == -1.0 && PyErr_Occurred()) not_converted(where, type, nullptr, object);
  return number;
}

bool load_bool(py::handle object, const struct sidl_type_ref& type, const place& where) {
  if (PyBool_Check(object.ptr())) return object.ptr() == Py_True;
  const char* const name = Py_TYPE(object.ptr())->tp_name;
  const bool is_numpy =
      std::strcmp(name, "numpy.bool") == 0 || std::strcmp(name, "numpy.bool_") == 0;
  if (!is_numpy) wrong_type(where, type, nullptr, object);
  return PyObject_IsTrue(object.ptr()) == 1;
}

char load_char(py::handle object, const struct sidl_type_ref& type, const place& where) {
  if (PyBytes_Check(object.ptr()) && PyBytes_GET_SIZE(object.ptr()) == 1) {
    return PyBytes_AS_STRING(object.ptr())[0];
  }
  // NumPy drops null characters.
  if (PyBytes_Check(object.ptr()) && !PyBytes_CheckExact(object.ptr()) &&
      PyBytes_GET_SIZE(object.ptr()) == 0) {
    return '\0';
  }
  if (!PyUnicode_Check(object.ptr())) wrong_type(where, type, nullptr, object);
  if (PyUnicode_GET_LENGTH(object.ptr()) != 1 || PyUnicode_READ_CHAR(object.ptr(), 0) > 255) {
    throw py::value_error(where.text() + " must be one character of 8 bits");
  }
  return static_cast<char>(PyUnicode_READ_CHAR(object.ptr(), 0));
}

// Text as UTF-8. Invalid bytes from SIDL, represented by surrogates in Python, are restored.
// Returns false if the text is borrowed from `object`.
bool load_text(py::handle object, const struct sidl_type_ref& type, void* slot, bool borrow,
               const place& where) {
  if (!PyUnicode_Check(object.ptr())) wrong_type(where, type, nullptr, object);
  py::object bytes;
  Py_ssize_t length = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &length);
  if (!text) {
    PyErr_Clear();
    bytes = py::reinterpret_steal<py::object>(
        PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogateescape"));
    if (!bytes) {
      PyErr_Clear();
      throw py::value_error(where.text() +
                            " contains a surrogate, which cannot be encoded in UTF-8");
    }
    text = PyBytes_AS_STRING(bytes.ptr());
    length = PyBytes_GET_SIZE(bytes.ptr());
  }
  if (std::strlen(text) != static_cast<size_t>(length)) {
    throw py::value_error(where.text() + " must not contain a null character");
  }
  const bool lend = borrow && !bytes;
  *static_cast<const char**>(slot) = lend ? text : sidl_String_strdup(text);
  return !lend;
}

const struct sidl_type_info* object_info(const struct sidl_type_ref& type) {
  return type.object ? type.object : &sidl_BaseInterface__info;
}

// A struct's raw array: the memory, and the array that it belongs to (docs/ior.md).
struct raw_member {
  void* first;
  struct sidl__array* owner;
};

// Checks the size of the memory, as later only the struct's other members define it. `data` is the
// struct, in which those are set already.
void load_raw_member(py::handle object, const struct sidl_member_info& info, void* data,
                     const place& where) {
  const struct sidl_type_ref& type = info.type;
  struct sidl__array* const given = array_from_python(object, type, where);
  int64_t extents[SIDL_MAX_ARRAY_DIMENSION];
  type.extents(data, extents);
  struct sidl_BaseInterface__object* ex = nullptr;
  if (!given) {  // allowed if there are no elements
    struct sidl_raw_array none;
    sidl_raw_array_open(&none, nullptr, sidl_array_type_of(type.element), type.dimension, extents,
                        where.name, &ex);
    check(ex);
    return;
  }
  struct sidl__array* const owner =
      sidl_raw_array_accept(given, type.dimension, extents, where.name, &ex);
  sidl__array_deleteRef(given);
  check(ex);
  *reinterpret_cast<raw_member*>(static_cast<char*>(data) + info.offset) = {
      sidl__array_first(owner), owner};
}

int64_t element_count(const struct sidl__array* array) {
  int64_t result = 1;
  for (int32_t d = 0; d < sidl__array_dimen(array); ++d) result *= sidl__array_length64(array, d);
  return result;
}

// Memory without an owner is copied, as its lifetime is not known.
py::object raw_member_to_python(const struct sidl_member_info& info, const void* data) {
  const struct sidl_type_ref& type = info.type;
  const auto* const member =
      reinterpret_cast<const raw_member*>(static_cast<const char*>(data) + info.offset);
  int64_t extents[SIDL_MAX_ARRAY_DIMENSION];
  type.extents(data, extents);
  struct sidl_raw_array view;
  struct sidl_BaseInterface__object* ex = nullptr;
  sidl_raw_array_open(&view, member->first, sidl_array_type_of(type.element), type.dimension,
                      extents, info.name, &ex);
  check(ex);
  // A callee may have changed the values that define the extents, but not the lent memory.
  if (member->owner && element_count(&view.d_metadata) > element_count(member->owner)) {
    sidl__array_deleteRef(
        sidl_raw_array_accept(member->owner, type.dimension, extents, info.name, &ex));
    check(ex);
  }
  return array_to_python(sidl__array_smartCopy(&view.d_metadata), type);
}

size_t count_of(const struct sidl_type_ref& type) {
  size_t count = 1;
  for (int d = 0; d < type.dimension; ++d) count *= static_cast<size_t>(type.lengths[d]);
  return count;
}

size_t element_size(const struct sidl_type_ref& type) {
  return sidl__array_element_size(sidl_array_type_of(type.element));
}

// An array that lies in a struct; None is zeros.
void load_inline(py::handle object, const struct sidl_type_ref& type, void* slot,
                 const place& where) {
  struct sidl__array* const given = array_from_python(object, type, where);
  if (!given) {
    std::memset(slot, 0, size_of(type));
    return;
  }
  struct sidl_BaseInterface__object* ex = nullptr;
  struct sidl__array* const accepted =
      sidl_raw_array_accept(given, type.dimension, type.lengths, where.name, &ex);
  sidl__array_deleteRef(given);
  check(ex);
  std::memcpy(slot, sidl__array_first(accepted), size_of(type));
  sidl__array_deleteRef(accepted);
}

py::object inline_to_python(const struct sidl_type_ref& type, const void* slot) {
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION] = {};
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION];
  for (int d = 0; d < type.dimension; ++d) upper[d] = type.lengths[d] - 1;
  struct sidl__array* const made = sidl__array_create(
      sidl_array_type_of(type.element), sidl_column_major_order, type.dimension, lower, upper);
  if (!made) throw std::bad_alloc();
  std::memcpy(sidl__array_first(made), slot, size_of(type));
  return array_to_python(made, type);
}

// Structs may contain arrays of themselves, in Python even without an end.
class recursion {
 public:
  explicit recursion(const char* where) {
    if (Py_EnterRecursiveCall(where) != 0) throw py::error_already_set();
  }
  ~recursion() { Py_LeaveRecursiveCall(); }
  recursion(const recursion&) = delete;
  recursion& operator=(const recursion&) = delete;
};

void load_members(py::handle object, const struct sidl_type_ref& type, void* slot,
                  const place& where) {
  const recursion deeper(" in a struct for a call");
  const structure* const known = find_structure(type.structure);
  PyObject* const python = find_python_class(type.structure->name);
  if (!python || !is_instance(object, python)) wrong_type(where, type, nullptr, object);
  const struct sidl_struct_info& info = *type.structure;
  // Raw arrays last: the other members define their extents.
  for (const bool raw : {false, true}) {
    for (int32_t i = 0; i < info.member_count; ++i) {
      const struct sidl_member_info& member = info.members[i];
      if ((member.type.kind == sidl_kind_rarray) != raw) continue;
      const std::string text = where.text() + ", member '" + member.name + "'";
      const place inside = {nullptr, nullptr, text.c_str(), where.keeps_given && !raw};
      const py::object value = object.attr(python_name(member.name).c_str());
      if (raw) {
        load_raw_member(value, member, slot, inside);
      } else {
        load(value, member.type, known && known->enums ? known->enums[i] : nullptr,
             static_cast<char*>(slot) + member.offset, false, inside);
      }
    }
  }
}

// The outermost struct says what is wrong, as only its place has a name that is not endless.
void load_struct(py::handle object, const struct sidl_type_ref& type, void* slot,
                 const place& where) {
  try {
    load_members(object, type, slot, where);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_RecursionError)) throw;
    const std::string note = where.text() + ": structs are nested too deeply in this " +
                             type.structure->name + ", or it contains itself";
    py::set_error(PyExc_RecursionError, note.c_str());
    throw py::error_already_set();
  }
}

py::object struct_to_python(const struct sidl_type_ref& type, const void* slot) {
  const recursion deeper(" in a struct from a call");
  const structure* const known = find_structure(type.structure);
  PyObject* const python = find_python_class(type.structure->name);
  if (!python) {
    throw py::type_error(std::string("there is no Python class for ") + type.structure->name);
  }
  const struct sidl_struct_info& info = *type.structure;
  py::tuple members(info.member_count);
  for (int32_t i = 0; i < info.member_count; ++i) {
    const struct sidl_member_info& member = info.members[i];
    const void* const at = static_cast<const char*>(slot) + member.offset;
    members[i] = member.type.kind == sidl_kind_rarray
                     ? raw_member_to_python(member, slot)
                     : copy(member.type, known && known->enums ? known->enums[i] : nullptr, at);
  }
  const auto result = py::reinterpret_steal<py::object>(PyObject_CallObject(python, members.ptr()));
  if (!result) throw py::error_already_set();
  return result;
}

py::object enum_to_python(int64_t number, const char* enumeration) {
  PyObject* const python = enumeration ? find_python_class(enumeration) : nullptr;
  const py::int_ plain(number);
  if (!python) return plain;
  const auto result = py::reinterpret_steal<py::object>(PyObject_CallOneArg(python, plain.ptr()));
  if (result) return result;
  PyErr_Clear();  // an unknown value
  return plain;
}

}  // namespace

py::object text_to_python(const char* text) {
  if (!text) return py::none();
  const auto result = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "surrogateescape"));
  if (!result) throw py::error_already_set();
  return result;
}

std::string text_of_python(py::handle text) {
  const auto bytes = py::reinterpret_steal<py::object>(
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes) throw py::error_already_set();
  return bytes.cast<std::string>();
}

namespace {

template <class T>
T& at(void* slot) {
  return *static_cast<T*>(slot);
}

template <class T>
const T& at(const void* slot) {
  return *static_cast<const T*>(slot);
}

bool load_object(py::handle object, const struct sidl_type_ref& type, void* slot, bool borrow,
                 const place& where) {
  bool owned = false;
  void* const ior = cast_for(object.ptr(), object_info(type), where.text(), owned);
  if (!owned && !borrow) add_ref(ior);
  at<void*>(slot) = ior;
  return owned || !borrow;
}

}  // namespace

std::string place::text() const {
  if (!method) return name;
  const std::string of = std::string(type->name) + "." + method->name;
  return name ? "argument '" + std::string(name) + "' of " + of : "the result of " + of;
}

std::string type_text(const struct sidl_type_ref& type, const char* enumeration) {
  switch (type.kind) {
    case sidl_kind_enum:
      return enumeration ? enumeration : "enum";
    case sidl_kind_struct:
      return type.structure->name;
    case sidl_kind_class:
    case sidl_kind_interface:
      return object_info(type)->name;
    case sidl_kind_array:
    case sidl_kind_rarray:
    case sidl_kind_inline: {
      if (type.element == sidl_kind_void) return "array<>";
      const std::string element = type.object                        ? type.object->name
                                  : type.element == sidl_kind_struct ? type.structure->name
                                                                     : sidl_kind_name(type.element);
      const std::string dimension = type.dimension ? "," + std::to_string(type.dimension) : "";
      return "array<" + element + dimension + ">";
    }
    default:
      return sidl_kind_name(type.kind);
  }
}

size_t size_of(const struct sidl_type_ref& type) {
  switch (type.kind) {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) \
  case kind:                                              \
    return sizeof(ctype);
#include "sidl_kinds.def"
    case sidl_kind_void:
      return 0;
    case sidl_kind_enum:
      return sizeof(int64_t);
    case sidl_kind_struct:
      return type.structure->size;
    case sidl_kind_inline:
      return count_of(type) * element_size(type);
    default:
      return sizeof(void*);  // of objects and arrays
  }
}

bool load(py::handle object, const struct sidl_type_ref& type, const char* enumeration, void* slot,
          bool borrow, const place& where) {
  const bool nullable = type.kind == sidl_kind_string || type.kind == sidl_kind_class ||
                        type.kind == sidl_kind_interface || type.kind == sidl_kind_opaque;
  if (nullable && object.is_none()) return true;
  switch (type.kind) {
    case sidl_kind_bool:
      at<sidl_bool>(slot) = load_bool(object, type, where);
      return true;
    case sidl_kind_char:
      at<char>(slot) = load_char(object, type, where);
      return true;
    case sidl_kind_int:
      at<int32_t>(slot) = static_cast<int32_t>(
          load_integer(object, type, enumeration, where, INT32_MIN, INT32_MAX));
      return true;
    case sidl_kind_long:
      at<int64_t>(slot) = load_integer(object, type, enumeration, where, INT64_MIN, INT64_MAX);
      return true;
    case sidl_kind_enum:
      at<int64_t>(slot) = load_enum(object, type, enumeration, where);
      return true;
    case sidl_kind_float:
      at<float>(slot) = to_float(load_real(object, type, where), type, object, where);
      return true;
    case sidl_kind_double:
      at<double>(slot) = load_real(object, type, where);
      return true;
    case sidl_kind_fcomplex: {
      const Py_complex number = load_complex(object, type, where);
      at<struct sidl_fcomplex>(slot) = {to_float(number.real, type, object, where),
                                        to_float(number.imag, type, object, where)};
      return true;
    }
    case sidl_kind_dcomplex: {
      const Py_complex number = load_complex(object, type, where);
      at<struct sidl_dcomplex>(slot) = {number.real, number.imag};
      return true;
    }
    case sidl_kind_opaque:
      if (!PyLong_Check(object.ptr())) wrong_type(where, type, nullptr, object);
      at<void*>(slot) = PyLong_AsVoidPtr(object.ptr());
      if (PyErr_Occurred()) throw py::error_already_set();
      return true;
    case sidl_kind_string:
      return load_text(object, type, slot, borrow, where);
    case sidl_kind_struct:
      load_struct(object, type, slot, where);
      return true;
    case sidl_kind_array:
      at<struct sidl__array*>(slot) = array_from_python(object, type, where);
      return true;
    case sidl_kind_inline:
      load_inline(object, type, slot, where);
      return true;
    default:
      return load_object(object, type, slot, borrow, where);
  }
}

py::object copy(const struct sidl_type_ref& type, const char* enumeration, const void* slot) {
  switch (type.kind) {
    case sidl_kind_void:
      return py::none();
    case sidl_kind_bool:
      return py::bool_(at<sidl_bool>(slot) != 0);
    case sidl_kind_char: {
      const auto code = static_cast<Py_UCS4>(static_cast<unsigned char>(at<char>(slot)));
      return py::reinterpret_steal<py::object>(
          PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, &code, 1));
    }
    case sidl_kind_int:
      return py::int_(at<int32_t>(slot));
    case sidl_kind_long:
      return py::int_(at<int64_t>(slot));
    case sidl_kind_enum:
      return enum_to_python(at<int64_t>(slot), enumeration);
    case sidl_kind_float:
      return py::float_(static_cast<double>(at<float>(slot)));
    case sidl_kind_double:
      return py::float_(at<double>(slot));
    case sidl_kind_fcomplex:
      return py::reinterpret_steal<py::object>(
          PyComplex_FromDoubles(static_cast<double>(at<struct sidl_fcomplex>(slot).real),
                                static_cast<double>(at<struct sidl_fcomplex>(slot).imaginary)));
    case sidl_kind_dcomplex:
      return py::reinterpret_steal<py::object>(PyComplex_FromDoubles(
          at<struct sidl_dcomplex>(slot).real, at<struct sidl_dcomplex>(slot).imaginary));
    case sidl_kind_opaque:
      return at<void*>(slot)
                 ? py::reinterpret_steal<py::object>(PyLong_FromVoidPtr(at<void*>(slot)))
                 : py::object(py::none());
    case sidl_kind_string:
      return text_to_python(at<const char*>(slot));
    case sidl_kind_inline:
      return inline_to_python(type, slot);
    case sidl_kind_struct:
      return struct_to_python(type, slot);
    case sidl_kind_array:
      // Borrowed arrays are copied, as Python may keep them.
      return array_to_python(kept_array(at<struct sidl__array*>(const_cast<void*>(slot))), type);
    default:
      return wrap_borrowed(at<void*>(const_cast<void*>(slot)), object_info(type));
  }
}

py::object take(const struct sidl_type_ref& type, const char* enumeration, void* slot) {
  if (type.kind == sidl_kind_class || type.kind == sidl_kind_interface) {
    return wrap(std::exchange(at<void*>(slot), nullptr), object_info(type));
  }
  const py::object result = copy(type, enumeration, slot);
  destroy(type, slot);
  return result;
}

void destroy(const struct sidl_type_ref& type, void* slot) {
  switch (type.kind) {
    case sidl_kind_string:
      sidl_String_free(std::exchange(at<char*>(slot), nullptr));
      break;
    case sidl_kind_struct:
      sidl_struct_destroy(type.structure, slot);
      break;
    case sidl_kind_array:
      sidl__array_deleteRef(std::exchange(at<struct sidl__array*>(slot), nullptr));
      break;
    case sidl_kind_class:
    case sidl_kind_interface:
      if (void* const ior = std::exchange(at<void*>(slot), nullptr)) drop(ior);
      break;
    default:
      break;
  }
}

}  // namespace sidl_python
