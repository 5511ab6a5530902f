// The part of <Type>_IOR.c that checks contracts: for each method that has clauses, a function that
// stands for it while they are enforced (sidl_contract.h).
#include <algorithm>

#include "backends/ior/emit.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::ior {
namespace {

using codegen::Printer;

void emit_clause_table(Printer& printer, const std::string& name,
                       const std::vector<const ClauseModel*>& clauses) {
  const auto rows = [&] {
    for (const ClauseModel* clause : clauses) {
      printer.emit({{"name", clause->name},
                    {"text", clause->text},
                    {"type", clause->type},
                    {"source", clause->source},
                    {"line", std::to_string(clause->line)},
                    {"kinds", clause->kinds},
                    {"reads", clause->reads},
                    {"names", clause->names}},
                   R"({$name$, $text$, "$type$", "$source$", $line$, $kinds$, $reads$, $names$},)");
    }
  };
  printer.emit({{"name", name}, {"rows", rows}}, R"(
    static const struct sidl_clause clauses_$name$[] = {
      $rows$
    };
  )");
}

void emit_clauses(Printer& printer, const std::string& contract,
                  const std::vector<ClauseModel>& clauses, std::size_t first) {
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    printer.emit({{"contract", contract},
                  {"position", std::to_string(first + i)},
                  {"holds", clauses[i].holds}},
                 "SIDL_CLAUSE(_check, contract__$contract$, $position$, $holds$);");
  }
}

std::vector<const ClauseModel*> pointers(const std::vector<ClauseModel>& first,
                                         const std::vector<ClauseModel>& second) {
  std::vector<const ClauseModel*> result;
  for (const ClauseModel& each : first) result.push_back(&each);
  for (const ClauseModel& each : second) result.push_back(&each);
  return result;
}

std::string flags_of(const std::vector<const ClauseModel*>& clauses, bool has_invariants) {
  const bool calls =
      std::ranges::any_of(clauses, [](const ClauseModel* clause) { return clause->calls; });
  if (has_invariants)
    return calls ? "sidl_contract_invariants | sidl_contract_calls" : "sidl_contract_invariants";
  return calls ? "sidl_contract_calls" : "0";
}

void emit_after(Printer& printer, const CheckedMethodModel& method, bool has_invariants) {
  if (!method.ensure.empty()) {
    printer.emit(
        {{"name", method.name},
         {"clauses",
          [&] { emit_clauses(printer, method.name, method.ensure, method.require.size()); }}},
        R"(
      if (sidl_check_result(_check, &contract__$name$, *_ex)) {
        $clauses$
      }
    )");
  } else {
    printer.line("sidl_check_result(_check, &contract__" + method.name + ", *_ex);");
  }
  if (has_invariants)
    printer.line("if (sidl_check_object(_check)) check__invariants(self, _check);");
}

// "unchecked__epv->f_solve"
std::string unchecked_of(bool is_static) {
  return is_static ? "unchecked__static_epv->f_" : "unchecked__epv->f_";
}

std::string call_of(const CheckedMethodModel& method, const std::string& prefix, bool is_static) {
  std::vector<std::string> arguments = method.arguments;
  if (!is_static) arguments.insert(arguments.begin(), "self");
  arguments.emplace_back("_ex");
  return prefix + method.name + "(" + codegen::join(arguments) + ")";
}

void emit_return(Printer& printer, const CheckedMethodModel& method, const std::string& call) {
  if (!method.result_zero.empty()) return printer.line("return " + call + ";");
  printer.line(call + ";");
  printer.line("return;");
}

std::string parameters_of(const ObjectModel& model, const CheckedMethodModel& method,
                          bool is_static) {
  return (is_static ? "" : "struct " + model.symbol + "__object* self, ") + method.parameters;
}

// Whether it has preconditions about numbers alone, and no other clauses.
bool is_quick(const CheckedMethodModel& method, bool has_invariants) {
  return !has_invariants && !method.require.empty() && method.ensure.empty() &&
         std::ranges::all_of(method.require, &ClauseModel::is_simple);
}

