// In: nothing; these are the plain structs the parser fills in.
// Out: everything the grammar accepts, with the locations needed for later messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "diagnostics/source.hpp"

namespace shinar::ast {

struct Name {
  std::string text;
  Span span;
};

// "sidl.BaseClass", or ".sidl.BaseClass" when absolute.
struct ScopedName {
  bool absolute = false;
  std::vector<Name> parts;
  Span span;

  std::string text() const;  // as written, without white space
};

struct Version {
  std::string text;  // as written; checked by sema
  Span span;
};

struct Integer {
  std::int64_t value = 0;
  bool in_range = true;      // false: malformed octal, or beyond 64 bits
  bool long_suffix = false;  // 5L
  Span span;
};

// ---- attributes and expressions ---------------------------------------------------------------

enum class Word : std::uint8_t {
  Final,
  Abstract,
  Oneway,
  Local,
  Static,
  Nonblocking,
  Copy,
  Attrib
};

struct AttribEntry {
  Name key;
  std::optional<std::string> value;  // the literal, quotes included
};

struct Attribute {
  Word word = Word::Final;
  Span span;
  std::vector<AttribEntry> entries;  // of %attrib{…}
};

// Operands and operators of one level of precedence form a flat list, so that a long sum is not a
// deep tree: "a + b - c" has operands {a, b, c} and operators {"+", "-"}.
struct Expression {
  enum class Kind : std::uint8_t { Chain, Unary, Call, Name, Literal, Complex };
  Kind kind = Kind::Literal;
  // Unary: the operator; Call, Name: the name; Literal: as written; Complex: "{-1.0, 2}"
  std::string text;
  std::vector<Expression> operands;
  std::vector<std::string> operators;
  Span span;
};

struct Assertion {
  std::optional<Name> name;
  Expression expression;
  Span span;
};

struct Clause {
  enum class Kind : std::uint8_t { Invariant, Require, Ensure };
  Kind kind = Kind::Invariant;
  Span keyword;
  std::vector<Assertion> assertions;
};

// ---- type references --------------------------------------------------------------------------

enum class Basic : std::uint8_t {
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) identifier,
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
};

enum class Order : std::uint8_t { ColumnMajor, RowMajor };

struct ArrayType;

// Every argument has one, so array data is separate.
struct TypeRef {
  enum class Kind : std::uint8_t { Void, Basic, Named, Array };
  Kind kind = Kind::Void;
  Basic basic = Basic::Bool;
  Span span;
  ScopedName name;
  std::unique_ptr<ArrayType> array;  // null: not an array
};

struct ArrayType {
  std::optional<TypeRef> element;  // none: a generic array
  std::optional<Integer> dimension;
  std::optional<Order> order;
  Span order_span;
};

// rarray<double,2> a(n,m): type and name in one.
struct RawArray {
  Basic element = Basic::Int;
  std::optional<Integer> dimension;
  std::vector<Expression> extents;
  Span span;
};

// ---- declarations -----------------------------------------------------------------------------

enum class Direction : std::uint8_t { In, Out, InOut };

struct Argument {
  std::vector<Attribute> attributes;
  Direction direction = Direction::In;
  TypeRef type;  // unused when raw is set
  std::unique_ptr<RawArray> raw;
  Name name;
  Span span;
};

struct FromClause {
  ScopedName name;
  std::optional<Name> extension;
  Span span;
};

struct Method {
  std::string doc;
  std::vector<Attribute> attributes;
  TypeRef result;
  Name name;
  std::optional<Name> extension;  // text without the brackets
  std::vector<Argument> arguments;
  std::vector<ScopedName> throws;
  std::optional<FromClause> from;
  std::vector<Clause> clauses;
};

struct Enumerator {
  std::string doc;
  Name name;
  std::optional<Integer> value;
};

struct Enum {
  Name name;
  std::vector<Enumerator> enumerators;
};

struct Member {
  std::string doc;
  TypeRef type;
  std::unique_ptr<RawArray> raw;
  Name name;
};

struct Struct {
  Name name;
  std::vector<Member> members;
};

struct Object {
  bool is_class = false;
  Name name;
  std::vector<ScopedName> extends;
  struct Implements {
    bool all = false;
    ScopedName name;
  };
  std::vector<Implements> implements;
  std::vector<Clause> invariants;
  std::vector<Method> methods;
};

struct Declaration;

struct Package {
  ScopedName name;
  std::optional<Version> version;
  std::vector<Declaration> declarations;
};

// A damaged one has syntax errors: members may be missing, a class or interface may have unknown
// parents, a package further types. Its name is empty if missing.
struct Declaration {
  bool is_damaged = false;
  std::string doc;
  std::vector<Attribute> attributes;
  std::variant<Package, Enum, Struct, Object> body;
};

// An import or require statement.
struct Import {
  bool is_require = false;
  ScopedName name;
  std::optional<Version> version;
  Span span;
};

struct File {
  std::uint32_t source = 0;  // index into Sources
  bool is_damaged = false;   // imports and packages may be missing
  std::vector<Import> imports;
  std::vector<Declaration> declarations;
};

}  // namespace shinar::ast
