#include "codegen/unsupported.hpp"

#include <algorithm>

#include "codegen/names.hpp"
#include "codegen/reserved_words.hpp"

namespace shinar::codegen {
std::vector<Problem> find_unsupported(const ir::Module& module) {
  std::vector<Problem> problems;
  for (const ir::Type& type : module.types()) {
    const std::string symbol = Namer::symbol(type.name());
    if (type.external()) continue;
    const bool is_type = is_reserved(Words::c_types, symbol);
    if (!is_type && !is_reserved(Words::c_macros, symbol)) continue;
    problems.push_back({Code::CName, type.span(),
                        "'" + type.name() + "' would be '" + symbol + "' in C, which is a " +
                            (is_type ? "type" : "macro") + " of C's headers"});
  }
  return problems;
}

bool has_errors(const std::vector<Problem>& problems) {
  return std::ranges::any_of(
      problems, [](const Problem& item) { return info(item.code).severity == Severity::Error; });
}

}  // namespace shinar::codegen
