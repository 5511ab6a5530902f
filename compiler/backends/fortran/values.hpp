// In: a SIDL type with its mode.
// Out: how such a value is declared in Fortran and in C, and how it gets from one to the other.
#pragma once

#include "backends/fortran/lower.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::fortran {

enum class Kind {
  plain,
  boolean,
  complex,
  string,
  structure,
  object,
  array,
  characters,
  strings,
  objects,
  structures,
  any,
  raw
};

Kind kind_of(const ir::TypeRef& type);

// Whether it is one object, of a class or behind an interface.
bool is_object(const ir::TypeRef& type);

// Whether the struct has members and owns nothing: then it lies in memory as it does in C.
bool is_plain(const codegen::TypeIndex& index, const std::string& structure);
// Whether it is plain, and all its members' types are C's, which logicals are not.
bool is_interoperable(const codegen::TypeIndex& index, const std::string& structure);

// Whether it has handles, in nested structs, too: assignment counts references.
bool has_handles(const codegen::TypeIndex& index, const std::string& structure);

// The procedure `what` for arrays of the struct that the elements of the array are.
std::string array_part(const codegen::TypeIndex& index, const ir::TypeRef& array,
                       const std::string& what);

// Whether it is an array that says what its elements are: neither array<> nor a raw one.
bool is_typed_array(const ir::TypeRef& type);

// "real(real64)": of a plain, boolean or complex value, or of elements of an array.
std::string element_type(const ir::TypeRef& type);
// "real(real64)", "character(:), allocatable", "type(demo_Solver)".
std::string scalar_type(const ir::TypeRef& type);
// What holds it in C: "real(real64)", "integer(c_int)", "type(c_ptr)", "type(demo_Stats__data)".
std::string c_type(const ir::TypeRef& type);
// The same where Fortran and C have the same variable: complex numbers are Fortran's.
std::string interoperable_type(const ir::TypeRef& type);
// The zero of c_type().
std::string c_zero(const ir::TypeRef& type);
// The zero of a variable or function of the user's: of a basic value or an enum.
std::string zero(const ir::TypeRef& type);
// ":,:"
std::string colons(const ir::TypeRef& type);
// "sidl_double_array"
std::string array_code(const ir::TypeRef& type);
// What an index argument is by the shape of a raw array: "(size(x, 1) - 1) / 2"; `size` is the
// function.
std::string index_text(const codegen::IndexSource& source, const std::string& size,
                       const std::string& array);
// The extents of a raw array, over the names of arguments or members.
std::string extents(const ir::TypeRef& type, const std::vector<std::string>& names);
// "(x_c%re, …)": from C's complex numbers and back.
std::string from_complex(const ir::TypeRef& type, const std::string& name);
std::string to_complex(const ir::TypeRef& type, const std::string& name);
// "allocate (x(…))": with the bounds of the SIDL array `array`; of strings, long enough for each.
std::string allocate_like(const ir::TypeRef& type, const std::string& name,
                          const std::string& array);

// "lbound(x, kind=int64)": where the bounds of a SIDL array come from.
std::string lower_bounds(const std::string& array);
// "call c_f_pointer(c_null_ptr, x, [1])": makes the pointer `name` none, for good. NULLIFY leaves
// its bounds as they are, and if they are those of an array without elements, gfortran 12 passes it
// on as it does `[real(real64) ::]`.
std::string make_none(const ir::TypeRef& type, const std::string& name);
// The same for an allocatable: lines behind `if (…) then`.
std::vector<std::string> or_none(const ir::TypeRef& type, const std::string& name);

// The name of a procedure of a type's: "demo_Solver__info()".
std::string info_of(const ir::TypeRef& type);

// "sidl_check_array(x, sidl_double_array, 2", "sidl_check_structs(x, demo_Stats__info(), 2": the
// beginning of a call of `check` or `expect` with what the array must be.
std::string demand(const std::string& procedure, const ir::TypeRef& type, const std::string& array);

// What generics are told apart by.
Category category_of(const ir::TypeRef& type);

struct Use {
  std::string name;
  ir::Argument::Mode mode = ir::Argument::IN;
  const ir::TypeRef* type = nullptr;
  const std::vector<std::string>* names = nullptr;  // of all arguments
  Form form = Form::allocatable;
  Part part = Part::whole;
  const codegen::TypeIndex* index = nullptr;
  std::string where{};  // of a stub's argument: the method, "demo.Solver.solve"
  Indices indices = Indices::given;
};

// Where the elements of a new SIDL array of structs come from.
struct Source {
  std::string first;  // an expression for the address of the Fortran array
  std::string lower;  // and for the lower bounds that the array gets
  std::string ex;     // the variable for an exception
};
// Makes `array` an array of copies of the structs in the Fortran array `name`, with the pointer
// `elements`; null if that is null. And the other way round: allocates, with `array` in column
// order.
Lines new_structures(const codegen::TypeIndex& index, const ir::TypeRef& type,
                     const std::string& name, const std::string& array, const std::string& elements,
                     const Source& source);
Lines take_structures(const codegen::TypeIndex& index, const ir::TypeRef& type,
                      const std::string& name, const std::string& array,
                      const std::string& elements, const std::string& ex);

// The statement that gives back what the structs in an allocated array refer to; empty if they have
// no handles. gfortran 12 takes an allocatable whose last bound is -1 for one of assumed size, and
// does not finalise its elements.
std::string release_structures(const codegen::TypeIndex& index, const ir::TypeRef& type,
                               const std::string& name);

Value stub_value(const Use& use);
Value skel_value(const Use& use);
// A member of a struct, which has members called `names`.
MemberModel member_value(const codegen::TypeIndex& index, const std::string& structure,
                         const std::string& name, const ir::TypeRef& type,
                         const std::vector<std::string>& names);

// Whether the result is a function's; others are the last argument.
bool is_function_result(const ir::TypeRef& type);

}  // namespace shinar::backends::fortran
