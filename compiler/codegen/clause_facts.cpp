#include "codegen/clause_facts.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "codegen/type_index.hpp"

namespace shinar::codegen {
namespace {

using ir::Expression;

constexpr int kMostDimensions = 7;

bool is_of_shape(std::string_view function) {
  static constexpr std::array<std::string_view, 5> kFunctions{"dimen", "size", "lower", "upper",
                                                              "stride"};
  return std::ranges::find(kFunctions, function) != kFunctions.end();
}

bool is_array(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::ARRAY || type.kind() == ir::TypeRef::RARRAY;
}

// The most dimensions of the arrays in it; an array<> may have as many as there are.
int dimensions(const Expression& e) {
  int most = 0;
  if (is_array(e.type())) {
    const auto declared = static_cast<int>(e.type().dimension());
    most = declared == 0 ? kMostDimensions : declared;
  }
  for (const Expression& operand : e.operands()) most = std::max(most, dimensions(operand));
  return most;
}

bool is_result(const Expression& e, const ir::Method* method) {
  if (e.kind() == Expression::RESULT) return true;
  return e.kind() == Expression::VARIABLE && method != nullptr &&
         method->arguments(static_cast<int>(e.index())).mode() != ir::Argument::IN;
}

void add(const Expression& e, const ir::Method* method, ClauseFacts& facts) {
  facts.calls = facts.calls || e.kind() == Expression::CALL;
  facts.reads_results = facts.reads_results || is_result(e, method);
  if (e.kind() == Expression::BUILTIN && !is_of_shape(e.text())) {
    const int walked = dimensions(e);
    facts.reads_elements = facts.reads_elements || walked > 0;
    facts.cost = std::max(*facts.cost, walked);
  }
  for (const Expression& operand : e.operands()) add(operand, method, facts);
}

}  // namespace

ClauseFacts clause_facts(const Expression& expression, const ir::Method* method) {
  ClauseFacts facts;
  facts.cost = 0;
  add(expression, method, facts);
  if (facts.calls) facts.cost.reset();
  return facts;
}

std::string cost_name(int cost) {
  static constexpr std::array<std::string_view, kMostDimensions + 1> kNames{
      "constant", "linear", "quadratic", "cubic", "quartic", "quintic", "sextic", "septic"};
  return std::string(kNames.at(static_cast<std::size_t>(cost)));
}

}  // namespace shinar::codegen
