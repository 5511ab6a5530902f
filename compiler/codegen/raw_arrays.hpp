// In: raw arrays (rarray) as the IR holds them.
// Out: their C form: an element type, a column-major array in the IOR, and extents as
// expressions over sidl_raw_array.h that cannot overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::codegen {

bool is_raw(const ir::TypeRef& type);
bool has_raw_arrays(const ir::Method& method);

// The lengths of a struct's array whose extents are numbers: its elements lie in the struct. Empty
// for other members.
std::vector<std::int64_t> inline_lengths(const ir::TypeRef& member);
bool is_inline(const ir::TypeRef& member);
std::int64_t inline_size(const ir::TypeRef& member);  // elements
// A struct's array that is memory of its user's.
bool is_raw_member(const ir::TypeRef& member);

// True for raw arrays and arrays of a declared order: the callee converts what it gets.
bool demands_layout(const ir::TypeRef& type);
// True for these and arrays of a declared number of dimensions: the callee rejects others.
bool demands_dimension(const ir::TypeRef& type);

// The IOR's array type of a raw array; other types unchanged.
ir::TypeRef as_array(const ir::TypeRef& type);

// "sidl_double_array", of enum sidl_array_type.
std::string array_type_constant(const ir::TypeRef& type);

// The extents as C expressions of type int64_t; `variables` has the C spelling of each argument, or
// member.
std::vector<std::string> extent_texts(const ir::TypeRef& type,
                                      const std::vector<std::string>& variables);

// The argument, or member, that an extent names, if any.
std::optional<std::uint32_t> extent_variable(const ir::Expression& extent);

// Renames the variables of the extents of a method's raw arrays: argument i becomes numbers[i].
void renumber_extents(ir::Method& method, const std::vector<int>& numbers);

// factor * variable + constant
struct Affine {
  std::int64_t factor = 0;
  std::int64_t constant = 0;
};

// What an index argument follows from: the length of a raw array in one dimension.
struct IndexSource {
  int array = 0;  // which argument
  int dimension = 0;
  Affine length;  // by the index argument
  bool is_length() const { return length.factor == 1 && length.constant == 0; }
};

// The source of the argument `index`: the first extent that is the argument itself, or else the
// first that there is one solution of. Callers who have arrays may leave out what has a source.
std::optional<IndexSource> index_source(const ir::Method& method, std::uint32_t index);

// What the variable must be for the extent to be `length`, as C text: SIDL_NO_EXTENT where no
// integer will do.
std::string solved_extent(const Affine& extent, const std::string& length);

}  // namespace shinar::codegen
