// device_arrays.hpp: arrays whose elements are not in host memory, and DLPack.
#ifndef SIDL_PYTHON_DEVICE_ARRAYS_HPP
#define SIDL_PYTHON_DEVICE_ARRAYS_HPP

#include "core.hpp"

namespace sidl_python {

// True for a shinar.DeviceArray, and what says by DLPack that it is in the memory of a device.
bool is_elsewhere(py::handle object);
// Such an object as an array, with a reference for the caller: over the same memory, unless
// `where.keeps_given`, or it is read-only. `changes`: it is an inout argument.
struct sidl__array* array_elsewhere(py::handle object, const struct sidl_type_ref& type,
                                    const place& where, bool changes = false);
// What another library has elsewhere, for an inout argument, as a shinar.DeviceArray over the same
// memory; null for one that is such already.
py::object device_array_of(py::handle object, const struct sidl_type_ref& type, const place& where);
// A shinar.DeviceArray. Takes over a reference.
py::object elsewhere_to_python(struct sidl__array* array);
// As write_back, where the given array is elsewhere; what is not copied into it goes there, too, if
// that is possible.
void write_elsewhere(py::handle given, const struct sidl_type_ref& type, size_t position,
                     const py::list& results, const place& where);
// A reference to the array that Python may keep; null for null.
struct sidl__array* kept_array(struct sidl__array* array);

void init_device_arrays(py::module_& module);

}  // namespace sidl_python

#endif
