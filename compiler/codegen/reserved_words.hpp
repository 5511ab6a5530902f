// In: a name as SIDL has it, or one made of it.
// Out: whether a generated language, or what generated code uses, has it already. All tables of all
// languages are in reserved_words.cpp; what is done about such a name is the business of who asks.
// (What SIDL itself refuses, for all languages alike, is in sema/names.cpp.)
#pragma once

#include <string_view>

namespace shinar::codegen {

enum class Words {
  c,
  cxx,                // what C++ adds to C
  c_headers,          // macros and types
  fortran_handle,     // what every handle has; Fortran's in lower case, here and below
  fortran_procedure,  // what generated procedures use
  fortran_module,     // what a module has under its type's name and two underscores
  fortran_impl,       // what every implementation has beside its methods
  python
};

bool is_reserved(Words words, std::string_view name);

}  // namespace shinar::codegen
