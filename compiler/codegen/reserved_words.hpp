// In: a SIDL name, or one derived from it.
// Out: whether it is reserved in a generated language or already used by generated code. The tables
// of all languages are in reserved_words.cpp; what to do about a reserved name is up to the caller.
// (Names that SIDL itself rejects, for all languages, are in sema/names.cpp.)
#pragma once

#include <string_view>

namespace shinar::codegen {

enum class Words {
  c,
  cxx,                // in addition to those of C
  c_headers,          // types, and what no system here has as a macro
  c_macros,           // without parameters: all that we know of (c_macros.inc), beside those
  cxx_macros,         // of these, what C++ has
  cxx_functions,      // macros with parameters, where generated C++ is compiled
  c_argument,         // in addition to all of C and C++
  cxx_member,         // what C++ classes use where their methods are known
  c_types,            // types whose names might be a package's and its type's: "time_t"
  cxx_global,         // what the headers of C declare beside namespaces: "time", "tm"
  fortran_handle,     // members of every handle; Fortran's are in lower case, here and below
  fortran_procedure,  // used in generated procedures
  fortran_module,     // names in a module that follow its type's name and two underscores
  fortran_impl,       // names in every implementation beside its methods
  python,
  python_module,   // modules that no package can be called like: they are there before it is found
  python_library,  // others that may be, or that what the binding imports needs
  java,
  java_method,  // in addition to those of Java
  java_type     // what a variable must not be called like, or code means that
};

bool is_reserved(Words words, std::string_view name);

}  // namespace shinar::codegen
