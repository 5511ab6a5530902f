// In: a basic type of SIDL.
// Out: how the languages of the back ends spell it, from one table. Enums, structs, objects and
// arrays have rules of their own, in c_types.hpp and in each back end.
#pragma once

#include <string_view>

#include "ir/ir.hpp"

namespace shinar::codegen {

struct BasicType {
  ir::TypeRef::Kind kind;
  // In C, as the IOR has it.
  std::string_view c;
  std::string_view c_zero;
  std::string_view cxx;
  // In Fortran, and what holds it where C looks at it.
  std::string_view fortran;
  std::string_view fortran_zero;
  std::string_view fortran_c;
  std::string_view fortran_c_zero;
  std::string_view fortran_77;
  // In Python: an annotation, a default value, the type of elements of arrays.
  std::string_view python;
  std::string_view python_zero;
  std::string_view numpy;
  // The letter of a value that calls from Python pass without memory of its own
  // (sidl_python.hpp), or a blank.
  char quick;
  // In Java: the type, what it is in a Holder, its name in accessors and arrays (IntArray), a
  // default value; what native methods get, "" for what has to be in memory.
  std::string_view java;
  std::string_view java_boxed;
  std::string_view java_name;
  std::string_view java_zero;
  std::string_view jni;
  std::string_view jni_letter;
  // In memory, in bytes.
  int size;
  int alignment;
};

// nullptr: it is no basic type.
const BasicType* find_basic_type(ir::TypeRef::Kind kind);

}  // namespace shinar::codegen
