// In: nothing; these are the structs that analysis fills in.
// Out: the program with every name resolved, every value decided and every method table in order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics/source.hpp"
#include "frontend/ast.hpp"

namespace shinar::model {

struct Type;

enum class Kind : std::uint8_t {
  Error,  // reported already: no further errors
  Void,
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) identifier,
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
  Enum,
  Struct,
  Interface,
  Class,
  Array,
  Rarray
};

enum class Order : std::uint8_t { Any, ColumnMajor, RowMajor };

// Arrays and raw arrays have type, element and dimension. A generic array (array<>) has the element
// Kind::Void and no dimension.
struct TypeRef {
  Kind kind = Kind::Error;
  const Type* type = nullptr;  // enum, struct, interface, class; for an array: of its elements
  Kind element = Kind::Error;
  std::uint32_t dimension = 0;
  Order order = Order::Any;  // of an array

  bool operator==(const TypeRef&) const = default;
  bool is_object() const { return kind == Kind::Interface || kind == Kind::Class; }
  bool is_generic_array() const { return kind == Kind::Array && element == Kind::Void; }
};

std::string to_string(const TypeRef& type);  // "array<double,2>", "demo.Solver"

// A contract's expression, or the extent of a raw array; fields as in the IR's message.
struct Expression {
  enum class Kind : std::uint8_t { Literal, Variable, Result, Unary, Chain, Call, Builtin };
  Kind kind = Kind::Literal;
  std::string text;
  std::uint32_t index = 0;
  std::vector<std::string> operators;
  std::vector<Expression> operands;
  TypeRef type;
  Span span;
};

struct Assertion {
  std::string name;
  Expression expression;
  Span span;
};

// One entry of %attrib{…}.
struct Attribute {
  std::string key;
  std::optional<std::string> value;
  Span span;
};

using Direction = ast::Direction;
std::string_view to_string(Direction direction);

struct Argument {
  Direction direction = Direction::In;
  TypeRef type;
  std::vector<Expression> extents;  // of a raw array
  std::string name;
  Span span;
  Span type_span;
  bool copy = false;
  std::vector<Attribute> attributes;
};

struct Method {
  const Type* owner = nullptr;
  std::uint32_t index = 0;  // in the owner's methods
  std::string name;
  std::string extension;
  std::string long_name;
  std::string key;  // the long name in lower case: identifies the method
  std::string doc;
  Span span;  // of the name
  bool is_static = false;
  bool is_abstract = false;  // methods of interfaces are
  bool is_final = false;
  bool from_implements_all = false;
  bool oneway = false;
  bool nonblocking = false;
  bool local = false;
  bool copy = false;  // the result is passed by value
  std::vector<Attribute> attributes;
  const Method* from = nullptr;  // the inherited method that a from clause renames
  const Type* from_interface = nullptr;
  TypeRef result;
  Span result_span;
  std::vector<Argument> arguments;
  struct Thrown {
    const Type* type;
    Span span;
  };
  std::vector<Thrown> throws;
  bool throws_unknown = false;  // and an invalid exception, which was reported
  std::vector<Assertion> require;
  std::vector<Assertion> ensure;  // without `is pure`
  bool is_pure = false;
};

// "double solveRaw(in array<double,2>,inout demo.Point)": must be the same for caller and callee.
std::string signature(const Method& method);

// One entry of an EPV.
struct Slot {
  const Method* introducer = nullptr;
  const Method* method = nullptr;  // the nearest declaration
  bool is_abstract = false;
};

struct Enumerator {
  std::string name;
  std::int32_t value = 0;
  std::string doc;
  Span span;
};

struct Member {
  std::string name;
  TypeRef type;
  std::vector<Expression> extents;  // of a raw array
  // Elements of a raw array whose extents are numbers, which lies in the struct; else 0.
  std::int64_t inline_size = 0;
  std::string doc;
  Span span;
};

struct Package {
  std::string name;  // absolute
  std::string version;
  std::string doc;
  bool is_final = false;
  bool is_external = false;
  bool is_broken = false;  // a declaration of it has errors: it may hold other types as well
  Span span;
  std::vector<Attribute> attributes;
};

// Where the slots of one of a class's interfaces are among the slots of the class.
struct Facet {
  const Type* interface = nullptr;
  std::vector<std::uint32_t> slots;
};

struct Type {
  Kind kind = Kind::Error;  // Enum, Struct, Interface or Class
  std::string name;         // absolute
  std::string local_name;
  const Package* package = nullptr;
  std::string doc;
  Span span;  // of the name
  bool is_external = false;
  bool is_broken = false;  // its declaration has errors: consequences are not reported
  // It has syntax errors (and is broken): members may be missing, and its kind may be another one.
  bool is_damaged = false;
  std::vector<Attribute> attributes;

  std::vector<Enumerator> enumerators;  // Enum
  std::vector<Member> members;          // Struct

  // Interface, Class
  bool is_abstract = false;
  bool is_exception = false;
  Type* parent = nullptr;
  std::vector<Type*> direct_interfaces;
  std::vector<const Type*> ancestors;
  std::vector<const Type*> interfaces;
  std::vector<std::unique_ptr<Method>> methods;
  std::vector<Slot> slots;
  // Inherited methods that share a slot with an equal one of another introducer, and that slot.
  std::vector<std::pair<const Method*, std::uint32_t>> joined;
  std::vector<const Type*> implements_all;  // part of direct_interfaces
  std::vector<Facet> facets;                // Class: parallel to interfaces
  std::vector<Assertion> invariants;

  bool is_object() const { return kind == Kind::Interface || kind == Kind::Class; }
};

// Whether an object of type `type` can be cast to `other`.
bool is_a(const Type& type, const Type& other);

struct Model {
  std::vector<std::unique_ptr<Package>> packages;  // in order of appearance, outer before inner
  std::vector<std::unique_ptr<Type>> types;        // in order of appearance
  std::vector<Type*> order;  // parents before children, members before structs
};

}  // namespace shinar::model
