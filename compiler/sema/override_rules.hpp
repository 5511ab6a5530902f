// In: a method and what it meets in the hierarchy.
// Out: diagnostics where the two cannot live together.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "sema/model.hpp"

namespace shinar::sema {

class OverrideRules {
 public:
  explicit OverrideRules(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

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
  Diagnostics& diagnostics_;
};

}  // namespace shinar::sema
