// array_parts.hpp: what arrays of all elements have in common.
#ifndef SIDL_PYTHON_ARRAY_PARTS_HPP
#define SIDL_PYTHON_ARRAY_PARTS_HPP

#include <vector>

#include "core.hpp"

namespace sidl_python {

// Bounds and strides of a SIDL array over NumPy's.
struct shape {
  int32_t dimension = 0;
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION] = {};
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION] = {};
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION] = {};

  // False if they cannot be expressed. `size`: bytes of an element.
  bool read(const py::array& array, size_t size);
  // Lower bounds as the object that was given has them.
  void shift(py::handle given, const place& where);

 private:
  int64_t bound(py::handle given, int32_t d, const place& where) const;
};

// Those of a SIDL array over `array`, with the lower bounds of what was given.
shape shape_of(py::handle given, const py::array& array, size_t size, const place& where);

// True if SIDL can use the memory: it is aligned and writable.
bool has_usable_memory(const py::array& array);
void* memory_of(const py::array& array);
// The array, or a copy of it if it may share memory with one of the others, which strict refuses.
py::array apart_from(const py::array& array, const std::vector<py::object>& others,
                     const place& where);

// Owners of memory: a NumPy array with a reference, and a SIDL array.
void release_owner(void* owner);
void release_array(void* array);

// A NumPy array over the memory of the SIDL array, whose reference it takes over.
py::object numpy_over(struct sidl__array* array, const py::dtype& dtype);
// The dtype of what Python gets for the elements.
py::dtype dtype_of_elements(const struct sidl__array* array);
std::vector<py::ssize_t> lengths_of(const struct sidl__array* array);
// A NumPy array with the lower bounds of SIDL's.
py::object with_bounds(const py::array& made, const struct sidl__array* array);

// True if the elements lie in column order only.
inline bool lies_in_columns(const py::array& array) {
  return (array.flags() & py::array::f_style) && !(array.flags() & py::array::c_style);
}
inline bool lies_in_columns(const struct sidl__array* array) {
  return sidl__array_isColumnOrder(array) && !sidl__array_isRowOrder(array);
}

// Calls body(address, flat index) for each element, last index fastest.
template <class Body>
void for_each_element(struct sidl__array* array, size_t size, const Body& body) {
  const size_t count = sidl__array_element_count(array);
  const int32_t dimension = sidlArrayDim(array);
  int64_t index[SIDL_MAX_ARRAY_DIMENSION] = {};
  for (size_t i = 0; i < count; ++i) {
    ptrdiff_t offset = 0;
    for (int32_t d = 0; d < dimension; ++d) {
      offset += index[d] * sidlStride(array, d);
    }
    body(static_cast<char*>(sidl__array_first(array)) + offset * static_cast<ptrdiff_t>(size), i);
    for (int32_t d = dimension - 1; d >= 0 && ++index[d] == sidlLength(array, d); --d) index[d] = 0;
  }
}

// ---- arrays of structs (struct_arrays.cpp)
// -------------------------------------------------------

// The type with the struct of its elements: the declared one, or, of a generic array, that of what
// is given; null if there is none.
const struct sidl_struct_info* struct_of_elements(py::handle given,
                                                  const struct sidl_type_ref& type);
// These do for arrays of structs what those in core.hpp do for all.
struct sidl__array* structs_from_python(py::handle object, const struct sidl_struct_info* structure,
                                        const struct sidl_type_ref& type, const place& where);
lent_array lend_structs(py::handle object, const struct sidl_struct_info* structure,
                        const struct sidl_type_ref& type, const std::vector<py::object>& others,
                        const place& where);
void check_structs_changeable(py::handle given, const struct sidl_type_ref& type,
                              const place& where);
void write_structs_back(py::handle given, const struct sidl_type_ref& type, size_t position,
                        const py::list& results, const place& where);
py::object structs_to_python(struct sidl__array* array);
// The same for equal structs only.
py::dtype dtype_of_structs(const struct sidl_struct_info* structure);

}  // namespace sidl_python

#endif
