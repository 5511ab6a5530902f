// In: one type of the IR.
// Out: what its IOR files say, every name and every C type decided; emit_*.cpp only print it.
#pragma once

#include <string>
#include <vector>

#include "backends/ior/clauses.hpp"
#include "codegen/type_index.hpp"

namespace shinar::backends::ior {

struct ArgumentModel {
  std::string name;       // as in C
  std::string sidl_name;  // as in the tables
  const char* mode;       // "in"
  std::string type_info;  // initializer of its struct sidl_type_ref
  std::string address;    // what stands for it in a remote stub's _args
  std::string variable;   // declaration in a dispatcher, zeroed: "int64_t norm = 0"
  std::string pass;       // how a dispatcher passes the variable
};

// A function that says how long a raw array has to be.
struct ExtentsModel {
  std::string name;                  // "extents_solve_0"
  std::vector<std::string> lengths;  // C expressions, one for each dimension
  bool uses_values = false;          // they name arguments, or members
};

struct MethodModel {
  std::string name;         // long name
  std::string signature;    // in SIDL, for comments
  std::string parameters;   // C, behind `self`
  std::string result_type;  // "void", "int32_t"
  std::string result_zero;  // empty for void
  std::string result_info;  // initializer, empty for void
  std::string digest;       // C literal
  std::string flags;        // "sidl_method_oneway", or empty
  std::string throws;       // "pkg.A pkg.B", or empty
  // What runs it for callers without its C signature: in other processes, or of nonblocking calls.
  bool has_dispatcher = true;
  bool is_static = false;
  std::vector<ArgumentModel> arguments;
  std::vector<ExtentsModel> extents;  // of those arguments that are raw arrays
};

struct SlotModel {
  std::string name;  // "solve": the EPV member is f_solve
  std::string result_type;
  std::string parameters;         // behind `self`
  std::string introducer;         // SIDL name
  std::string introducer_symbol;  // "demo_Operator"
  std::size_t position;           // in <introducer>__methods
  std::string remote;             // function that calls a remote object
};

struct FacetModel {
  std::string symbol;              // "demo_Operator"
  std::string member;              // "d_demo_operator"
  std::string holder;              // "struct demo_Solver__object"
  std::vector<std::size_t> slots;  // empty for the facets of a proxy
};

// A member of the object: an interface that the type adds.
struct AddedFacetModel {
  std::string symbol;
  std::string member;
};

struct ObjectModel {
  const ir::Type* type = nullptr;
  std::string symbol;
  std::string tag;            // of the layout, in the names of its tables
  std::string layout_digest;  // C literal
  std::string self_type;      // in the EPV: "struct demo_Solver__object*" or "void*"
  std::string layout;         // "struct demo_Solver__object" or "struct demo_Operator__proxy"
  std::string parent_symbol;  // empty for interfaces and sidl.BaseClass
  std::string parent_member;  // "d_sidl_baseclass"
  std::string id;             // C literal
  std::string kind;           // "class"
  std::string flags;          // "sidl_type_abstract", or empty
  bool is_class = false;
  bool has_remote_stubs = true;  // not sidl.BaseInterface, whose slots and proxies are others'
  std::vector<std::string> header_includes;
  std::vector<std::string> header_tags;
  std::vector<std::string> source_includes;
  std::vector<SlotModel> slots;
  std::vector<MethodModel> methods;  // introduced by this type
  std::vector<MethodModel> statics;
  std::vector<FacetModel> facets;
  std::vector<AddedFacetModel> added_facets;
  ContractsModel contracts;
};

// The lengths of an array in a struct.
struct LengthsModel {
  std::string name;
  std::vector<std::int64_t> lengths;
};

struct MemberModel {
  std::string name;
  std::string declaration;
  std::string doc;
  std::string sidl_name;
  std::string type_info;
  std::string owner_type;  // of a raw array: of the array that may keep its memory alive
};

struct StructModel {
  const ir::Type* type = nullptr;
  std::string symbol;
  std::string tag;
  std::vector<std::string> header_includes;
  std::vector<std::string> header_tags;
  std::vector<std::string> source_includes;
  std::vector<MemberModel> members;
  std::vector<ExtentsModel> extents;  // of those members that are raw arrays
  std::vector<LengthsModel> lengths;  // of those that lie in the struct
  std::vector<std::string> kinds;     // of the members and the elements of arrays
  bool owns = false;                  // memory or references, by members of its own
};

struct EnumModel {
  const ir::Type* type = nullptr;
  std::string symbol;
  std::string tag;
};

ObjectModel lower_object(const codegen::TypeIndex& index, const ir::Type& type);
StructModel lower_struct(const ir::Type& type);
EnumModel lower_enum(const ir::Type& type);

}  // namespace shinar::backends::ior
