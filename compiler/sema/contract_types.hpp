// In: the types of a contract's operands.
// Out: what may be done with them. Nothing here reports: whoever asks knows the place.
#pragma once

#include <cstdint>
#include <string_view>

#include "sema/model.hpp"
#include "sema/numbers.hpp"

namespace shinar::sema {

// What the operators of one level of precedence do.
enum class Operation : std::uint8_t { Logic, Bits, Equality, Order, Shift, Arithmetic };
Operation operation_of(std::string_view op);  // of a binary operator, in words or signs
bool is_comparison(std::string_view op);

bool is_array(const model::TypeRef& type);
bool can_be_null(const model::TypeRef& type);

// Values or, of arrays under `all` and its like, elements.
bool comparable(const model::TypeRef& a, const model::TypeRef& b, Operation operation);
model::TypeRef element_of(const model::TypeRef& type);  // a scalar: itself

// May the one be passed where a method asks for the other?
bool converts(const model::TypeRef& from, const model::TypeRef& to);

}  // namespace shinar::sema
