#include "backends/cxx/raw_overload.hpp"

#include "backends/cxx/values.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::Namer;

// The declaration of an index argument that follows from the length of an array.
std::string declaration(const ir::Method& method, const ir::Argument& argument,
                        const codegen::IndexSource& source) {
  const std::string type = cxx_type(argument.type());
  const std::string length = Namer::argument(method.arguments(source.array).name()) + ".length64(" +
                             std::to_string(source.dimension) + ")";
  const std::string value = source.is_length()
                                ? length  // nothing is computed, so nothing can be wrong with it
                                : "::sidl::solved<" + type + ">(" +
                                      codegen::solved_extent(source.length, length) + ", \"" +
                                      argument.name() + "\")";
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
    const auto source = codegen::index_source(method, static_cast<std::uint32_t>(i));
    result.is_computed.push_back(source.has_value());
    if (source) result.prelude.push_back(declaration(method, argument, *source));
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
