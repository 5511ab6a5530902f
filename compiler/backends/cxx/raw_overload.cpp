#include "backends/cxx/raw_overload.hpp"

#include <optional>

#include "backends/cxx/values.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::Namer;

struct Solution {
  std::string value;
  bool is_length = false;  // not computed, so it cannot be inconsistent
};

// The index argument number `index`, from the first extent that consists of it alone, else from the
// first that can be solved for it.
std::optional<Solution> solve(const ir::Method& method, std::uint32_t index) {
  std::optional<Solution> best;
  for (const ir::Argument& argument : method.arguments()) {
    for (int d = 0; d < argument.type().extents_size(); ++d) {
      const ir::Expression& extent = argument.type().extents(d);
      if (codegen::extent_variable(extent) != index) continue;
      const std::string length =
          Namer::argument(argument.name()) + ".length(" + std::to_string(d) + ")";
      if (extent.kind() == ir::Expression::VARIABLE) return Solution{length, true};
      const std::optional<std::string> value = codegen::solve_extent(extent, length);
      if (value && !best) best = Solution{*value, false};
    }
  }
  return best;
}

std::string declaration(const ir::Argument& argument, const Solution& solution) {
  const std::string type = cxx_type(argument.type());
  const std::string value = solution.is_length ? solution.value
                                               : "::sidl::solved<" + type + ">(" + solution.value +
                                                     ", \"" + argument.name() + "\")";
  return "const " + type + " " + Namer::argument(argument.name()) + " = " + value + ";";
}

std::string key(const ir::Method& method, const std::vector<bool>& is_computed) {
  std::vector<std::string> types;
  for (int i = 0; i < method.arguments_size(); ++i) {
    if (is_computed[static_cast<std::size_t>(i)]) continue;
    const ir::Argument& argument = method.arguments(i);
    types.push_back(stub_parameter_type(argument.type(), argument.mode()));
  }
  return method.name() + "(" + codegen::join(types) + ")";
}

}  // namespace

ArrayOverload array_overload(const ir::Method& method) {
  ArrayOverload result{method, {}, {}};
  for (int i = 0; i < method.arguments_size(); ++i) {
    const ir::Argument& argument = method.arguments(i);
    *result.method.mutable_arguments(i)->mutable_type() = codegen::as_array(argument.type());
    const auto solution = solve(method, static_cast<std::uint32_t>(i));
    result.is_computed.push_back(solution.has_value());
    if (solution) result.prelude.push_back(declaration(argument, *solution));
  }
  return result;
}

std::vector<std::string> argument_names(const ir::Method& method) {
  std::vector<std::string> result;
  for (const ir::Argument& argument : method.arguments()) {
    result.push_back(Namer::argument(argument.name()));
  }
  return result;
}

std::string overload_key(const ir::Method& method) {
  return key(method, std::vector<bool>(static_cast<std::size_t>(method.arguments_size()), false));
}

std::string array_overload_key(const ir::Method& method) {
  const ArrayOverload overload = array_overload(method);
  return key(overload.method, overload.is_computed);
}

}  // namespace shinar::backends::cxx
