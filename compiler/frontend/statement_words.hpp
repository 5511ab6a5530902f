// In: the type of a token.
// Out: which part of a statement it can be, used to find the next statement after an error.
#pragma once

#include <cstddef>

#include "frontend/antlr.hpp"

namespace shinar {

// "int", "string": a type of the language's own.
inline bool is_basic_type(std::size_t type) {
  using P = grammar::SidlParser;
  switch (type) {
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) case P::token:
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    return true;
    default:
      return false;
  }
}

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
    case P::COPY:
    case P::LOCAL:
    case P::NONBLOCKING:
    case P::ONEWAY:
    case P::RARRAY:
    case P::STATIC:
    case P::VOID:
      return true;
    default:
      return is_basic_type(type);
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

inline bool is_name_token(std::size_t type) {
  using P = grammar::SidlParser;
  return type == P::ID || type == P::VERSION;
}

inline bool begins_clause(std::size_t type) {
  using P = grammar::SidlParser;
  return type == P::INVARIANT || type == P::REQUIRE || type == P::ENSURE;
}

// Operators and words that only assertions have.
inline bool is_only_in_assertions(std::size_t type) {
  using P = grammar::SidlParser;
  switch (type) {
    case P::AND:
    case P::EQ:
    case P::GE:
    case P::IFF:
    case P::IMPLIES:
    case P::IS:
    case P::LE:
    case P::NE:
    case P::NOT:
    case P::OR:
    case P::PURE:
    case P::RESULT:
    case P::XOR:
      return true;
    default:
      return false;
  }
}

}  // namespace shinar