// What most calls of such a method need: no address is taken, so that all is in registers.
void emit_quick(Printer& printer, const ObjectModel& model, const CheckedMethodModel& method,
                bool is_static) {
  const auto passes = [&] {
    emit_return(printer, method, call_of(method, unchecked_of(is_static), is_static));
  };
  const std::string checked = call_of(method, "checked_", is_static) + ";";
  printer.emit({{"result", method.result_type},
                {"name", method.name},
                {"parameters", parameters_of(model, method, is_static)},
                {"self", is_static ? "NULL" : "self"},
                {"require", [&] { emit_clauses(printer, method.name, method.require, 0); }},
                {"passes", passes},
                {"checked", (method.result_zero.empty() ? "" : "return ") + checked}},
               R"(
    static $result$
    quickly_$name$($parameters$)
    {
      struct sidl_check _check[1];
      if (sidl_check_quickly(_check, $self$)) {
        $require$
        if (sidl_check_passes(_check, &contract__$name$)) {
          $passes$
        }
      }
      $checked$
    }

  )");
}

void emit_checked(Printer& printer, const ObjectModel& model, const CheckedMethodModel& method,
                  bool is_static, bool has_invariants) {
  const std::vector<const ClauseModel*> clauses = pointers(method.require, method.ensure);
  if (!clauses.empty()) emit_clause_table(printer, method.name, clauses);
  printer.emit({{"name", method.name},
                {"type", model.type->name()},
                {"info", method.info},
                {"clauses", clauses.empty() ? "NULL" : "clauses_" + method.name},
                {"count", std::to_string(clauses.size())},
                {"flags", flags_of(clauses, has_invariants)},
                {"state", std::to_string(method.first_state)}},
               R"(
    static const struct sidl_contract contract__$name$ = {
      "$type$", "$name$", $info$, $clauses$, $count$, $flags$, &states[$state$]
    };

  )");
  const bool returns = !method.result_zero.empty();
  const std::string call = call_of(method, unchecked_of(is_static), is_static);
  const bool quick = is_quick(method, has_invariants);
  const auto direct = [&] { emit_return(printer, method, call); };
  const auto locals = [&] {
    if (returns) printer.line(method.result_type + " _retval = " + method.result_zero + ";");
    if (!method.addresses.empty()) {
      printer.line("void* const _args[] = {" + codegen::join(method.addresses) + "};");
    }
  };
  printer.emit({{"result", method.result_type},
                {"name", method.name},
                {"parameters", parameters_of(model, method, is_static)},
                {"noinline", quick ? "__attribute__((noinline)) " : ""},
                {"locals", locals},
                {"self", is_static ? "NULL" : "self"},
                {"direct", direct},
                {"require", [&] { emit_clauses(printer, method.name, method.require, 0); }},
                {"args", method.addresses.empty() ? "NULL" : "_args"},
                {"call", (returns ? "_retval = " : "") + call},
                {"after", [&] { emit_after(printer, method, has_invariants); }},
                {"retval", returns ? "&_retval" : "NULL"},
                {"return", returns ? "return _retval;" : ""}},
               R"(
    $noinline$static $result$
    checked_$name$($parameters$)
    {
      $locals$
      struct sidl_check _check[1];
      if (!sidl_check_begin(_check, $self$, &contract__$name$)) {
        $direct$
      }
      $require$
      if (sidl_check_call(_check, &contract__$name$, $args$, _ex)) {
        $call$;
        $after$
        sidl_check_end(_check, &contract__$name$, $args$, $retval$, _ex);
      }
      $return$
    }

  )");
  if (quick) emit_quick(printer, model, method, is_static);
}

