// In: the IR of one run.
// Out: the language-independent decisions about packages and the methods of types. They are made
// only here: back ends add the names and types of their language.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::codegen {

// A package that gets its own files: it or a nested package has types to generate.
struct PackagePlan {
  const ir::Package* package = nullptr;
  std::string symbol_line;             // "package demo 1.0", for banners
  std::string source;                  // the file of its first type, or of the first nested one
  std::vector<const ir::Type*> types;  // its own, in IR order
  std::vector<std::string> inner;      // directly nested packages, by name
};

std::vector<PackagePlan> plan_packages(const TypeIndex& index);

// addRef and deleteRef, which come first in every object.
inline constexpr std::size_t kCountingSlots = 2;

// Where a type's method comes from. A redeclared method overrides the parent class's or implements
// an interface's.
enum class Origin { introduced, redeclared, inherited };

struct PlannedMethod {
  const ir::Type* type = nullptr;      // whose plan it is
  const ir::Method* method = nullptr;  // the nearest declaration: names, docs, exceptions
  const ir::Slot* slot = nullptr;      // nullptr: a static method
  std::size_t position = 0;            // index of the slot, or of the static method
  Origin origin = Origin::introduced;
  bool in_parent = false;          // the slot is one of ObjectPlan::parent, too
  bool of_every_object = false;    // as sidl.BaseInterface has it, unless a class made it its own
  bool counts_references = false;  // of these, what languages with handles do themselves
  bool is_implemented = false;     // the class has an implementation of its own
  bool overrides = false;          // and so has its parent class: `super` calls that
  bool passes_on = false;          // nothing but that, as long as its author adds nothing

  // Where libsidl finds its table: "demo_Solver__info.slots[7]".
  std::string info() const;
};

struct ObjectPlan {
  const ir::Type* type = nullptr;
  const ir::Type* parent = nullptr;  // TypeIndex::first_parent
  bool is_class = false;
  bool is_concrete = false;            // a class that can be instantiated
  bool is_exception = false;           // a class whose objects are thrown
  std::vector<PlannedMethod> methods;  // one for each slot, in that order; then the static ones
  // Those of `methods`, in order of declaration. An exception's packObj and unpackObj come last, if
  // it inherits them.
  std::vector<const PlannedMethod*> implemented;

  ObjectPlan() = default;
  ObjectPlan(ObjectPlan&&) = default;  // not copyable: `implemented` points into `methods`
  ObjectPlan& operator=(ObjectPlan&&) = default;

  std::span<const PlannedMethod> instance_methods() const;
  std::span<const PlannedMethod> static_methods() const;
};

ObjectPlan plan_object(const TypeIndex& index, const ir::Type& type);

// Static methods of a class's ancestors that nothing in it hides, nearest first;
// PlannedMethod::type is the ancestor.
std::vector<PlannedMethod> inherited_statics(const TypeIndex& index, const ObjectPlan& plan);

}  // namespace shinar::codegen
