// In: the types of a contract's operands.
// Out: which operations are allowed. Reports nothing: the caller knows the location.
#pragma once

#include <cstdint>
#include <string_view>

#include "sema/model.hpp"
#include "sema/numbers.hpp"

namespace shinar::sema {

// The operations, one for each level of precedence.
enum class Operation : std::uint8_t { Logic, Bits, Equality, Order, Shift, Arithmetic };
Operation operation_of(std::string_view op);  // of a binary operator, in words or signs
bool is_comparison(std::string_view op);

bool is_array(const model::TypeRef& type);
bool can_be_null(const model::TypeRef& type);

// Values or, of arrays under `all` and its like, elements.
bool comparable(const model::TypeRef& a, const model::TypeRef& b, Operation operation);
model::TypeRef element_of(const model::TypeRef& type);  // a scalar: itself

// Whether a value of the one type may be passed as the other.
bool converts(const model::TypeRef& from, const model::TypeRef& to);

}  // namespace shinar::sema
