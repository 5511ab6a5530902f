#include "codegen/unsupported.hpp"

#include <algorithm>

namespace shinar::codegen {
namespace {

class Search {
 public:
  void type(const ir::Type& type);
  std::vector<Problem> take() { return std::move(problems_); }

 private:
  void method(const ir::Method& method);
  void refuse(Code code, const ir::Span& span, const std::string& what) {
    problems_.push_back({code, span, what + " not supported yet"});
  }

  std::vector<Problem> problems_;
};

void Search::type(const ir::Type& type) {
  bool has_contracts = type.object().invariants_size() > 0;
  for (const ir::Method& item : type.object().methods()) {
    method(item);
    has_contracts = has_contracts || item.require_size() > 0 || item.ensure_size() > 0;
  }
  if (!has_contracts) return;
  problems_.push_back({Code::NoContracts, type.span(),
                       "the contracts of '" + type.local_name() + "' are not enforced yet"});
}

void Search::method(const ir::Method& method) {
  const ir::Span& span = method.span();
  if (method.nonblocking()) refuse(Code::NoNonblocking, span, "nonblocking methods are");
}

}  // namespace

std::vector<Problem> find_unsupported(const ir::Module& module) {
  Search search;
  for (const ir::Type& type : module.types()) search.type(type);
  return search.take();
}

bool has_errors(const std::vector<Problem>& problems) {
  return std::ranges::any_of(
      problems, [](const Problem& item) { return info(item.code).severity == Severity::Error; });
}

}  // namespace shinar::codegen
