// In: a method.
// Out: the forms that its stub has: how they have arrays, and whether index arguments of raw arrays
// are given; and what a form without them does instead.
#pragma once

#include <string>
#include <vector>

#include "backends/fortran/lower.hpp"

namespace shinar::backends::fortran {

// How a form of a stub is marked in its name: "", "p", "sa".
std::string mark_of(Form form, Indices indices);

// Of its binding: "m_"; with two '_', which few names in SIDL have, where older bindings have one.
std::string prefix_of(Form form, Indices indices);

// How a stub has arrays; `procedure` is the first of its forms.
std::vector<Form> forms_of(const ir::Method& method, const Procedure& procedure);

// Whether index arguments are given or left out, for each form that stubs of the method have.
std::vector<Indices> indices_of(const ir::Method& method);

// Turns index arguments that follow from the shapes of arrays into variables, computes them, and
// checks that all arrays have the shapes that they make: a division may have left a remainder.
// `names` are those of the arguments.
void leave_indices_out(const ir::Method& method, const std::vector<std::string>& names,
                       Procedure& procedure);

}  // namespace shinar::backends::fortran
