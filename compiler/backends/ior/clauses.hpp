// In: a class of the IR, and the clauses of it and its ancestors.
// Out: which methods are checked, and each assertion as a C expression over the parameters of the
// function that checks it (sidl_contract.h), where `_check` is a pointer and `_retval` the result.
#pragma once

#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::backends::ior {

struct ClauseModel {
  std::string name;    // C string literal, or NULL
  std::string text;    // likewise: in SIDL
  std::string type;    // that declares it
  std::string source;  // base name of its file
  unsigned line = 0;
  bool calls = false;      // methods
  bool is_simple = false;  // it neither calls anything nor looks at elements of arrays
  std::string kinds;       // "sidl_clause_require | sidl_clause_simple"
  std::string reads;       // C expression: a bit for each argument
  std::string holds;       // C expression
  std::string names;       // C string literal: what the declaration calls the arguments; or NULL
};

struct CheckedMethodModel {
  std::string name;  // of the slot or static method
  std::string result_type;
  std::string result_zero;             // empty for void
  std::string parameters;              // behind `self`
  std::string info;                    // expression for its table
  std::vector<std::string> addresses;  // of the arguments
  std::vector<std::string> arguments;  // as they are passed on
  std::vector<ClauseModel> require;
  std::vector<ClauseModel> ensure;
  std::size_t first_state = 0;  // of its counters among those of the class

  std::size_t clause_count() const { return require.size() + ensure.size(); }
};

struct ContractsModel {
  std::vector<CheckedMethodModel> methods;
  std::vector<CheckedMethodModel> statics;
  std::vector<ClauseModel> invariants;  // whose counters come first
  std::size_t state_count = 0;

  bool empty() const { return methods.empty() && statics.empty() && invariants.empty(); }
};

// Empty for interfaces: the classes that implement them check their clauses.
ContractsModel lower_contracts(const codegen::TypeIndex& index, const ir::Type& type);

}  // namespace shinar::backends::ior
