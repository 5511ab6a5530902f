// In: the index of a grammar rule.
// Out: what part it has in how a file is read (item_parser.hpp) and where reading goes on behind an
// error.
#pragma once

#include <cstddef>

#include "frontend/antlr.hpp"

namespace shinar {

// Is made part of the AST as soon as it ends.
inline bool is_item(std::size_t rule) {
  using P = grammar::SidlParser;
  switch (rule) {
    case P::RuleRequireStatement:
    case P::RuleImportStatement:
    case P::RuleUserType:
    case P::RuleEnumerator:
    case P::RuleStructMember:
    case P::RuleMethod:
      return true;
    default:
      return false;
  }
}

// A type's head and what is in its braces.
inline bool is_body(std::size_t rule) {
  using P = grammar::SidlParser;
  switch (rule) {
    case P::RulePackageType:
    case P::RuleEnumType:
    case P::RuleStructType:
    case P::RuleClassType:
    case P::RuleInterfaceType:
      return true;
    default:
      return false;
  }
}

// Labels cannot tell the order of operators; an integer is part of the expression around it.
inline bool is_expression(std::size_t rule) {
  using P = grammar::SidlParser;
  return (rule >= P::RuleExpression && rule <= P::RuleNumber) ||
         (rule >= P::RuleExtent && rule <= P::RuleExtentFactor);
}

}  // namespace shinar
