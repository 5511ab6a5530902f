// In: the types of the IR.
// Out: where the stub for each of a type's slots is inherited from, a handle in Fortran being an
// extension of that of the type's first parent.
#pragma once

#include <unordered_map>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::backends::fortran {

// The number of parents between a type and the one that declares the stub for each slot, by the
// same name.
class StubInheritance {
 public:
  explicit StubInheritance(const codegen::TypeIndex& index) : index_(index) {}

  const std::vector<int>& of(const ir::Type& type);

 private:
  void add(const ir::Type& type);

  const codegen::TypeIndex& index_;
  std::unordered_map<const ir::Type*, std::vector<int>> distances_;
};

}  // namespace shinar::backends::fortran
