// In: one package of the IR.
// Out: what its Python files and its extension module say, every name decided; emit_*.cpp print it.
#pragma once

#include <string>
#include <vector>

#include "codegen/backend.hpp"
#include "codegen/raw_arrays.hpp"
#include "codegen/type_index.hpp"

namespace shinar::backends::python {

// An argument that callers may leave out: what its value follows from.
struct IndexModel {
  int argument = 0;
  codegen::IndexSource source;
};

struct MethodModel {
  std::string name;                // "solve"
  std::string slot;                // field of the EPV without "f_"
  std::string comment;             // as SIDL says it
  std::string doc;                 // of Python: signature, then the doc comment
  std::string text;                // the doc comment alone
  std::vector<std::string> notes;  // comments above its splicer block
  std::string epv;                 // "demo_Solver__epv"
  int index = 0;                   // of the slot, or among the static methods
  bool is_static = false;
  bool is_nonblocking = false;
  bool takes_deadline = true;  // as a keyword: none of its arguments has this name
  bool takes_strict = false;   // the same, of a method that is given arrays
  bool is_brief = false;       // the interpreter's lock is kept while it is called
  std::string quick;  // kinds of the result and the arguments: "vid"; empty: there are others
  std::vector<int> addressed;      // arguments whose address is passed
  std::vector<std::string> enums;  // SIDL names, "" for what is none; empty: there is no enum
  std::vector<IndexModel> indices;
  std::vector<std::string> parameters;  // of the stub: "norm: Norm"
  // The stub's parameters that are given by name alone where all others are given by position.
  std::vector<std::string> named_parameters;
  std::vector<std::string> all_parameters;  // by position; empty: they are `parameters`
  std::vector<std::string> names;           // of the in and inout arguments
  std::vector<MethodModel> hooks;           // of an implementation: before and after, or none
  std::string result;                       // type of what Python gets: "tuple[int, str]"
};

struct ObjectModel {
  const ir::Type* type = nullptr;
  std::string name;    // "demo.Solver"
  std::string symbol;  // "demo_Solver"
  std::string local;   // "Solver"
  std::string package;
  int order = 0;  // parents come before children
  bool is_class = false;
  bool is_implemented = false;  // in Python, by this run
  bool has_contracts = false;
  bool is_exception = false;
  bool needs_layout = false;            // a class whose parent has no instances in Python
  std::vector<std::string> bases;       // SIDL names, most derived first
  std::vector<std::string> base_types;  // the same as annotations
  std::vector<MethodModel> methods;     // what Python does not inherit
  std::vector<MethodModel> impl;        // methods that the class implements
};

struct MemberModel {
  std::string name;
  std::string type;  // annotation
  std::string zero;  // default: "0", "field(default_factory=Inner)"
  std::string doc;
};

struct StructModel {
  const ir::Type* type = nullptr;
  std::string symbol;
  std::string local;
  std::string dtype;  // type of the attribute of this name; empty: it is a member
  std::vector<MemberModel> members;
  std::vector<std::string> enums;  // as in MethodModel
};

struct EnumeratorModel {
  std::string name;
  std::string value;
  std::string doc;
};

struct EnumModel {
  const ir::Type* type = nullptr;
  std::string local;
  std::vector<EnumeratorModel> enumerators;
};

// A Python package.
struct PackageModel {
  std::string name;         // "demo.sub"
  std::string path;         // "demo/sub"
  std::string top;          // "demo"
  std::string symbol_line;  // "package demo.sub 1.0", for banners
  std::string source;       // of all in it
  std::string own_source;   // of its own types
  std::string version;
  std::string doc;
  std::vector<std::string> inner;    // "deep" of demo.sub.deep
  std::vector<std::string> imports;  // other packages whose types the declarations mention
  std::vector<EnumModel> enums;
  std::vector<StructModel> structs;
  std::vector<ObjectModel> objects;
};

// The packages to write, outer before inner.
std::vector<PackageModel> lower_packages(const codegen::TypeIndex& index, bool has_hooks);

// What Python cannot express, at its place.
std::vector<codegen::Problem> find_python_problems(const codegen::TypeIndex& index);

// Packages that "import" does not find, or that hide what others need.
void find_modules(const codegen::TypeIndex& index, std::vector<codegen::Problem>& problems);

// Without the blanks and line ends at its end.
std::string trimmed(std::string text);

}  // namespace shinar::backends::python
