// In: a method and what it meets in the hierarchy.
// Out: diagnostics where the two cannot live together.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "sema/model.hpp"

namespace shinar::sema {

class OverrideRules {
 public:
  // `runtime_exception`: any method may throw it.
  OverrideRules(Diagnostics& diagnostics, const model::Type* runtime_exception)
      : diagnostics_(diagnostics), runtime_exception_(runtime_exception) {}

  void check_override(const model::Method& method, const model::Method& inherited);
  // Two methods of one name that `type` inherits along different ways.
  void check_inherited(const model::Method& first, const model::Method& second,
                       const model::Type& type);
  void report_static(const model::Method& method, const model::Method& inherited);
  // Overloads, inherited ones included, must differ in their argument types.
  void check_overloads(const model::Type& type);
  // A class with abstract methods says so, and only such a class.
  void check_abstract(const model::Type& type);

 private:
  void check_communication(const model::Method& method, const model::Method& inherited);
  void check_throws(const model::Method& method, const model::Method& inherited);
  bool is_expected(const model::Type& exception, const model::Method& inherited) const;

  Diagnostics& diagnostics_;
  const model::Type* runtime_exception_;
};

}  // namespace shinar::sema
