// In: nothing; these are the structs that analysis fills in.
// Out: the program with every name resolved, every value decided and every method table in order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "diagnostics/source.hpp"
#include "frontend/ast.hpp"

namespace shinar::model {

struct Type;

enum class Kind : std::uint8_t {
  Error,  // reported already: whoever meets it stays silent
  Void,
  Bool,
  Char,
  Int,
  Long,
  Float,
  Double,
  Fcomplex,
  Dcomplex,
  String,
  Opaque,
  Enum,
  Struct,
  Interface,
  Class,
  Array
};

struct TypeRef {
  Kind kind = Kind::Error;
  const Type* type = nullptr;   // enum, struct, interface, class; of an array: of its elements
  Kind element = Kind::Error;   // of an array
  std::uint32_t dimension = 0;  // of an array

  bool operator==(const TypeRef&) const = default;
};

std::string to_string(const TypeRef& type);  // "array<double,2>", "demo.Solver"

using Direction = ast::Direction;
std::string_view to_string(Direction direction);

struct Argument {
  Direction direction = Direction::In;
  TypeRef type;
  std::string name;
  Span span;
};

struct Method {
  const Type* owner = nullptr;
  std::uint32_t index = 0;  // in the owner's methods
  std::string name;
  std::string extension;
  std::string long_name;
  std::string key;  // the long name in lower case: methods are told apart by it
  std::string doc;
  Span span;  // of the name
  bool is_static = false;
  bool is_abstract = false;  // methods of interfaces are
  bool is_final = false;
  bool from_implements_all = false;
  TypeRef result;
  std::vector<Argument> arguments;
  struct Thrown {
    const Type* type;
    Span span;
  };
  std::vector<Thrown> throws;
};

// "double solveRaw(in array<double,2>,inout demo.Point)": what caller and callee must agree on.
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
  std::string doc;
  Span span;
};

struct Package {
  std::string name;  // absolute
  std::string version;
  std::string doc;
  bool is_final = false;
  bool is_external = false;
  Span span;
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

  bool is_object() const { return kind == Kind::Interface || kind == Kind::Class; }
};

struct Model {
  std::vector<std::unique_ptr<Package>> packages;  // in order of appearance, outer before inner
  std::vector<std::unique_ptr<Type>> types;        // in order of appearance
  std::vector<Type*> order;  // parents before children, members before structs
};

}  // namespace shinar::model