void emit_invariants(Printer& printer, const ObjectModel& model) {
  const std::vector<ClauseModel>& invariants = model.contracts.invariants;
  if (invariants.empty()) return;
  emit_clause_table(printer, "invariants", pointers(invariants, {}));
  printer.emit({{"type", model.type->name()},
                {"symbol", model.symbol},
                {"count", std::to_string(invariants.size())},
                {"clauses", [&] { emit_clauses(printer, "invariants", invariants, 0); }}},
               R"(
    static const struct sidl_contract contract__invariants = {
      "$type$", NULL, NULL, clauses_invariants, $count$, sidl_contract_invariants, states
    };

    static void
    check__invariants(void* _self, struct sidl_check* _check)
    {
      struct $symbol$__object* self = _self;
      (void)self;
      $clauses$
    }

  )");
}

void emit_checking_epv(Printer& printer, const std::string& type, const std::string& name,
                       const std::vector<CheckedMethodModel>& methods, bool has_invariants) {
  if (methods.empty()) return;
  const auto rows = [&] {
    for (const CheckedMethodModel& method : methods) {
      const std::string way = is_quick(method, has_invariants) ? "quickly_" : "checked_";
      printer.line(".f_" + method.name + " = " + way + method.name + ",");
    }
  };
  printer.emit({{"type", type}, {"name", name}, {"rows", rows}}, R"(
    static const struct $type$ $name$ = {
      $rows$
    };

  )");
}

// All contracts of the class; returns how many they are.
std::size_t emit_list(Printer& printer, const ContractsModel& contracts) {
  std::vector<std::string> names;
  if (!contracts.invariants.empty()) names.emplace_back("invariants");
  for (const CheckedMethodModel& method : contracts.methods) names.push_back(method.name);
  for (const CheckedMethodModel& method : contracts.statics) names.push_back(method.name);
  const auto rows = [&] {
    for (const std::string& name : names) printer.line("&contract__" + name + ",");
  };
  printer.emit({{"rows", rows}}, R"(
    static const struct sidl_contract* const all_contracts[] = {
      $rows$
    };

  )");
  return names.size();
}

}  // namespace

void emit_contracts(Printer& printer, const ObjectModel& model) {
  const ContractsModel& contracts = model.contracts;
  if (contracts.empty()) return;
  const bool has_invariants = !contracts.invariants.empty();
  const bool has_statics = !contracts.statics.empty();
  printer.line("/* Contracts: these functions stand for the methods while they are enforced. */");
  printer.emit({{"symbol", model.symbol}}, "static const struct $symbol$__epv* unchecked__epv;");
  if (has_statics) {
    printer.emit({{"symbol", model.symbol}},
                 "static const struct $symbol$__sepv* unchecked__static_epv;");
  }
  printer.emit({{"count", std::to_string(contracts.state_count)}},
               "static struct sidl_contract_state states[$count$];");
  printer.blank_line();
  emit_invariants(printer, model);
  for (const CheckedMethodModel& method : contracts.methods) {
    emit_checked(printer, model, method, false, has_invariants);
  }
  for (const CheckedMethodModel& method : contracts.statics) {
    emit_checked(printer, model, method, true, false);
  }
  emit_checking_epv(printer, model.symbol + "__epv", "checking_epv", contracts.methods,
                    has_invariants);
  emit_checking_epv(printer, model.symbol + "__sepv", "checking_static_epv", contracts.statics,
                    false);
  const std::size_t count = emit_list(printer, contracts);
  const auto fields = [&] {
    if (!contracts.methods.empty()) printer.line(".epv = &checking_epv,");
    printer.line(".unchecked = (const void**)&unchecked__epv,");
    if (has_statics) {
      printer.line(".static_epv = &checking_static_epv,");
      printer.line(".unchecked_static = (const void**)&unchecked__static_epv,");
    }
    if (has_invariants) {
      printer.line(".invariants = &contract__invariants,");
      printer.line(".check_invariants = check__invariants,");
    }
    printer.line(".all = all_contracts,");
    printer.line(".count = " + std::to_string(count) + ",");
  };
  printer.emit({{"symbol", model.symbol}, {"fields", fields}}, R"(
    const struct sidl_contracts $symbol$__contracts = {
      $fields$
    };

    static const struct sidl_type_extension extension = {
      .size = sizeof extension,
      .contracts = &$symbol$__contracts,
    };

  )");
}

}  // namespace shinar::backends::ior
