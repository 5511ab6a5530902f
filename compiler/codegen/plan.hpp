// In: the IR of one run.
// Out: what has to be decided of packages and of the methods of a type before anything is spelled.
// It is decided here alone: back ends read it and go on with names and types of their language.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::codegen {

// A package that has files of its own: it or one within it has types to generate.
struct PackagePlan {
  const ir::Package* package = nullptr;
  std::string symbol_line;             // "package demo 1.0", for banners
  std::string source;                  // the file of its first type, or of the first within it
  std::vector<const ir::Type*> types;  // its own, in the order of the IR
  std::vector<std::string> inner;      // packages directly within it, by name
};

std::vector<PackagePlan> plan_packages(const TypeIndex& index);

// addRef and deleteRef, which come first of all, whoever implements them.
inline constexpr std::size_t kCountingSlots = 2;

// Where a type has a method from. What its own text says again is its own: it overrides what the
// parent class has, or implements what an interface asks for.
enum class Origin { introduced, redeclared, inherited };

struct PlannedMethod {
  const ir::Type* type = nullptr;      // whose plan it is
  const ir::Method* method = nullptr;  // the nearest declaration: names, docs, exceptions
  const ir::Slot* slot = nullptr;      // nullptr: a static method
  std::size_t position = 0;            // of the slot, or among the static methods
  Origin origin = Origin::introduced;
  bool of_every_object = false;    // as sidl.BaseInterface has it, unless a class made it its own
  bool counts_references = false;  // of these, what languages with handles do themselves
  bool is_implemented = false;     // the class has an implementation of its own
  bool overrides = false;          // and so has its parent class: `super` calls that
  bool passes_on = false;          // nothing but that, as long as its author adds nothing

  // Where libsidl has its table: "demo_Solver__info.slots[7]".
  std::string info() const;
};

struct ObjectPlan {
  const ir::Type* type = nullptr;
  bool is_class = false;
  bool is_concrete = false;            // a class of which objects can be made
  bool is_exception = false;           // a class whose objects are thrown
  std::vector<PlannedMethod> methods;  // one for each slot, in that order; then the static ones
  // Those of `methods`, in order of declaration. An exception's packObj and unpackObj come last, if
  // it inherits them.
  std::vector<const PlannedMethod*> implemented;

  ObjectPlan() = default;
  ObjectPlan(ObjectPlan&&) = default;  // and no copy: `implemented` points into `methods`
  ObjectPlan& operator=(ObjectPlan&&) = default;

  std::span<const PlannedMethod> instance_methods() const;
  std::span<const PlannedMethod> static_methods() const;
};

ObjectPlan plan_object(const TypeIndex& index, const ir::Type& type);

}  // namespace shinar::codegen
