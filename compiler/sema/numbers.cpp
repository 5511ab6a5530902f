#include "sema/numbers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace shinar::sema {
namespace {

using model::Kind;

enum class Number : std::uint8_t { None, Integer, Floating, Complex };

Number number_of(Kind type) {
  switch (type) {
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) \
  case Kind::identifier:                                                         \
    return Number::number;
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    default:
      return Number::None;
  }
}

constexpr auto kKinds = std::to_array<Kind>({
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) Kind::identifier,
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
});

}  // namespace

bool is_integer(Kind kind) {
  return number_of(kind) == Number::Integer;
}

bool is_real(Kind kind) {
  return is_integer(kind) || number_of(kind) == Number::Floating;
}

bool is_number(Kind kind) {
  return number_of(kind) != Number::None;
}

Kind wider(Kind a, Kind b) {
  const auto [low, high] = std::minmax(a, b);  // the kinds of numbers are in this order
  return low == Kind::Double && high == Kind::Fcomplex ? Kind::Dcomplex : high;
}

std::string names_of_numbers() {
  std::string all;
  std::string last;
  for (const Kind kind : kKinds) {
    if (!is_number(kind)) continue;
    if (!last.empty()) all += (all.empty() ? "" : ", ") + last;
    last = model::to_string({.kind = kind});
  }
  return all + " or " + last;
}

}  // namespace shinar::sema
