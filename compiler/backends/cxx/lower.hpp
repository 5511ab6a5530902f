// In: one type of the IR.
// Out: what its C++ files say, every name and every C++ type decided; emit_*.cpp only print it.
#pragma once

#include <string>
#include <vector>

#include "backends/cxx/values.hpp"
#include "codegen/nonblocking.hpp"
#include "codegen/plan.hpp"

namespace shinar::backends::cxx {

// How a function returns the result of its call.
enum class ResultForm { none, plain, owned };

using codegen::Part;

struct MethodModel {
  std::string name;       // short name, what C++ callers write
  std::string long_name;  // name in the IOR and of the splicer block
  std::string doc;
  std::vector<std::string> notes;  // comments above its splicer block
  bool is_static = false;
  bool overrides = false;  // a method that the parent class implements
  bool passes_on = false;  // and that calls it, until the user changes that
  bool drops = false;      // gives the handle's own reference back
  std::string throws;      // "::demo::SolverException", most derived first, joined by ", "

  std::string result;      // C++ type
  std::string ior_result;  // C type
  ResultForm result_form = ResultForm::none;
  std::string stub_variable;  // declares the constant `_result`: "const int64_t _result"
  std::string skel_variable;  // "const ::demo::Norm _result"
  std::string result_to_cxx;  // from the IOR value `_result`
  std::string result_to_ior;  // from the C++ value `_result`
  std::string result_demand;  // statement that gives an array its order, or empty

  std::vector<std::string> stub_prelude;  // statements before the call
  std::string stub_parameters;            // "const ::std::string& log, int32_t n"
  std::string impl_parameters;            // the same for the Impl, with the mode in a comment
  std::string ior_parameters;             // C, behind `self`
  std::vector<std::string> argument_names;
  std::vector<Argument> stub_arguments;
  std::vector<Argument> skel_arguments;

  // Of a method implemented here: what runs before and after it (codegen/hooks.hpp), or none.
  std::vector<MethodModel> hooks;

  Part part = Part::whole;
  std::string info;                    // of a half: an expression for the whole method's table
  std::vector<std::string> addresses;  // of a half: one for each argument of the whole method
  std::string receiver;  // of the second half: "sidl_rmi_receive", as libsidl calls it
};

// Types of one namespace to be declared before they are used.
struct ForwardClass {
  std::string name;
  std::string key;    // what it is declared with, behind `class`, or empty
  std::string guard;  // of its header, which declares it at once
};

struct Forward {
  std::vector<std::string> namespaces;
  std::vector<ForwardClass> classes;
};

// A class or an interface.
struct ObjectModel {
  const ir::Type* type = nullptr;
  std::string name;        // "demo.Solver"
  std::string symbol;      // "demo_Solver"
  std::string local_name;  // "Solver"
  std::string key;         // of the first declaration of its class, after `class`
  std::vector<std::string> namespaces;
  std::string parent_symbol;  // of the parent class, or empty
  bool is_class = false;
  bool is_concrete = false;  // can be created
  bool has_contracts = false;
  bool is_exception = false;                // a class whose objects are thrown
  std::vector<std::string> bases;           // "::demo::Operator"
  std::vector<std::string> base_includes;   // must be complete before the class
  std::vector<std::string> value_includes;  // leaf headers: enums, arrays
  std::vector<std::string> use_includes;    // needed by the bodies of methods
  std::vector<Forward> forwards;
  std::vector<MethodModel> stubs;  // every method, inherited ones included, and their halves
  std::vector<MethodModel> statics;
  std::vector<MethodModel> impl;  // methods implemented here, in order of declaration
};

struct MemberModel {
  std::string name;
  std::string cxx_type;
  std::string parameter_type;
  std::string doc;
  std::string new_value;  // of `value`, what set_x stores
  bool is_struct = false;
};

struct StructModel {
  const ir::Type* type = nullptr;
  std::string symbol;
  std::string local_name;
  std::string key;
  std::vector<std::string> namespaces;
  std::vector<std::string> value_includes;
  std::vector<std::string> use_includes;
  std::vector<Forward> forwards;
  std::vector<MemberModel> accessors;  // members that C++ spells otherwise than C
};

struct EnumModel {
  const ir::Type* type = nullptr;
  std::string symbol;
  std::string local_name;
  std::vector<std::string> namespaces;
};

ObjectModel lower_object(const codegen::TypeIndex& index, const ir::Type& type, bool has_hooks);
StructModel lower_struct(const codegen::TypeIndex& index, const ir::Type& type);
EnumModel lower_enum(const ir::Type& type);

// Packages and types that cannot be namespaces and classes.
std::vector<codegen::Problem> find_cxx_problems(const codegen::TypeIndex& index);

}  // namespace shinar::backends::cxx
