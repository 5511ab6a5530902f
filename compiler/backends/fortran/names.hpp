// In: names as SIDL spells them.
// Out: names that Fortran takes: at most 63 characters, no two alike but for case.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/backend.hpp"

namespace shinar::backends::fortran {

inline constexpr std::size_t kLongestName = 63;

std::string lower_case(std::string_view text);

// A name of any length in at most `room` characters: a longer one keeps its beginning, and ends in
// the hash of the whole. docs/fortran.md promises the rule.
std::string shorten(const std::string& name, std::size_t room = kLongestName);

// "demo.Solver", "solve" > "demo_Solver__solve": what belongs to a type. SIDL names have no "__".
std::string member_of(std::string_view type, std::string_view what);

// The same of a procedure for arrays of a struct. Another run of sidlc made the module of a foreign
// struct, with such procedures or without: those that are made here must not be called the same.
std::string array_part(std::string_view structure, bool is_foreign, const std::string& what);

// The procedures of a method: the stub, of the form "", "__p", "__a" (lower.hpp), and the user's.
std::string stub_of(std::string_view type, const std::string& method, std::string_view form);
std::string impl_of(std::string_view type, const std::string& method);

// The procedure between C and the user's.
std::string skel_of(const std::string& method);

// The name a method is called by; one that handles have already gets a trailing '_'.
std::string binding(const std::string& method);

// The names of the arguments of a type's method, in order: those that mean something else in
// generated code, and those that differ from an earlier one by case alone, get trailing '_'s.
std::vector<std::string> argument_names(std::string_view type, const ir::Method& method);

// Names that are not the same in SIDL, and are in Fortran: "a.b_c" and "a_b.c" have one symbol, and
// two long names might be shortened to one.
class NameCheck {
 public:
  explicit NameCheck(std::vector<codegen::Problem>& problems) : problems_(problems) {}

  void add(const std::string& fortran, const std::string& sidl, const ir::Span& span);

 private:
  std::vector<codegen::Problem>& problems_;
  std::map<std::string, std::string> names_;
};

}  // namespace shinar::backends::fortran
