// arguments.hpp: which of the values that a call is given stands for which argument of the method,
// and what those are that are left out.
#ifndef SHINAR_PYTHON_ARGUMENTS_HPP
#define SHINAR_PYTHON_ARGUMENTS_HPP

#include "core.hpp"

namespace sidl_python {

// How many arguments Python gives: those that are `in` or `inout`.
int32_t count_inputs(const struct sidl_method_info& method);

// The value that has the argument's name, or null. `names` are those of the values behind the
// `positional` ones, as everywhere here.
PyObject* find_by_name(PyObject* const* args, Py_ssize_t positional, PyObject* names,
                       const struct sidl_arg_info& argument);

// Throws if a name is that of no argument, or of one that was given by its position.
void check_names(const method& description, Py_ssize_t positional, PyObject* names);

[[noreturn]] void refuse_missing(const method& description, const struct sidl_arg_info& argument);
[[noreturn]] void refuse_too_many(const method& description, Py_ssize_t given);

// Whether a call gives all arguments by position, and none of them is None.
bool gives_all(const method& description, PyObject* const* args, Py_ssize_t positional,
               PyObject* names);

// Writes the values of a call of a method with index arguments to `given`, in the places of the
// method's: null for `out` arguments, and for index arguments that are left out or None. By
// position index arguments are given in their places or, but for those at the end, not at all.
// `others` of the names are none of theirs.
void match_arguments(const method& description, PyObject* const* args, Py_ssize_t positional,
                     PyObject* names, Py_ssize_t others, PyObject** given);

// Computes the index arguments that `given` lacks from the lengths of the arrays; throws if there
// are any, and a raw array has other lengths than its extents say. `values` are the addresses of
// the arguments' values.
void compute_indices(const method& description, PyObject* const* given, void* const* values);

}  // namespace sidl_python

#endif
