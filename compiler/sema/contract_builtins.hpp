// In: a call of a built-in function of contracts.
// Out: its result, or why the arguments do not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/codes.hpp"
#include "sema/model.hpp"

namespace shinar::sema {

// The type of a parameter.
enum class Takes : std::uint8_t {
  Comparison,  // of two arrays, or of an array and a value
  Array,
  RealArray,
  NumberArray,
  Int,
  Integer,
  Real,
  IntegerOrArray,
  RealOrArray,
  NumberOrArray
};

struct Builtin {
  enum class Gives : std::uint8_t { Bool, Int, Element };

  std::string_view name;       // canonical: found in any case
  std::string_view signature;  // for messages
  Gives gives;
  std::vector<Takes> parameters;
  std::size_t optional = 0;  // number of last parameters that may be omitted

  bool takes_comparison() const { return parameters.front() == Takes::Comparison; }
};

std::span<const Builtin> builtins();
const Builtin* find_builtin(std::string_view name);

// True for the literal null, whose type is that of the other operand.
bool is_null(const model::Expression& expression);

struct Misfit {
  Code code;
  Span span;
  std::string message;
};

// Sets the type of the call. Arguments of type Error are always accepted.
std::optional<Misfit> apply(const Builtin& function, model::Expression& call);

}  // namespace shinar::sema
