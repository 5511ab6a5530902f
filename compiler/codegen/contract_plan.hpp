// In: a class of the IR.
// Out: whose clauses hold for it and its methods, and which functions these call.
#pragma once

#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::codegen {

// A declaration of a method, in the class or in an ancestor, whose clauses hold for it.
struct DeclaredMethod {
  const ir::Type* type = nullptr;
  const ir::Method* method = nullptr;
};

// The class, its parent classes and all interfaces, once each: their invariants hold.
std::vector<const ir::Type*> with_ancestors(const TypeIndex& index, const ir::Type& type);

// All declarations of the method in a slot of the class, its own first.
std::vector<DeclaredMethod> declarations_of(const TypeIndex& index, const ir::Type& type, int slot);

// Whether any clause holds for the class or one of its methods.
bool has_contracts(const TypeIndex& index, const ir::Type& type);

// What a clause calls.
struct ContractCallee {
  const ir::Method* method = nullptr;
  const ir::Slot* slot = nullptr;    // of the class; nullptr: the method is static
  const ir::Type* holder = nullptr;  // of a static method: the class that declares it
};

// The method called `name` in `declared_in`, the class itself or an ancestor, whose clause it is.
ContractCallee contract_callee(const TypeIndex& index, const ir::Type& type,
                               const ir::Type& declared_in, const std::string& name);

}  // namespace shinar::codegen
