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
    // What C has is also named in the C++ that bindings of other languages consist of.
    const char* const taken = is_reserved(Words::c_types, symbol)    ? "type of C's headers"
                              : is_reserved(Words::c_macros, symbol) ? "macro of C's headers"
                              : is_reserved(Words::cxx, symbol)      ? "keyword of C++"
                                                                     : nullptr;
    if (taken == nullptr) continue;
    problems.push_back(
        {Code::CName, type.span(),
         "'" + type.name() + "' would be '" + symbol + "' in C, which is a " + taken});
  }
  return problems;
}

bool has_errors(const std::vector<Problem>& problems) {
  return std::ranges::any_of(
      problems, [](const Problem& item) { return info(item.code).severity == Severity::Error; });
}

}  // namespace shinar::codegen
