// In: names as SIDL spells them.
// Out: the names in each generated language. All naming rules are here; reserved words are in
// reserved_words.hpp.
#pragma once

#include <functional>
#include <set>
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
  // interface. Constructors of Impls written for Babel use it.
  static std::string object_member(std::string_view name);

  // The function of the type `symbol` that sends a call of the method: not the table of all of
  // them, which is called "epv".
  static std::string remote_stub(std::string_view symbol, std::string_view method);

  // A name made safe where `is_taken` tells which are not: those get a trailing '_'. So do those
  // that have one already, and would else be what another one becomes: "I" is "I_", and "I_" is
  // "I__". Names that differ stay different, whatever they are the names of.
  static std::string escaped(std::string_view name,
                             const std::function<bool(std::string_view)>& is_taken);

  // A method's name made safe in C++: keywords, macros, and what its classes use themselves.
  static std::string method(std::string_view name);

  // An argument's name made safe, the same in all generated code: keywords of C and C++, since C++
  // includes the C headers, what headers define as macros or types ("I" of <complex.h>), and
  // libsidl's own names.
  static std::string argument(std::string_view name);
  // The same beside types of these names.
  static std::string argument(std::string_view name, const std::set<std::string>& types);

  // The name of a struct's member, by the same rule, but for libsidl's names. Tables and messages
  // use SIDL's name.
  static std::string member(std::string_view name);
};

}  // namespace shinar::codegen
