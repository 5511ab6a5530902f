#include "arguments.hpp"

#include "keywords.hpp"
#include "sidl_raw_array.h"

namespace sidl_python {
namespace {

bool same_name(PyObject* name, const struct sidl_arg_info& argument) {
  if (is_renamed(argument.name)) {
    return PyUnicode_CompareWithASCIIString(name, python_name(argument.name).c_str()) == 0;
  }
  return PyUnicode_CompareWithASCIIString(name, argument.name) == 0;
}

std::vector<int> inputs_of(const struct sidl_method_info& method) {
  std::vector<int> result;
  for (int i = 0; i < method.arg_count; ++i) {
    if (method.args[i].mode != sidl_mode_out) result.push_back(i);
  }
  return result;
}

[[noreturn]] void refuse_name(const method& description, PyObject* name) {
  py::list known;
  for (const int i : inputs_of(*description.info)) {
    known.append(python_name(description.info->args[i].name));
  }
  known.append("deadline");
  known.append("strict");
  const std::string text = py::str(name).cast<std::string>();
  throw py::type_error(std::string(description.name) + "() has no argument '" + text + "'" +
                       suggestion(text, known));
}

[[noreturn]] void refuse_second(const method& description, const struct sidl_arg_info& argument) {
  throw py::type_error(std::string(description.name) + "() got the argument '" +
                       python_name(argument.name) + "' twice");
}

bool is_own_name(const struct sidl_method_info& method, PyObject* name) {
  for (int i = 0; i < method.arg_count; ++i) {
    if (method.args[i].mode != sidl_mode_out && same_name(name, method.args[i])) return true;
  }
  return is_keyword(method, name, "deadline") || is_keyword(method, name, "strict");
}

bool is_index(const method& description, int argument) {
  const index_argument* each = description.indices;
  while (each->argument >= 0 && each->argument != argument) ++each;
  return each->argument >= 0;
}

// Which arguments the values may be that are given by position: all of them, all but the index
// arguments that are given by name, or those that are no index arguments.
enum class order { all, unnamed_indices, no_indices };

bool has_place(const method& description, order by, PyObject* const* named, int i) {
  if (description.info->args[i].mode == sidl_mode_out) return false;
  if (by == order::all || !is_index(description, i)) return true;
  return by == order::unnamed_indices && !named[i];
}

// Whether the values fit, and leave nothing out that is needed.
bool fits(const method& description, order by, PyObject* const* named, Py_ssize_t positional) {
  for (int i = 0; i < description.info->arg_count; ++i) {
    if (!has_place(description, by, named, i)) continue;
    if (positional > 0) {
      --positional;
    } else if (!named[i] && !is_index(description, i)) {
      return false;
    }
  }
  return positional == 0;
}

// Puts the values to the named ones; where they fit in no way, says what is given twice or is too
// much.
void put_values(const method& description, order by, PyObject* const* args, Py_ssize_t positional,
                PyObject** named) {
  Py_ssize_t used = 0;
  for (int i = 0; i < description.info->arg_count && used < positional; ++i) {
    if (!has_place(description, by, named, i)) continue;
    if (named[i]) refuse_second(description, description.info->args[i]);
    named[i] = args[used++];
  }
  if (used < positional) refuse_too_many(description, positional);
}

int64_t length_of(const void* value, int dimension) {
  return sidl__array_length64(*static_cast<struct sidl__array* const*>(value), dimension);
}

void store_index(const struct sidl_type_ref& type, void* value, int64_t number) {
  if (type.kind == sidl_kind_int) {
    *static_cast<int32_t*>(value) = static_cast<int32_t>(number);
  } else {
    *static_cast<int64_t*>(value) = number;
  }
}

int64_t index_at(const struct sidl_type_ref& type, const void* value) {
  if (type.kind == sidl_kind_int) return *static_cast<const int32_t*>(value);
  return *static_cast<const int64_t*>(value);
}

// Whether an extent is formed from an index argument, which is changed.
bool is_formed_from(const struct sidl_type_ref& array, int dimension,
                    const struct sidl_type_ref& index, void* value, void* const* values) {
  int64_t few[SIDL_MAX_ARRAY_DIMENSION], many[SIDL_MAX_ARRAY_DIMENSION];
  store_index(index, value, 0);
  array.extents(values, few);
  store_index(index, value, INT32_MAX);
  array.extents(values, many);
  return few[dimension] != many[dimension];
}

// The array's length is not what its extent says.
[[noreturn]] void refuse_length(const method& description, PyObject* const* given,
                                void* const* values, int array, int dimension, int64_t wanted) {
  const struct sidl_arg_info* const args = description.info->args;
  const place where = {description.type, description.info, args[array].name};
  if (!*static_cast<struct sidl__array* const*>(values[array])) {
    throw py::value_error(where.text() + " is None, but must have " + std::to_string(wanted) +
                          " elements in dimension " + std::to_string(dimension + 1));
  }
  std::string text = where.text() + " has " + std::to_string(length_of(values[array], dimension)) +
                     " elements in dimension " + std::to_string(dimension + 1);
  for (const index_argument* each = description.indices; each->argument >= 0; ++each) {
    const struct sidl_arg_info& index = args[each->argument];
    void* const value = values[each->argument];
    const int64_t number = index_at(index.type, value);
    if (given[each->argument]) continue;
    if (!is_formed_from(args[array].type, dimension, index.type, value, values)) continue;
    if (each->array == array && each->dimension == dimension) {
      throw py::value_error(text + ", which no '" + index.name + "' gives");
    }
    throw py::value_error(text + ", not " + std::to_string(wanted) + ": '" + index.name +
                          "', which is left out, is " + std::to_string(number) + " by '" +
                          args[each->array].name + "'");
  }
  throw py::value_error(text + ", not " + std::to_string(wanted));
}

void check_lengths(const method& description, PyObject* const* given, void* const* values) {
  for (int i = 0; i < description.info->arg_count; ++i) {
    const struct sidl_type_ref& type = description.info->args[i].type;
    if (!(type.flags & sidl_ref_raw)) continue;
    int64_t wanted[SIDL_MAX_ARRAY_DIMENSION];
    type.extents(values, wanted);
    for (int d = 0; d < type.dimension; ++d) {
      if (length_of(values[i], d) == wanted[d]) continue;
      refuse_length(description, given, values, i, d, wanted[d]);
    }
  }
}

}  // namespace

int32_t count_inputs(const struct sidl_method_info& method) {
  int32_t count = 0;
  for (int i = 0; i < method.arg_count; ++i) count += method.args[i].mode != sidl_mode_out;
  return count;
}

bool gives_all(const method& description, PyObject* const* args, Py_ssize_t positional,
               PyObject* names) {
  if (names || positional != count_inputs(*description.info)) return false;
  for (Py_ssize_t i = 0; i < positional; ++i) {
    if (args[i] == Py_None) return false;
  }
  return true;
}

PyObject* find_by_name(PyObject* const* args, Py_ssize_t positional, PyObject* names,
                       const struct sidl_arg_info& argument) {
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    if (same_name(PyTuple_GET_ITEM(names, i), argument)) return args[positional + i];
  }
  return nullptr;
}

