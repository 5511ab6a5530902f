// In: an assertion of a contract.
// Out: what checking it does, by which sidl.ContractClass chooses clauses.
#pragma once

#include <optional>
#include <string>

#include "ir/ir.hpp"

namespace shinar::codegen {

struct ClauseFacts {
  bool calls = false;           // it calls methods
  bool reads_elements = false;  // it looks at elements of arrays
  bool reads_results = false;   // it reads the result, or what the method gives back
  // The power of the arrays' length that its time grows with: 0 where it looks at no elements, else
  // the most dimensions of an array whose elements it looks at. None: methods take the time they
  // take.
  std::optional<int> cost;

  // It neither calls anything nor looks at elements of arrays.
  bool is_simple() const { return !calls && !reads_elements; }
};

// `method`: whose clause it is; nullptr for an invariant.
ClauseFacts clause_facts(const ir::Expression& expression, const ir::Method* method);

// "constant", "linear" … "septic"
std::string cost_name(int cost);

}  // namespace shinar::codegen
