// In: the types of the IR.
// Out: the content of the Fortran files, every name, type and statement decided; emit_*.cpp only
// print it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/backend.hpp"
#include "codegen/nonblocking.hpp"
#include "codegen/plan.hpp"
#include "codegen/type_index.hpp"

namespace shinar::backends::fortran {

using codegen::Part;
using Lines = std::vector<std::string>;

inline constexpr int kMostDimensions = 7;  // of an array

// "type(c_ptr), value" and "x": those of one type are declared in one line.
struct Declaration {
  std::string type;
  std::string name;
};

// What distinguishes the procedures of a generic name.
struct Category {
  std::string name;    // type, kind and rank; empty for one object
  std::string object;  // of one object: its SIDL type, which includes its subtypes
};

enum class Attribute { none, allocatable, pointer };

// An argument, or the result, as a stub or a skel passes it.
struct Value {
  std::string name;
  Lines dummy;                      // declarations of the dummy argument of the generated procedure
  std::vector<Declaration> locals;  // what is between
  Lines before;                     // statements in front of the call
  std::string actual;               // what is passed on
  Lines after;                      // statements behind it
  Lines last;                       // and behind those of all values: others may have its elements
  Lines failed;                     // of a skel: what makes it zero after an exception
  Declaration c_dummy;              // the C function's argument
  std::string user_dummy;           // of a skel: the declaration in the user's procedure
  std::string hook_dummy;           // and in the hooks of that
  std::string address;              // of a half: where the value is
  std::string user_zero;            // of a skel: what a function of the user's has to begin with
  Category category;
  Attribute attribute = Attribute::none;
  bool can_be_pointer = false;  // an allocatable that is a pointer in another form of the stub
  bool late = false;            // its dummy names others: declared behind them
  bool is_computed = false;     // a local variable: an index argument that is left out
  bool gives = false;           // of a skel: an array that the method may have made
  bool is_result = false;       // the C function's result, which comes back in an argument
  bool takes_ex = false;        // passes the address of the variable for exceptions on
};

// How a stub passes arrays: as Fortran arrays, returned ones being allocatables or pointers, or as
// type(sidl_array), the SIDL arrays themselves.
enum class Form { allocatable, pointer, handle };

// Whether index arguments of raw arrays are given, or those left out that follow from the arrays'
// shapes.
enum class Indices { given, left_out };

// A stub, or a procedure of an Impl.
struct Procedure {
  std::string name;  // "demo_Solver__solve"
  std::string doc;
  std::string where;     // "demo.Solver.solve", for traces
  std::string abstract;  // the interface of the C function: "demo_Solver__solve__c"
  std::vector<Value> arguments;
  std::optional<Value> result;  // of a function; other results are arguments
  std::string c_result;         // declaration of the C function's result, if any
  std::string returned;         // what is assigned the C function's result; empty: void
  std::string zero;             // of the C function's result, which is anything after an exception
  bool is_static = false;
  Part part = Part::whole;
  Lines indices;  // what computes index arguments that are left out, and checks the arrays' shapes
  int slot = 0;   // of the EPV, or of the static one; of a half as sidl_rmi_send wants it
  std::vector<int> positions;  // of a half: its argument for each of the method's
  std::string retval_address;  // of a half
};

// A name that a method is called by.
struct Generic {
  std::string name;
  std::vector<std::string> bindings;
};

struct Binding {
  std::string method;     // long name
  std::string name;       // "m_solve"
  std::string procedure;  // "demo_Solver__solve"
  bool is_static = false;
};

// What runs before or after a method (codegen/hooks.hpp).
struct HookModel {
  std::string name;    // "solve_pre_impl"
  std::string c_name;  // "solve_pre"
  std::string doc;
  std::vector<Value> arguments;  // those of the method's skel that it gets
};

// A method as its class implements it.
struct ImplModel {
  std::string name;                // "solve_impl"
  std::string skel;                // "demo_Solver__fortran_solve"
  std::string c_name;              // "solve"
  std::vector<std::string> notes;  // comments above its splicer block
  Procedure procedure;
  std::vector<HookModel> hooks;  // before and after, or none
  Procedure super;               // if it overrides the parent class's
  bool overrides = false;
  bool passes_on = false;                // calls `super`, until the user changes that
  bool demands_layout = false;           // of arrays that it gets
  bool settles_layout = false;           // and then of what it gives, or of what replaced these
  std::string ior_result;                // in C
  std::string ior_parameters;            // in C, without self
  std::vector<std::string> c_arguments;  // names in C
  Lines c_addresses;
  std::string zero_result;  // in C, an expression: "0", or empty for void
  std::string info;
};

struct ObjectModel {
  const ir::Type* type = nullptr;
  std::string name;             // "demo.Solver"
  std::string symbol;           // "demo_Solver"
  std::string fortran;          // "demo_Solver", shortened
  std::string parent;           // "sidl_BaseClass"
  bool is_implemented = false;  // in Fortran, by this run
  bool has_contracts = false;
  std::vector<Binding> bindings;
  std::vector<Generic> generics;
  std::vector<Procedure> stubs;
  std::vector<Procedure> abstracts;  // one for each C function that stubs call
  std::vector<ImplModel> impl;
  int data_word = 0;                   // where an object keeps the address of its data, in words
  std::vector<std::string> impl_uses;  // modules that the Impl uses
  std::vector<std::string> skel_uses;  // and the skel, beside these
};

struct MemberModel {
  std::string name;
  std::string doc;
  std::string declaration;  // in Fortran
  Lines c_declarations;     // in the C struct
  bool allocates = false;   // it is an allocatable
  bool is_raw = false;      // a raw array
  Lines locals;
  Lines to_c, from_c;
  std::string release;  // gives back what it refers to; empty: it has no handles
};

struct StructModel {
  const ir::Type* type = nullptr;
  std::string symbol;
  std::string fortran;
  std::vector<MemberModel> members;
  bool checks = false;    // has raw arrays: the way to C ends with an exception if one does not fit
  bool counts = false;    // has handles: assignment is defined, which intrinsic ones forget
  std::string assign;     // name of the binding, which no member has
  bool is_plain = false;  // owns nothing
  bool is_interoperable = false;
  bool has_arrays = false;  // procedures for arrays of them are made here
  bool is_foreign = false;  // and nothing else: another run makes the struct
};

struct EnumModel {
  const ir::Type* type = nullptr;
  Lines constants;
};

// One type, or several that need each other: Fortran's modules cannot use each other. Or what
// arrays of a foreign struct need.
struct ModuleModel {
  std::string name;  // "demo_Solver__m"
  std::vector<std::string> uses;
  std::vector<EnumModel> enums;
  std::vector<StructModel> structs;
  std::vector<ObjectModel> objects;
  std::vector<std::string> exports;
};

// What users use: all types of a package.
struct PackageModel {
  std::string name;  // "demo"
  std::string doc;
  std::vector<std::string> uses;
  bool is_standard_library = false;
};

// A file with the modules of a package, or of several that need each other.
struct FileModel {
  std::string name;  // "demo"
  std::string source;
  std::string symbol;                // "package demo 1.0"
  std::vector<ModuleModel> modules;  // each behind those it uses
  std::vector<PackageModel> packages;
};

std::vector<FileModel> lower_files(const codegen::TypeIndex& index, const codegen::Request& request,
                                   std::vector<codegen::Problem>& problems);

}  // namespace shinar::backends::fortran