void check_names(const method& description, Py_ssize_t positional, PyObject* names) {
  const std::vector<int> inputs = inputs_of(*description.info);
  for (Py_ssize_t n = 0; names && n < PyTuple_GET_SIZE(names); ++n) {
    PyObject* const name = PyTuple_GET_ITEM(names, n);
    for (size_t i = 0; i < inputs.size() && static_cast<Py_ssize_t>(i) < positional; ++i) {
      const struct sidl_arg_info& argument = description.info->args[inputs[i]];
      if (same_name(name, argument)) refuse_second(description, argument);
    }
    if (!is_own_name(*description.info, name)) refuse_name(description, name);
  }
}

void refuse_missing(const method& description, const struct sidl_arg_info& argument) {
  throw py::type_error(std::string(description.name) + "() needs the argument '" +
                       python_name(argument.name) + "'");
}

void refuse_too_many(const method& description, Py_ssize_t given) {
  const auto count = count_inputs(*description.info);
  throw py::type_error(std::string(description.name) + "() takes " + std::to_string(count) +
                       (count == 1 ? " argument; " : " arguments; ") + std::to_string(given) +
                       " were given");
}

void match_arguments(const method& description, PyObject* const* args, Py_ssize_t positional,
                     PyObject* names, Py_ssize_t others, PyObject** given) {
  const struct sidl_method_info& info = *description.info;
  for (int i = 0; i < info.arg_count; ++i) {
    const bool is_input = info.args[i].mode != sidl_mode_out;
    given[i] = is_input && names ? find_by_name(args, positional, names, info.args[i]) : nullptr;
    others += given[i] != nullptr;
  }
  if (names && others != PyTuple_GET_SIZE(names)) check_names(description, 0, names);
  order by = order::all;
  for (const order each : {order::no_indices, order::unnamed_indices}) {
    if (fits(description, each, given, positional)) by = each;
  }
  put_values(description, by, args, positional, given);
  for (int i = 0; i < info.arg_count; ++i) {
    if (info.args[i].mode == sidl_mode_out) continue;
    if (given[i] && given[i] != Py_None) continue;
    if (is_index(description, i)) {
      given[i] = nullptr;
    } else if (!given[i]) {
      refuse_missing(description, info.args[i]);
    }
  }
}

void compute_indices(const method& description, PyObject* const* given, void* const* values) {
  bool is_complete = true;
  for (const index_argument* each = description.indices; each->argument >= 0; ++each) {
    if (given[each->argument]) continue;
    const int64_t length = length_of(values[each->array], each->dimension);
    const int64_t index = sidl_extent_div(sidl_extent_sub(length, each->constant), each->factor);
    store_index(description.info->args[each->argument].type, values[each->argument], index);
    is_complete = false;
  }
  if (!is_complete) check_lengths(description, given, values);
}

}  // namespace sidl_python
