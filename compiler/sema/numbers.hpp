// In: kinds of types.
// Out: which of them are numbers, of what sort, and which of two holds the values of both.
#pragma once

#include <string>

#include "sema/model.hpp"

namespace shinar::sema {

bool is_integer(model::Kind kind);  // int, long
bool is_real(model::Kind kind);     // also float, double
bool is_number(model::Kind kind);   // also complex

// The type of a sum of two numbers.
model::Kind wider(model::Kind a, model::Kind b);

// "int, long, float, double, fcomplex or dcomplex"
std::string names_of_numbers();

}  // namespace shinar::sema
