// In: the type of a token.
// Out: whether it can begin a statement, used to find the next statement after an error.
#pragma once

#include <cstddef>

#include "frontend/antlr.hpp"

namespace shinar {

inline bool is_type_keyword(std::size_t type) {
  using P = grammar::SidlParser;
  return type == P::PACKAGE || type == P::CLASS || type == P::INTERFACE || type == P::STRUCT ||
         type == P::ENUM;
}

// Words that begin only methods or struct members.
inline bool is_member_keyword(std::size_t type) {
  using P = grammar::SidlParser;
  switch (type) {
    case P::ARRAY:
    case P::BOOL:
    case P::CHAR:
    case P::COPY:
    case P::DCOMPLEX:
    case P::DOUBLE:
    case P::FCOMPLEX:
    case P::FLOAT_TYPE:
    case P::INT:
    case P::LOCAL:
    case P::LONG:
    case P::NONBLOCKING:
    case P::ONEWAY:
    case P::OPAQUE:
    case P::RARRAY:
    case P::STATIC:
    case P::STRING_TYPE:
    case P::VOID:
      return true;
    default:
      return false;
  }
}

// A method, struct member, clause, type, import or require statement.
inline bool begins_statement(std::size_t type) {
  using P = grammar::SidlParser;
  switch (type) {
    case P::ABSTRACT:
    case P::ATTRIB:
    case P::DOT:
    case P::ENSURE:
    case P::FINAL:
    case P::ID:
    case P::IMPORT:
    case P::INVARIANT:
    case P::REQUIRE:
      return true;
    default:
      return is_type_keyword(type) || is_member_keyword(type);
  }
}

}  // namespace shinar
