#include "arguments.hpp"

#include <algorithm>

#include "keywords.hpp"
#include "sidl_raw_array.h"

namespace sidl_python {
namespace {

bool same_name(PyObject* name, const struct sidl_arg_info& argument) {
  return PyUnicode_CompareWithASCIIString(name, argument.name) == 0 ||
         PyUnicode_CompareWithASCIIString(name, (std::string(argument.name) + "_").c_str()) == 0;
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
  for (const int i : inputs_of(*description.info)) known.append(description.info->args[i].name);
  known.append("deadline");
  known.append("strict");
  const std::string text = py::str(name).cast<std::string>();
  throw py::type_error(std::string(description.name) + "() has no argument '" + text + "'" +
                       suggestion(text, known));
}

// `placed`: the arguments that were given by position.
void check_name(const method& description, const std::vector<int>& placed, PyObject* name) {
  const struct sidl_method_info& info = *description.info;
  for (const int i : inputs_of(info)) {
    if (!same_name(name, info.args[i])) continue;
    if (std::find(placed.begin(), placed.end(), i) == placed.end()) return;
    throw py::type_error(std::string(description.name) + "() got the argument '" +
                         info.args[i].name + "' twice");
  }
  if (is_keyword(info, name, "deadline") || is_keyword(info, name, "strict")) return;
  refuse_name(description, name);
}

void check_names(const method& description, const std::vector<int>& placed, PyObject* names) {
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    check_name(description, placed, PyTuple_GET_ITEM(names, i));
  }
}

bool is_index(const method& description, int argument) {
  const index_argument* each = description.indices;
  while (each->argument >= 0 && each->argument != argument) ++each;
  return each->argument >= 0;
}

// The arguments that the values are which are given by position: of all, or of all that are no
// index arguments, whichever leaves nothing out that is needed.
std::vector<int> places_of(const method& description, const std::vector<PyObject*>& named,
                           Py_ssize_t positional) {
  std::vector<int> all = inputs_of(*description.info);
  if (positional == static_cast<Py_ssize_t>(all.size())) return all;
  std::vector<int> open, arrays;
  for (const int i : all) {
    const bool is_one = is_index(description, i);
    if (!is_one) arrays.push_back(i);
    if (!is_one || !named[static_cast<size_t>(i)]) open.push_back(i);
  }
  const auto is_dispensable = [&](int i) {
    return named[static_cast<size_t>(i)] || is_index(description, i);
  };
  for (std::vector<int>* const each : {&open, &arrays}) {
    if (positional > static_cast<Py_ssize_t>(each->size())) continue;
    const auto end = each->begin() + positional;
    if (!std::all_of(end, each->end(), is_dispensable)) continue;
    each->erase(end, each->end());
    return *each;
  }
  if (positional > static_cast<Py_ssize_t>(all.size())) refuse_too_many(description, positional);
  all.resize(static_cast<size_t>(positional));
  return all;
}

int64_t length_of(const void* value, int dimension) {
  return sidl__array_length(*static_cast<struct sidl__array* const*>(value), dimension);
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
[[noreturn]] void refuse_length(const method& description, const std::vector<PyObject*>& given,
                                void* const* values, int array, int dimension, int64_t wanted) {
  const struct sidl_arg_info* const args = description.info->args;
  const place where = {description.type, description.info, args[array].name};
  std::string text = where.text() + " has " + std::to_string(length_of(values[array], dimension)) +
                     " elements in dimension " + std::to_string(dimension + 1);
  for (const index_argument* each = description.indices; each->argument >= 0; ++each) {
    const struct sidl_arg_info& index = args[each->argument];
    void* const value = values[each->argument];
    const int64_t number = index_at(index.type, value);
    if (given[static_cast<size_t>(each->argument)]) continue;
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

void check_lengths(const method& description, const std::vector<PyObject*>& given,
                   void* const* values) {
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

PyObject* find_by_name(PyObject* const* args, Py_ssize_t positional, PyObject* names,
                       const struct sidl_arg_info& argument) {
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    if (same_name(PyTuple_GET_ITEM(names, i), argument)) return args[positional + i];
  }
  return nullptr;
}

void check_names(const method& description, Py_ssize_t positional, PyObject* names) {
  std::vector<int> placed = inputs_of(*description.info);
  placed.resize(std::min(placed.size(), static_cast<size_t>(positional)));
  check_names(description, placed, names);
}

void refuse_missing(const method& description, const struct sidl_arg_info& argument) {
  throw py::type_error(std::string(description.name) + "() needs the argument '" + argument.name +
                       "'");
}

void refuse_too_many(const method& description, Py_ssize_t given) {
  throw py::type_error(std::string(description.name) + "() takes " +
                       std::to_string(count_inputs(*description.info)) + " arguments; " +
                       std::to_string(given) + " were given");
}

std::vector<PyObject*> match_arguments(const method& description, PyObject* const* args,
                                       Py_ssize_t positional, PyObject* names) {
  const struct sidl_method_info& info = *description.info;
  const std::vector<int> inputs = inputs_of(info);
  std::vector<PyObject*> result(static_cast<size_t>(info.arg_count));
  for (const int i : inputs) {
    result[static_cast<size_t>(i)] = find_by_name(args, positional, names, info.args[i]);
  }
  const std::vector<int> placed = places_of(description, result, positional);
  check_names(description, placed, names);
  for (size_t i = 0; i < placed.size(); ++i) result[static_cast<size_t>(placed[i])] = args[i];
  for (const int i : inputs) {
    PyObject*& value = result[static_cast<size_t>(i)];
    const bool may_be_left_out = is_index(description, i);
    if (!value && !may_be_left_out) refuse_missing(description, info.args[i]);
    if (value == Py_None && may_be_left_out) value = nullptr;
  }
  return result;
}

void compute_indices(const method& description, const std::vector<PyObject*>& given,
                     void* const* values) {
  bool is_complete = true;
  for (const index_argument* each = description.indices; each->argument >= 0; ++each) {
    if (given[static_cast<size_t>(each->argument)]) continue;
    const int64_t length = length_of(values[each->array], each->dimension);
    const int64_t index = sidl_extent_div(sidl_extent_sub(length, each->constant), each->factor);
    store_index(description.info->args[each->argument].type, values[each->argument], index);
    is_complete = false;
  }
  if (!is_complete) check_lengths(description, given, values);
}

}  // namespace sidl_python
