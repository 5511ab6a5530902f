#include "backends/ior/clauses.hpp"

#include <algorithm>
#include <cstdint>

#include "backends/ior/clause_expression.hpp"
#include "codegen/c_types.hpp"
#include "codegen/clause_facts.hpp"
#include "codegen/contract_plan.hpp"
#include "codegen/names.hpp"
#include "codegen/plan.hpp"
#include "ir/text.hpp"

namespace shinar::backends::ior {
namespace {

using codegen::Namer;
using codegen::TypeIndex;
using ir::Expression;

using Assertions = google::protobuf::RepeatedPtrField<ir::Assertion>;

// ---- what an expression does
// -----------------------------------------------------------------------

std::string kinds_of(const codegen::ClauseFacts& facts, const std::string& clause) {
  std::string kinds = "sidl_clause_" + clause;
  if (facts.calls) kinds += " | sidl_clause_calls";
  if (facts.reads_results && clause == "ensure") kinds += " | sidl_clause_result";
  if (facts.is_simple()) kinds += " | sidl_clause_simple";
  if (facts.cost) kinds += " | sidl_clause_" + codegen::cost_name(*facts.cost);
  return kinds;
}

void add_reads(const Expression& e, std::uint64_t& arguments, bool& result) {
  if (e.kind() == Expression::RESULT) result = true;
  if (e.kind() == Expression::VARIABLE && e.index() < 63) {
    arguments |= std::uint64_t{1} << e.index();
  }
  for (const Expression& operand : e.operands()) add_reads(operand, arguments, result);
}

std::string reads_of(const Expression& e) {
  std::uint64_t arguments = 0;
  bool result = false;
  add_reads(e, arguments, result);
  if (!result) return std::to_string(arguments);
  return arguments == 0 ? "SIDL_READS_RESULT" : "SIDL_READS_RESULT | " + std::to_string(arguments);
}

// ---- clauses
// ---------------------------------------------------------------------------------------

// Addresses and values of the arguments of a function of the EPV.
struct Parameters {
  std::vector<std::string> names;
  std::vector<std::string> addresses;
  std::vector<std::string> values;
  std::vector<std::string> declared;  // in SIDL, where the method was introduced
};

// What a later declaration calls the arguments, if it calls them otherwise.
std::string declared_names(const std::vector<std::string_view>& names,
                           const std::vector<std::string>& introduced) {
  if (std::ranges::equal(names, introduced)) return "NULL";
  std::string joined;
  for (const std::string_view name : names) {
    joined += (joined.empty() ? "" : ",") + std::string(name);
  }
  return ir::string_literal(joined);
}

class ClauseReader {
 public:
  ClauseReader(const TypeIndex& index, const ir::Type& type) : index_(index), type_(type) {}

  // `values`: of the arguments, as C expressions; `method`: NULL for invariants.
  void add(const ir::Type& declared_in, const ir::Method* method, const Assertions& assertions,
           const char* clause, const Parameters& parameters,
           std::vector<ClauseModel>& models) const {
    const std::vector<std::string>& values = parameters.values;
    std::vector<std::string_view> names;
    if (method != nullptr) {
      for (const ir::Argument& argument : method->arguments()) names.push_back(argument.name());
    }
    const ClauseScope scope{index_, type_, declared_in, values};
    for (const ir::Assertion& assertion : assertions) {
      const Expression& e = assertion.expression();
      ClauseModel model;
      model.name = assertion.name().empty() ? "NULL" : ir::string_literal(assertion.name());
      model.text = ir::string_literal(ir::expression_text(e, names));
      model.type = declared_in.name();
      model.source = index_.source_file(declared_in);
      model.line = assertion.span().line();
      const codegen::ClauseFacts facts = codegen::clause_facts(e, method);
      model.calls = facts.calls;
      model.is_simple = facts.is_simple();
      model.kinds = kinds_of(facts, clause);
      model.reads = reads_of(e);
      model.holds = c_condition(scope, e);
      model.names = declared_names(names, parameters.declared);
      models.push_back(std::move(model));
    }
  }

