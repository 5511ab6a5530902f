// In: the types of the IR.
// Out: the content of the files of the Fortran 77 interface, every name and statement decided;
// f77_emit.cpp only prints it.
//
// A subroutine in Fortran, whose name and conventions are the Fortran compiler's, turns characters
// and logicals into C's and calls a function in C, which turns handles into the arguments of the C
// binding's stub. Everything is passed by address.
#pragma once

#include <string>
#include <vector>

#include "backends/fortran/lower.hpp"

namespace shinar::backends::fortran {

// An argument, or the result, converted from old Fortran to the C binding and back.
struct F77Value {
  std::string name;         // of the dummy argument
  std::string dummy;        // its declaration
  std::string local;        // declaration of an intermediate variable, if any
  std::string before;       // statement in front of the call of the C function
  std::string actual;       // argument of that call
  std::string after;        // statement behind the call
  std::string c_dummy;      // declaration in the interface of the C function
  std::string c_parameter;  // the same in C
  Lines c_locals;           // declarations in C
  std::string c_zero;       // statement in C that makes it zero
  std::string c_actual;     // argument of the C stub
  std::string c_before;     // statement in C in front of its call, when nothing has failed
  Lines c_after;            // statements in C behind its call
  bool may_fail = false;    // c_locals may throw
};

struct F77Procedure {
  std::string name;    // "tour_Kit_sum_f"
  std::string c_name;  // "tour_Kit_sum__f77"
  std::string where;   // "tour.Kit.sum", for traces
  std::string signature;
  std::string doc;
  std::vector<F77Value> values;
  Lines c_call;
};

struct F77Type {
  std::string symbol;  // "class tour.Kit 1.0"
  std::vector<F77Procedure> procedures;
};

// Arrays of a type that have subroutines of its name, by those for arrays of long or of objects.
struct F77Array {
  std::string type;      // "tour.Side"
  std::string symbol;    // "tour_Side"
  std::string elements;  // "sidl_long_"
  bool is_enum = false;

  // "tour_Side__array_get1_f"
  std::string procedure(const std::string& function) const;
};

struct F77Package {
  std::string name;  // "tour": what file names begin with
  std::string symbol;
  std::string source;
  std::vector<std::string> includes;  // of the file in C
  std::vector<F77Type> types;
  std::vector<F77Array> arrays;
  std::vector<const ir::Type*> enums;
};

std::vector<F77Package> lower_f77(const codegen::TypeIndex& index,
                                  std::vector<codegen::Problem>& problems);

// ---- f77_arrays.cpp ----------------------------------------------------------------------------

// All subroutines.
std::vector<std::string> f77_array_names(const F77Array& array);

// ---- f77_values.cpp ----------------------------------------------------------------------------

// How a value is passed; `name` is its name in Fortran, `c_name` in C.
F77Value f77_value(const std::string& name, const std::string& c_name, ir::Argument::Mode mode,
                   const ir::TypeRef& type);

// The handle that a method is called on: of an object, or of a struct.
F77Value f77_self(const ir::Type& type);

// Statements in C that store what the expression `call` gives as the result.
Lines f77_store(const ir::TypeRef& type, const std::string& call);

// The subroutines that read and write the members of a struct: their statements in C. The locations
// of a struct's members, in order; then how one of them is read and set.
Lines f77_places(const ir::Type& type);
Lines f77_get(const ir::Member& member, const Lines& places);
Lines f77_set(const ir::Member& member, const Lines& places);

}  // namespace shinar::backends::fortran
