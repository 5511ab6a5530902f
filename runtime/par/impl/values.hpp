// Between arrays of SIDL and what core/ has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/distribution.hpp"
#include "core/index_list.hpp"
#include "core/redistribution.hpp"
#include "sidl_cxx.hxx"

namespace shinar::par {

// An array of one dimension; throws Misfit with the name of what it should be.
std::vector<std::int64_t> to_vector(const ::sidl::array<std::int64_t>& array, const char* name);
std::vector<int> to_vector(const ::sidl::array<std::int32_t>& array, const char* name);
std::vector<std::string> to_vector(const ::sidl::array<std::string>& array, const char* name);
::sidl::array<std::int64_t> to_array(const std::vector<std::int64_t>& values);
::sidl::array<std::int32_t> to_array(const std::vector<int>& values);
::sidl::array<std::string> to_array(const std::vector<std::string>& values);

// The indices of rank `rank` of so many; not copied, unless the array is borrowed, or not dense.
std::shared_ptr<const IndexList> to_list(const ::sidl::array<std::int64_t>& own, int rank,
                                         int ranks);

// Row r of two arrays of two dimensions are the bounds of rank r.
std::vector<Bounds> to_rectangles(const ::sidl::array<std::int64_t>& lower,
                                  const ::sidl::array<std::int64_t>& upper);
// One of the two, from rectangles of so many dimensions.
::sidl::array<std::int64_t> to_rows(const std::vector<Bounds>& all, int dimension,
                                    std::vector<std::int64_t> Bounds::*which);

// Where the rank's piece has no elements: throws Misfit if the array, which may be nil, has some.
void check_empty(const ::sidl::basearray& array, const Redistribution& plan, const char* name);
// The elements of an array whose lengths are those of a rank's piece; others are refused, as are
// elements that are not numbers, chars, bools, enums or structs without references.
Storage storage_of(const ::sidl::basearray& array, const Redistribution& plan, const char* name);

}  // namespace shinar::par
