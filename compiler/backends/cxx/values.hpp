// In: a SIDL type and how it is passed.
// Out: the C++ types and expressions for it, on the caller's and on the callee's side.
#pragma once

#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::backends::cxx {

// How a value gets from C++ to the IOR and back (runtime/cxx/include/sidl_arg.hxx).
enum class Passing {
  same,       // the same type in both: numbers, chars, opaque
  converted,  // an expression converts: bool, enums, complex numbers
  structure,  // the C++ struct is the C struct
  managed,    // owns something: strings, arrays, objects
  raw         // memory here, an array there
};

Passing passing_of(const ir::TypeRef& type);

// "::std::string", "::sidl::array<double>", "::demo::Norm", "void"
std::string cxx_type(const ir::TypeRef& type);

// "/* in */ const ::std::string& log" has the type "const ::std::string&".
std::string stub_parameter_type(const ir::TypeRef& type, ir::Argument::Mode mode);
std::string impl_parameter_type(const ir::TypeRef& type, ir::Argument::Mode mode);

// One argument of a call: statements and expressions; empty if not needed.
struct Argument {
  std::string
      local;  // declaration of a helper variable: "::sidl::out<::std::string> _out_log(log);"
  std::string pass;     // what is passed on: "_out_log.ptr()"
  std::string settle;   // variable to store() or publish() after the call: "_out_log"
  std::string lent;     // declaration needed before `local`
  std::string before;   // statement before the call
  std::string after;    // statement after it
  bool zeroes = false;  // `local` zeroes the caller's variable
};

// Where an argument stands, for its raw array.
struct Signature {
  std::string method = {};              // "demo.Solver.dot", for messages
  std::vector<std::string> names = {};  // all arguments as they are spelled, for the extents
};

// From C++ to the IOR, and from the IOR to C++.
Argument lower_stub_argument(const ir::Argument& argument, const Signature& of);
Argument lower_skel_argument(const ir::Argument& argument, const Signature& of);

// The same for the halves of a nonblocking method, which pass addresses on.
Argument lower_sent_argument(const ir::Argument& argument, const Signature& of);
Argument lower_received_argument(const ir::Argument& argument);

// `expression`, an IOR value, as a C++ value; for types that are the same or converted.
std::string to_cxx(const ir::TypeRef& type, const std::string& expression);

// `expression`, a C++ value, as an IOR value; for types that are the same or converted.
std::string to_ior(const ir::TypeRef& type, const std::string& expression);

// The statement that gives `value`, an array handle, its declared order; empty if it has none.
std::string demand_statement(const ir::TypeRef& type, const std::string& value,
                             const std::string& what);

// "2, ::sidl::row_major_order" for an array whose order is fixed, else empty.
std::string array_demand(const ir::TypeRef& type);

}  // namespace shinar::backends::cxx
