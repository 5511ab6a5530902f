#include "sema/contract_builtins.hpp"

#include <algorithm>
#include <array>

#include "sema/context.hpp"
#include "sema/contract_types.hpp"

namespace shinar::sema {
namespace {

using model::Kind;
using model::TypeRef;
using Gives = Builtin::Gives;

struct Expectation {
  Takes takes;
  std::string_view words;
  bool array;  // an array will do
  bool scalar;
  bool (*element)(Kind);  // of a scalar: itself; null: any
};

bool is_int(Kind kind) {
  return kind == Kind::Int;
}

constexpr auto kExpectations = std::to_array<Expectation>({
    {Takes::Comparison, "a comparison", false, false, nullptr},
    {Takes::Array, "an array", true, false, nullptr},
    {Takes::RealArray, "an array of int, long, float or double", true, false, is_real},
    {Takes::NumberArray, "an array of numbers", true, false, is_number},
    {Takes::Int, "an int", false, true, is_int},
    {Takes::Integer, "an int or a long", false, true, is_integer},
    {Takes::Real, "an int, long, float or double", false, true, is_real},
    {Takes::IntegerOrArray, "an int, a long, or an array of them", true, true, is_integer},
    {Takes::RealOrArray, "an int, long, float, double, or an array of them", true, true, is_real},
    {Takes::NumberOrArray, "a number or an array of numbers", true, true, is_number},
});

const Expectation& expectation(Takes takes) {
  return *std::ranges::find(kExpectations, takes, &Expectation::takes);
}

std::string ordinal(std::size_t index) {
  constexpr std::array<std::string_view, 4> kWords{"first", "second", "third", "fourth"};
  return std::string(kWords[index]);
}

Misfit misfit(Code code, const Builtin& function, Span span, std::string problem) {
  return {
      code, span,
      in_quotes(function.name) + " " + std::move(problem) + ": " + std::string(function.signature)};
}

std::optional<Misfit> check_count(const Builtin& function, const model::Expression& call) {
  const std::size_t most = function.parameters.size();
  const std::size_t least = most - function.optional;
  const std::size_t given = call.operands.size();
  if (given >= least && given <= most) return std::nullopt;
  std::string wanted = std::to_string(least);
  if (least < most) wanted += " or " + std::to_string(most);
  return misfit(Code::ContractArgumentCount, function, call.span,
                "takes " + wanted + (most == 1 ? " argument" : " arguments") + ", not " +
                    std::to_string(given));
}

std::optional<Misfit> check_elements(const TypeRef& a, const TypeRef& b, std::string_view op,
                                     Span span) {
  if (is_array(a) && is_array(b) && a.dimension != b.dimension && !a.is_generic_array() &&
      !b.is_generic_array()) {
    return Misfit{Code::ContractComparison, span,
                  "arrays of " + std::to_string(a.dimension) + " and " +
                      std::to_string(b.dimension) + " dimensions cannot be compared"};
  }
  for (const TypeRef& side : {a, b}) {
    if (!is_array(side) || is_number(side.element)) continue;
    return Misfit{
        Code::ContractArrayElements, span,
        "only arrays of numbers are compared element by element, not " + model::to_string(side)};
  }
  if (comparable(element_of(a), element_of(b), operation_of(op))) return std::nullopt;
  return Misfit{Code::ContractComparison, span,
                in_quotes(op) + " cannot compare " + model::to_string(element_of(a)) + " with " +
                    model::to_string(element_of(b))};
}

std::optional<Misfit> check_comparison(const Builtin& function, model::Expression& argument) {
  const bool is_one = argument.kind == model::Expression::Kind::Chain &&
                      argument.operators.size() == 1 && is_comparison(argument.operators.front());
  if (!is_one) {
    return misfit(Code::ContractComparisonNeeded, function, argument.span,
                  "takes one comparison with an array");
  }
  for (const model::Expression& side : argument.operands) {
    if (!is_null(side)) continue;
    return misfit(Code::ContractNull, function, side.span, "compares numbers, and none is null");
  }
  const TypeRef& left = argument.operands[0].type;
  const TypeRef& right = argument.operands[1].type;
  if (left.kind != Kind::Error && right.kind != Kind::Error) {
    if (!is_array(left) && !is_array(right)) {
      return misfit(Code::ContractArrayNeeded, function, argument.span,
                    "needs an array on one side of the comparison, or on both");
    }
    if (auto wrong = check_elements(left, right, argument.operators.front(), argument.span)) {
      return wrong;
    }
  }
  argument.type = {.kind = Kind::Bool};
  return std::nullopt;
}

std::optional<Misfit> check_argument(const Builtin& function, std::size_t index,
                                     model::Expression& argument) {
  const Expectation& expected = expectation(function.parameters[index]);
  if (expected.takes == Takes::Comparison) return check_comparison(function, argument);
  const TypeRef& type = argument.type;
  if (type.kind == Kind::Error) return std::nullopt;
  const bool right_shape = is_array(type) ? expected.array : expected.scalar;
  const bool right_element = expected.element == nullptr || expected.element(element_of(type).kind);
  if (right_shape && right_element) return std::nullopt;
  Code code = Code::ContractArgumentType;
  if (!expected.scalar && !is_array(type)) code = Code::ContractArrayNeeded;
  if (expected.array && is_array(type)) code = Code::ContractArrayElements;
  std::string wanted(expected.words);
  if (function.parameters.size() > 1) wanted += " as its " + ordinal(index) + " argument";
  return misfit(code, function, argument.span,
                "takes " + wanted + ", not " + model::to_string(type));
}

TypeRef result_of(const Builtin& function, const model::Expression& call) {
  switch (function.gives) {
    case Gives::Bool:
      return {.kind = Kind::Bool};
    case Gives::Int:
      return {.kind = Kind::Int};
    default:
      return element_of(call.operands.front().type);
  }
}

}  // namespace

std::span<const Builtin> builtins() {
  using enum Takes;
  static const std::vector<Builtin> table{
      {"all", "all(array < value)", Gives::Bool, {Comparison}},
      {"any", "any(array < value)", Gives::Bool, {Comparison}},
      {"none", "none(array < value)", Gives::Bool, {Comparison}},
      {"count", "count(array < value)", Gives::Int, {Comparison}},
      {"dimen", "dimen(array)", Gives::Int, {Array}},
      {"size", "size(array)", Gives::Int, {Array}},
      {"lower", "lower(array, dimension)", Gives::Int, {Array, Int}},
      {"upper", "upper(array, dimension)", Gives::Int, {Array, Int}},
      {"stride", "stride(array, dimension)", Gives::Int, {Array, Int}},
      {"min", "min(array)", Gives::Element, {RealArray}},
      {"max", "max(array)", Gives::Element, {RealArray}},
      {"sum", "sum(array)", Gives::Element, {NumberArray}},
      {"nonDecr", "nonDecr(array)", Gives::Bool, {RealArray}},
      {"nonIncr", "nonIncr(array)", Gives::Bool, {RealArray}},
      {"range",
       "range(x, low, high) or range(x, low, high, tolerance)",
       Gives::Bool,
       {RealOrArray, Real, Real, Real},
       1},
      {"irange", "irange(x, low, high)", Gives::Bool, {IntegerOrArray, Integer, Integer}},
      {"nearEqual",
       "nearEqual(x, y, tolerance)",
       Gives::Bool,
       {NumberOrArray, NumberOrArray, Real}},
  };
  return table;
}

const Builtin* find_builtin(std::string_view name) {
  const std::string key = lower(name);
  const auto table = builtins();
  const auto found = std::ranges::find_if(
      table, [&](const Builtin& function) { return lower(function.name) == key; });
  return found == table.end() ? nullptr : &*found;
}

std::optional<Misfit> apply(const Builtin& function, model::Expression& call) {
  if (auto wrong = check_count(function, call)) return wrong;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (auto wrong = check_argument(function, i, call.operands[i])) return wrong;
  }
  // nearEqual of two arrays compares them elementwise.
  const bool pairs =
      function.parameters.size() > 1 && function.parameters[1] == Takes::NumberOrArray;
  if (pairs && is_array(call.operands[0].type) && is_array(call.operands[1].type)) {
    if (auto wrong =
            check_elements(call.operands[0].type, call.operands[1].type, "==", call.span)) {
      return wrong;
    }
  }
  call.kind = model::Expression::Kind::Builtin;
  call.text = function.name;
  call.type = result_of(function, call);
  return std::nullopt;
}

}  // namespace shinar::sema
