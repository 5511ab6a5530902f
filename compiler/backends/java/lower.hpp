// In: the types of one run.
// Out: what their Java files and the C code under them say, every name decided; emit_*.cpp print
// it.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "backends/java/values.hpp"
#include "codegen/backend.hpp"
#include "codegen/plan.hpp"
#include "codegen/raw_arrays.hpp"
#include "codegen/type_index.hpp"

namespace shinar::backends::java {

struct ArgumentModel {
  std::string name;       // in Java
  std::string sidl_name;  // for messages
  std::string c_name;     // in C
  ir::TypeRef type;
  ir::Argument::Mode mode = ir::Argument::IN;
  int slot = 0;           // where it is in the frame
  bool in_place = false;  // an inout raw array: elements of the caller's array are changed
  bool is_holder = false;

  std::string at() const { return std::to_string(slot); }
};

// An argument that callers may leave out: what its value follows from.
struct IndexModel {
  std::size_t argument = 0;
  codegen::IndexSource source;
};

struct MethodModel {
  const ir::Method* method = nullptr;
  const ir::Type* type = nullptr;        // whose stub it is
  std::string name;                      // "draw"
  std::vector<std::string> other_names;  // what interfaces call it that the class implements
  std::string slot;                      // "drawAt": of the IOR, and of native methods
  std::string comment;                   // as SIDL says it
  std::vector<std::string> notes;        // comments above its splicer block
  std::vector<std::string> throws;       // SIDL names
  std::vector<ArgumentModel> arguments;
  std::vector<IndexModel> indices;
  ir::TypeRef result;
  int result_slot = 0;
  int frame_size = 0;
  int position = 0;  // of the slot in the type's EPV, or of the static method
  bool is_static = false;
  bool is_quick = false;  // without a frame
  bool is_nonblocking = false;
  bool overrides = false;
  bool passes_on = false;
  std::string super_name;          // of the parent class's, in the implementation
  std::vector<MethodModel> hooks;  // before and after, or none

  // The method's number at run time: static methods are below zero.
  int number() const { return is_static ? -1 - position : position; }
  // Whether Java has all its values as the JVM passes them.
  bool is_plain() const;
  // That of a method "static_x" is not that of a static method "x".
  std::string native_name() const {
    return (is_static ? "_static_" : slot.substr(0, 7) == "static_" ? "__" : "_") + slot;
  }
  bool returns() const { return result.kind() != ir::TypeRef::VOID; }
};

struct ObjectModel {
  const ir::Type* type = nullptr;
  std::string name;    // "demo.Solver"
  std::string symbol;  // "demo_Solver"
  std::string local;   // "Solver"
  bool is_class = false;
  bool is_concrete = false;
  bool is_exception = false;
  bool is_implemented = false;  // in Java, by this run
  bool has_contracts = false;
  bool has_hooks = false;
  std::string parent;                   // SIDL name of the class it extends; "": a root
  std::vector<std::string> interfaces;  // SIDL names, as declared
  std::vector<MethodModel> declared;    // of an interface: what it adds to those it extends
  std::vector<MethodModel> stubs;       // of the class, or of the interface's wrapper
  std::vector<MethodModel> impl;        // methods that the class implements
  std::deque<ir::Method> hook_methods;  // what hooks among them point to

  // Of `self` in C.
  std::string c_type() const { return "struct " + symbol + "__object*"; }
};

ObjectModel lower_object(const codegen::TypeIndex& index, const ir::Type& type, bool has_hooks);

// Methods and structs with more arguments or members than the Java virtual machine allows.
void find_long_lists(const codegen::TypeIndex& index, const ir::Type& type, bool has_hooks,
                     std::vector<codegen::Problem>& problems);

// What Java cannot express, at its place.
std::vector<codegen::Problem> find_java_problems(const codegen::Request& request,
                                                 const codegen::TypeIndex& index);

}  // namespace shinar::backends::java
