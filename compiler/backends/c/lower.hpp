// In: one type of the IR.
// Out: what its C files say, every name and every C type decided; emit_*.cpp only print it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/nonblocking.hpp"
#include "codegen/plan.hpp"

namespace shinar::backends::c {

// A value that has one type in C and another one in the IOR: enums, arrays of enums or objects.
struct Conversion {
  std::string c_type;
  std::string ior_type;
  std::string to_c;       // cast that a header needs, for C++: "(enum demo_Norm__enum)"
  std::string to_c_in_c;  // cast, or empty where C converts by itself
  std::string to_ior;     // likewise
};

enum class Mode { in, out, inout };

using codegen::Part;

// A raw array: memory in C, an array in the IOR.
struct RawArray {
  std::string array;                 // type in the IOR: "struct sidl_double__array*"
  std::string type;                  // "sidl_double_array"
  std::string first;                 // "sidl_double__array_first"
  std::vector<std::string> extents;  // C expressions over the arguments
};

struct ArgumentModel {
  std::string name;
  std::string message_name;  // of a stub: "demo.Solver.solve: x"
  Mode mode;
  ir::TypeRef type;
  std::string c_parameter;     // "enum demo_Norm__enum* norm", objects by struct tag
  std::string impl_parameter;  // the same, objects by typedef
  std::string ior_parameter;   // "int64_t* norm"
  std::string set_zero;        // statement that zeroes an out argument: "*norm = 0;"
  bool converts = false;
  Conversion conversion;
  std::optional<RawArray> raw;
};

struct MethodModel {
  std::string name;  // long name
  std::string doc;
  std::vector<std::string> notes;  // comments above its splicer block
  bool is_static = false;
  bool overrides = false;  // a method that the parent class implements
  bool passes_on = false;  // and that calls it, until the user changes that
  std::string c_result;
  std::string impl_result;
  std::string ior_result;
  std::string zero_result;  // expression for `return`, in C alone; empty for void
  ir::TypeRef result;
  bool result_converts = false;
  Conversion result_conversion;
  std::vector<ArgumentModel> arguments;
  Part part = Part::whole;
  // Of a half: for each argument of the whole method, its index in `arguments`; -1: none.
  std::vector<int> positions;
  // Of a half and of a method implemented here: an expression for the table of the whole method.
  std::string info;
  // Of a method implemented here: what runs before and after it (codegen/hooks.hpp), or none.
  std::vector<MethodModel> hooks;
  std::string declared_in;         // of an inherited static method: the symbol of that class
  bool demands_layout = false;     // the skel converts its arrays
  bool checks_dimensions = false;  // the skel only checks their dimensions

  bool converts() const;
  bool has_outs() const;
  // Whether the EPV points to a function between the IOR and the Impl.
  bool has_skel() const { return converts() || has_outs() || demands_layout || checks_dimensions; }
};

// A class or an interface.
struct ObjectModel {
  const ir::Type* type = nullptr;
  std::string name;    // "demo.Solver"
  std::string symbol;  // "demo_Solver"
  std::string parent_symbol;
  bool is_class = false;
  bool is_concrete = false;  // can be created
  bool has_contracts = false;
  std::vector<std::string> includes;       // of <Type>.h, before its functions
  std::vector<std::string> used_includes;  // of <Type>.h, after them: other types they mention
  std::vector<std::string> impl_includes;  // of <Type>_Impl.h
  std::vector<std::string> tags;           // struct tags that <Type>.h declares
  std::vector<MethodModel> stubs;  // every method, inherited ones included, statics last; halves
                                   // behind their method
  std::vector<MethodModel> impl;   // methods implemented here, in order of declaration
};

struct StructModel {
  const ir::Type* type = nullptr;
  std::string symbol;
  std::vector<std::string> includes;
};

ObjectModel lower_object(const codegen::TypeIndex& index, const ir::Type& type, bool has_hooks);
StructModel lower_struct(const codegen::TypeIndex& index, const ir::Type& type);

}  // namespace shinar::backends::c
