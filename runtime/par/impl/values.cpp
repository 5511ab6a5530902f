#include "impl/values.hpp"

#include <algorithm>
#include <string>

#include "sidl_marshal.h"
#include "sidl_struct_array.h"

namespace shinar::par {
namespace {

void check_vector(const ::sidl::basearray& array, const char* name) {
  if (array._not_nil() && array.dimen() == 1) return;
  throw Misfit(std::string("'") + name + "' is " +
               (array._is_nil() ? "null" : "of " + std::to_string(array.dimen()) + " dimensions") +
               "; it must be an array of one dimension");
}

template <typename Element>
std::vector<Element> vector_of(const ::sidl::array<Element>& array, const char* name) {
  check_vector(array, name);
  std::vector<Element> result;
  const std::int64_t length = array.length64(0);
  for (std::int64_t n = 0; n < length; ++n) result.push_back(array.get(array.lower64(0) + n));
  return result;
}

template <typename Element>
::sidl::array<Element> array_of(const std::vector<Element>& values) {
  return ::sidl::array<Element>::create1d(static_cast<int64_t>(values.size()), values.data());
}

// Whether copying its bytes copies an element.
bool has_plain_elements(const struct sidl__array* array) {
  switch (sidl__array_type(array)) {
    case sidl_string_array:
    case sidl_opaque_array:
    case sidl_interface_array:
      return false;
    case sidl_struct_array:
      return sidl_struct_is_plain(sidl__array_struct(array)) != 0;
    default:
      return true;
  }
}

std::string lengths_text(const std::vector<std::int64_t>& lengths) {
  std::string result;
  for (const std::int64_t each : lengths) {
    result += (result.empty() ? "" : " x ") + std::to_string(each);
  }
  return result;
}

std::vector<std::int64_t> lengths_of(const ::sidl::basearray& array) {
  std::vector<std::int64_t> lengths;
  for (int32_t axis = 0; axis < array.dimen(); ++axis) lengths.push_back(array.length64(axis));
  return lengths;
}

[[noreturn]] void throw_other_lengths(const std::vector<std::int64_t>& lengths,
                                      const Redistribution& plan, const char* name) {
  throw Misfit(std::string("'") + name + "' has " + lengths_text(lengths) +
               " elements; the piece of rank " + std::to_string(plan.rank()) + " has " +
               lengths_text(plan.lengths()));
}

}  // namespace

std::vector<std::int64_t> to_vector(const ::sidl::array<std::int64_t>& array, const char* name) {
  return vector_of(array, name);
}

std::vector<int> to_vector(const ::sidl::array<std::int32_t>& array, const char* name) {
  return vector_of(array, name);
}

std::vector<std::string> to_vector(const ::sidl::array<std::string>& array, const char* name) {
  return vector_of(array, name);
}

::sidl::array<std::int64_t> to_array(const std::vector<std::int64_t>& values) {
  return array_of(values);
}

::sidl::array<std::int32_t> to_array(const std::vector<int>& values) {
  return array_of(values);
}

::sidl::array<std::string> to_array(const std::vector<std::string>& values) {
  return array_of(values);
}

std::shared_ptr<const IndexList> to_list(const ::sidl::array<std::int64_t>& own, int rank,
                                         int ranks) {
  check_vector(own, "own");
  struct sidl__array* const kept = sidl__array_smartCopy(own._get_baseior());
  if (kept == nullptr) throw std::bad_alloc();
  auto keeper = std::make_shared<const ::sidl::basearray>(kept);
  const auto* const first = static_cast<const std::int64_t*>(sidl__array_first(kept));
  if (first != nullptr && own.stride64(0) == 1) {
    const std::span indices(first, static_cast<std::size_t>(own.length64(0)));
    return std::make_shared<const IndexList>(indices, std::move(keeper), rank, ranks);
  }
  const auto copied = std::make_shared<const std::vector<std::int64_t>>(to_vector(own, "own"));
  return std::make_shared<const IndexList>(*copied, copied, rank, ranks);
}

std::vector<Bounds> to_rectangles(const ::sidl::array<std::int64_t>& lower,
                                  const ::sidl::array<std::int64_t>& upper) {
  const bool fits = lower.dimen() == 2 && upper.dimen() == 2 &&
                    lower.length64(0) == upper.length64(0) &&
                    lower.length64(1) == upper.length64(1);
  if (!fits) {
    throw Misfit(
        "'lower' and 'upper' are not two arrays of two dimensions and of the same lengths, with a "
        "row for each rank");
  }
  std::vector<Bounds> result(static_cast<std::size_t>(lower.length64(0)));
  for (int64_t row = 0; row < lower.length64(0); ++row) {
    Bounds& each = result[static_cast<std::size_t>(row)];
    for (int64_t axis = 0; axis < lower.length64(1); ++axis) {
      each.lower.push_back(lower.get(lower.lower64(0) + row, lower.lower64(1) + axis));
      each.upper.push_back(upper.get(upper.lower64(0) + row, upper.lower64(1) + axis));
    }
  }
  return result;
}

::sidl::array<std::int64_t> to_rows(const std::vector<Bounds>& all, int dimension,
                                    std::vector<std::int64_t> Bounds::*which) {
  const auto rows = static_cast<int64_t>(all.size());
  auto result = ::sidl::array<std::int64_t>::create2dRow(rows, dimension);
  for (int64_t row = 0; row < rows; ++row) {
    for (int axis = 0; axis < dimension; ++axis) {
      result.set(row, axis, (all[static_cast<std::size_t>(row)].*which)[axis]);
    }
  }
  return result;
}

void check_empty(const ::sidl::basearray& array, const Redistribution& plan, const char* name) {
  if (array._is_nil()) return;
  const std::vector<std::int64_t> lengths = lengths_of(array);
  if (std::ranges::find(lengths, 0) == lengths.end()) throw_other_lengths(lengths, plan, name);
}

Storage storage_of(const ::sidl::basearray& array, const Redistribution& plan, const char* name) {
  const struct sidl__array* const of = array._get_ior();
  const std::string what = std::string("'") + name + "'";
  if (of == nullptr) {
    throw Misfit(what + " is null; the piece of rank " + std::to_string(plan.rank()) + " has " +
                 lengths_text(plan.lengths()) + " elements");
  }
  if (!has_plain_elements(of)) {
    throw Misfit("the elements of " + what + " have references to others; only numbers, chars, " +
                 "bools, enums, and structs of these can be sent in pieces");
  }
  Storage result{nullptr, {}, sidl__array_element_bytes(of)};
  for (int32_t axis = 0; axis < array.dimen(); ++axis) {
    result.strides.push_back(array.stride64(axis) * static_cast<std::int64_t>(result.element));
  }
  const std::vector<std::int64_t> lengths = lengths_of(array);
  if (lengths != plan.lengths()) throw_other_lengths(lengths, plan, name);
  result.first = static_cast<std::byte*>(sidl__array_first(of));
  if (result.first == nullptr && !plan.messages().empty()) {
    throw Misfit("the elements of " + what + " are not in the memory of the host; copy them there");
  }
  return result;
}

}  // namespace shinar::par