 private:
  const TypeIndex& index_;
  const ir::Type& type_;
};

// ---- methods
// ---------------------------------------------------------------------------------------

Parameters parameters_of(const ir::Method& method) {
  Parameters result;
  for (const ir::Argument& argument : method.arguments()) {
    const std::string name = Namer::argument(argument.name());
    const bool is_in = argument.mode() == ir::Argument::IN;
    const bool is_struct = argument.type().kind() == ir::TypeRef::STRUCT;
    result.names.push_back(name);
    result.declared.push_back(argument.name());
    result.addresses.push_back(codegen::ior_argument_address(argument));
    result.values.push_back(is_in || is_struct ? name : "*" + name);
  }
  return result;
}

void lower_signature(const ir::Method& method, const Parameters& parameters,
                     CheckedMethodModel& model) {
  model.result_type = codegen::ior_value_type(method.result());
  if (method.result().kind() != ir::TypeRef::VOID) {
    model.result_zero = codegen::ior_zero(method.result());
  }
  model.parameters = codegen::ior_parameters(method);
  model.addresses = parameters.addresses;
  model.arguments = parameters.names;
}

void lower_clauses(const ClauseReader& reader,
                   const std::vector<codegen::DeclaredMethod>& declarations,
                   const Parameters& parameters, CheckedMethodModel& model) {
  for (const codegen::DeclaredMethod& each : declarations) {
    reader.add(*each.type, each.method, each.method->require(), "require", parameters,
               model.require);
    reader.add(*each.type, each.method, each.method->ensure(), "ensure", parameters, model.ensure);
  }
}

void lower_methods(const TypeIndex& index, const codegen::ObjectPlan& plan,
                   const ClauseReader& reader, ContractsModel& model) {
  for (const codegen::PlannedMethod& planned : plan.instance_methods()) {
    if (planned.slot->introducer() == codegen::kBaseInterface) continue;
    const ir::Method& introduced = index.introducer_method(*planned.slot);
    const Parameters parameters = parameters_of(introduced);
    CheckedMethodModel method;
    method.name = index.slot_name(*planned.slot);
    method.info = "&" + Namer::symbol(planned.slot->introducer()) + "__methods[" +
                  std::to_string(index.introduced_position(*planned.slot)) + "]";
    lower_signature(introduced, parameters, method);
    lower_clauses(reader,
                  codegen::declarations_of(index, *plan.type, static_cast<int>(planned.position)),
                  parameters, method);
    const bool is_checked =
        !method.require.empty() || !method.ensure.empty() || !model.invariants.empty();
    if (is_checked) model.methods.push_back(std::move(method));
  }
}

void lower_statics(const codegen::ObjectPlan& plan, const ClauseReader& reader,
                   ContractsModel& model) {
  for (const codegen::PlannedMethod& planned : plan.static_methods()) {
    const Parameters parameters = parameters_of(*planned.method);
    CheckedMethodModel method;
    method.name = planned.method->long_name();
    method.info = "&statics[" + std::to_string(planned.position) + "]";
    lower_signature(*planned.method, parameters, method);
    lower_clauses(reader, {{plan.type, planned.method}}, parameters, method);
    if (!method.require.empty() || !method.ensure.empty()) {
      model.statics.push_back(std::move(method));
    }
  }
}

// A counter for each method and each of its clauses.
void count_states(ContractsModel& model) {
  std::size_t count = model.invariants.empty() ? 0 : model.invariants.size() + 1;
  for (std::vector<CheckedMethodModel>* methods : {&model.methods, &model.statics}) {
    for (CheckedMethodModel& method : *methods) {
      method.first_state = count;
      count += method.clause_count() + 1;
    }
  }
  model.state_count = count;
}

}  // namespace

ContractsModel lower_contracts(const TypeIndex& index, const ir::Type& type) {
  ContractsModel model;
  if (!codegen::is_class(type)) return model;
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  const ClauseReader reader(index, type);
  for (const ir::Type* each : codegen::with_ancestors(index, type)) {
    reader.add(*each, nullptr, each->object().invariants(), "invariant", {}, model.invariants);
  }
  lower_methods(index, plan, reader, model);
  lower_statics(plan, reader, model);
  count_states(model);
  return model;
}

}  // namespace shinar::backends::ior
