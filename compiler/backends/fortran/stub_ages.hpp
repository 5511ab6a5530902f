// In: the types of the IR.
// Out: where the stub for each of a type's slots is inherited from, a handle in Fortran being an
// extension of that of the type's first parent.
#pragma once

#include <unordered_map>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::backends::fortran {

// How many generations up the stub for each slot of a type is declared, by the same name.
class StubAges {
 public:
  explicit StubAges(const codegen::TypeIndex& index) : index_(index) {}

  const std::vector<int>& of(const ir::Type& type);

 private:
  void add(const ir::Type& type);

  const codegen::TypeIndex& index_;
  std::unordered_map<const ir::Type*, std::vector<int>> ages_;
};

}  // namespace shinar::backends::fortran
