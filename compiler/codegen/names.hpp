// In: names as SIDL spells them.
// Out: the same things as each generated language spells them; every rule is here, and the words
// that languages have already are in reserved_words.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shinar::codegen {

class Namer {
 public:
  // "demo.Solver" > "demo_Solver": the prefix of everything that belongs to a type.
  static std::string symbol(std::string_view name);

  // "demo_Solver_IOR.h" > "included_demo_Solver_IOR_h".
  static std::string include_guard(std::string_view file);

  // "demo.Solver" > "::demo::Solver".
  static std::string cxx_name(std::string_view name);

  // "sidl.rmi" > {"sidl", "rmi"}.
  static std::vector<std::string> parts(std::string_view name);

  // "demo.Solver" > "Solver".
  static std::string local(std::string_view name);

  // "demo.Solver" > "DEMO_SOLVER".
  static std::string upper(std::string_view name);

  // "demo.Solver" > "d_demo_solver": the member of an object that is its parent class or an
  // interface. Constructors of Impls written for Babel spell it.
  static std::string object_member(std::string_view name);

  // A method's name made safe: a keyword of C or C++ gets a trailing '_'. One list serves both
  // languages, since C++ includes the C headers.
  static std::string identifier(std::string_view name);

  // An argument's name made safe, the same one for everything generated that speaks of it: names
  // that headers define as macros or types are avoided too ("I" of <complex.h>).
  static std::string argument(std::string_view name);

  // That of a struct's member, by the same rule. Tables and messages have SIDL's name.
  static std::string member(std::string_view name);
};

}  // namespace shinar::codegen
