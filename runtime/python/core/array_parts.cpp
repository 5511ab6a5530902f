// array_parts.cpp: bounds, memory and owners of arrays, whatever their elements are.
#include "array_parts.hpp"

#include <algorithm>

namespace sidl_python {
namespace {

py::handle bounded_class() {
  static imported array("shinar._arrays", "Array");
  return array.get();
}

// True if it may have lower bounds of its own. All that NumPy itself makes has none.
bool is_bounded(py::handle object) {
  const auto* const plain =
      reinterpret_cast<PyTypeObject*>(py::detail::npy_api::get().PyArray_Type_);
  return Py_TYPE(object.ptr()) != plain && is_instance(object, bounded_class().ptr());
}

[[noreturn]] void refuse_lower(py::handle lower, const place& where) {
  throw py::type_error(where.text() + ": lower must be a sequence of ints, not " +
                       py::repr(lower).cast<std::string>());
}

[[noreturn]] void refuse_shape(const shape& bounds, const place& where) {
  if (bounds.dimension < 1 || bounds.dimension > SIDL_MAX_ARRAY_DIMENSION) {
    throw py::value_error(where.text() + " must have 1 to 7 dimensions, not " +
                          std::to_string(bounds.dimension));
  }
  throw py::value_error(where.text() + " is too large for a SIDL array");
}

constexpr int kWork = 1000;  // NumPy's measure: what it cannot tell with that much may overlap

bool may_overlap(const py::array& array, const py::object& other) {
  static imported may_share("numpy", "may_share_memory");
  return may_share(array, other, kWork).cast<bool>();
}

}  // namespace

bool shape::read(const py::array& array, size_t size) {
  dimension = static_cast<int32_t>(array.ndim());
  if (dimension < 1 || dimension > SIDL_MAX_ARRAY_DIMENSION) return false;
  for (int32_t d = 0; d < dimension; ++d) {
    const py::ssize_t length = array.shape(d);
    const py::ssize_t bytes = array.strides(d);
    const py::ssize_t step = bytes / static_cast<py::ssize_t>(size);
    if (length > 1 && step * static_cast<py::ssize_t>(size) != bytes) return false;
    upper[d] = length - 1;
    stride[d] = step;
  }
  return true;
}

void shape::shift(py::handle given, const place& where) {
  if (!is_bounded(given)) return;
  const py::object bounds = given.attr("lower");
  if (bounds.is_none()) return;
  if (!py::isinstance<py::sequence>(bounds)) refuse_lower(bounds, where);
  const py::sequence list = bounds;
  const size_t count = list.size();
  if (count > static_cast<size_t>(dimension)) {
    throw py::value_error(where.text() + " has " + std::to_string(count) +
                          " lower bounds, and an array of " + std::to_string(dimension) +
                          (dimension == 1 ? " dimension" : " dimensions"));
  }
  for (int32_t d = 0; d < static_cast<int32_t>(count); ++d) {
    lower[d] = bound(list[static_cast<size_t>(d)], d, where);
    upper[d] += lower[d];
  }
}

// A lower bound with which the highest index is an index of SIDL's, too.
int64_t shape::bound(py::handle given, int32_t d, const place& where) const {
  if (!PyIndex_Check(given.ptr())) refuse_lower(given, where);
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
  if (!index) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
    PyErr_Clear();
    refuse_lower(given, where);
  }
  int overflow = 0;
  const int64_t low = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  // The upper bound of no elements is one less.
  const int64_t least = -SIDL_MAX_ARRAY_INDEX + (upper[d] < 0 ? 1 : 0);
  const int64_t most = SIDL_MAX_ARRAY_INDEX - std::max(upper[d], int64_t{0});
  if (overflow == 0 && low >= least && low <= most) return low;
  PyErr_Format(PyExc_OverflowError, "%s: dimension %d has %lld elements and cannot begin at %R",
               where.text().c_str(), static_cast<int>(d), static_cast<long long>(upper[d] + 1),
               given.ptr());
  throw py::error_already_set();
}

shape shape_of(py::handle given, const py::array& array, size_t size, const place& where) {
  shape bounds;
  if (!bounds.read(array, size)) refuse_shape(bounds, where);
  bounds.shift(given, where);
  return bounds;
}

bool has_usable_memory(const py::array& array) {
  constexpr int kUsable =
      py::detail::npy_api::NPY_ARRAY_ALIGNED_ | py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return (array.flags() & kUsable) == kUsable;
}

void* memory_of(const py::array& array) {
  return const_cast<void*>(static_cast<const void*>(array.data()));
}

py::array apart_from(const py::array& array, const std::vector<py::object>& others,
                     const place& where) {
  const bool is_apart = std::none_of(others.begin(), others.end(), [&](const py::object& other) {
    return may_overlap(array, other);
  });
  if (is_apart) return array;
  if (!strict) return py::array(array.attr("copy")("K"));
  throw py::type_error(where.text() +
                       " would have to be copied, because it shares memory with another inout "
                       "argument, which strict does not allow");
}

void release_owner(void* owner) {
  const entered python;
  if (!python.open()) return;
  const py::error_scope pending;
  Py_DECREF(static_cast<PyObject*>(owner));
}

void release_array(void* array) {
  sidl__array_deleteRef(static_cast<struct sidl__array*>(array));
}

std::vector<py::ssize_t> lengths_of(const struct sidl__array* array) {
  std::vector<py::ssize_t> lengths;
  for (int32_t d = 0; d < sidlArrayDim(array); ++d) lengths.push_back(sidlLength(array, d));
  return lengths;
}

py::object numpy_over(struct sidl__array* array, const py::dtype& dtype) {
  std::vector<py::ssize_t> strides;
  for (int32_t d = 0; d < sidlArrayDim(array); ++d) {
    strides.push_back(sidlStride(array, d) * dtype.itemsize());
  }
  const py::capsule owner(array, release_array);
  const py::array made(dtype, lengths_of(array), strides, sidl__array_first(array), owner);
  return with_bounds(made, array);
}

py::object with_bounds(const py::array& made, const struct sidl__array* array) {
  bool from_zero = true;
  for (int32_t d = 0; d < sidlArrayDim(array); ++d) from_zero &= sidlLower(array, d) == 0;
  if (from_zero) return made;
  py::tuple lower(sidlArrayDim(array));
  for (int32_t d = 0; d < sidlArrayDim(array); ++d) {
    lower[static_cast<size_t>(d)] = sidlLower(array, d);
  }
  py::object result = made.attr("view")(bounded_class());
  result.attr("lower") = lower;
  return result;
}

}  // namespace sidl_python
