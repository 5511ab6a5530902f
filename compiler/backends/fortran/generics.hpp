// In: the methods of a class or interface, inherited ones first.
// Out: the names they are called by: a method's short name where Fortran can tell it from the
// others of that name, its long name always.
#pragma once

#include <string>
#include <vector>

#include "backends/fortran/lower.hpp"

namespace shinar::backends::fortran {

// A procedure that a generic name may refer to.
struct Specific {
  std::string short_name;
  std::string long_name;
  std::string binding;
  const Procedure* procedure = nullptr;
  int distance = 0;  // how many parents up it is declared; 0: by the type itself
  Form form = Form::allocatable;
  Indices indices = Indices::given;
};

// Forms with type(sidl_array) come last: what the method itself has that type in, array<>, goes
// first. So do those without index arguments: an overload may look the same.
std::vector<Generic> lower_generics(const codegen::TypeIndex& index,
                                    const std::vector<Specific>& specifics);

}  // namespace shinar::backends::fortran
