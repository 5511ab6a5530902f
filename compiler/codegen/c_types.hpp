// In: SIDL types as the IR holds them.
// Out: their C types in the IOR (docs/ior.md, rule 2), shared by all back ends that use the IOR:
// ior, c and cxx.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::codegen {

inline constexpr std::string_view kExType = "struct sidl_BaseInterface__object**";

// "struct demo_Solver__object"
std::string object_struct(std::string_view type_name);

// The tag of an array struct in the IOR: "sidl_double__array", "sidl_long__array" for enums,
// "sidl_interface__array" for classes and interfaces, "sidl_struct__array" for structs,
// "sidl__array" for array<>. Raw arrays count
// as arrays here, in arguments' types and in the functions below.
std::string ior_array_tag(const ir::TypeRef& type);

// "demo_Norm__array": arrays of enums, objects and structs have their own type in C; empty for
// others.
std::string named_array_tag(const ir::TypeRef& type);

// The type of a variable that owns such a value: "int32_t", "char*", "struct demo_Stats__data".
std::string ior_value_type(const ir::TypeRef& type);

// The type of a parameter: "const char*", "char**", "const struct demo_Stats__data*".
std::string ior_parameter_type(const ir::TypeRef& type, ir::Argument::Mode mode);

// The type of a struct's member, the same in C and the IOR; a named array has its own type. That of
// an array in the struct is its elements'.
std::string member_type(const ir::TypeRef& type);
// "double x[3]"
std::string member_declaration(const ir::TypeRef& type, std::string_view name);

// The zero initializer of a variable: "0", "NULL", "{0}".
std::string ior_zero(const ir::TypeRef& type);

// Complex numbers and structs are aggregates: C returns them as structs.
bool is_complex(const ir::TypeRef& type);
bool is_aggregate(const ir::TypeRef& type);

// "int64_t norm", "char** log": type and name, in C.
std::string declare(std::string_view type, std::string_view name);

// Where the value of such a parameter is: "&norm", "x". A struct is passed by address in every
// mode; as `in` it is const, which tables of addresses are not.
std::string ior_argument_address(const ir::Argument& argument);

// Parameters of the method in the IOR, joined by ", ": those of the arguments, then `_ex`, without
// `self`.
std::string ior_parameters(const ir::Method& method);

// "self, norm, &x" and the like: joins with ", ".
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

}  // namespace shinar::codegen
