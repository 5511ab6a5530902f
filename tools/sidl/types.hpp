/**
 * The types of a server, as described by sidl.rmi.Inspection.describeType, and their SIDL notation.
 */
#ifndef SIDL_TOOL_TYPES_HPP
#define SIDL_TOOL_TYPES_HPP

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sidlArray.h"
#include "sidl_ior.h"

namespace sidl_tool {

/** The type of an argument, a result or a struct member. */
struct Type {
  sidl_kind kind = sidl_kind_void;
  sidl_kind element = sidl_kind_void;  ///< of an array; void: a generic one
  std::string name;                    ///< of an enum, struct, class, interface; of the elements
  int dimension = 0;
  sidl_array_ordering order = sidl_general_order;
  bool raw = false;
  std::vector<std::int64_t> lengths;  ///< of an array that lies in a struct
  bool copy = false;                  ///< the object is passed by value

  bool is_inline() const { return !lengths.empty(); }
  std::size_t count() const;  ///< elements of an array that lies in a struct
  /** "array<double,2,row-major>" */
  std::string text() const;
  /** "double": the element type of an array. */
  std::string element_text() const;
};

struct Argument {
  std::string name;
  sidl_mode mode = sidl_mode_in;
  Type type;
};

struct Method {
  std::string name;  ///< long name
  std::string from;  ///< the type that introduced it
  std::string call;  ///< "object", "local" or "static": only the first can be called
  bool oneway = false;
  bool nonblocking = false;
  bool concurrent = false;
  std::vector<std::string> throws;
  std::int64_t digest = 0;
  Type result;
  std::vector<Argument> arguments;

  /** "nonblocking int solve(in demo.Norm norm, out array<double> x) throws demo.Stop" */
  std::string signature() const;
};

using Enumerators = std::vector<std::pair<std::string, std::int64_t>>;
using Members = std::vector<std::pair<std::string, Type>>;

/** A class, an interface, an enum or a struct, and the enums and structs it refers to. */
struct TypeInfo {
  std::string name;
  std::string version;
  std::string kind;
  std::string parent;
  bool is_abstract = false;
  bool is_concurrent = false;
  std::vector<std::string> interfaces;
  std::vector<Method> methods;
  std::map<std::string, Enumerators> enums;
  std::map<std::string, Members> structs;

  /** Throws WrongAnswer (answers.hpp) if the JSON does not describe a type. */
  static TypeInfo parse(const nlohmann::ordered_json& json);

  /** The SIDL text, without what is inherited from sidl.BaseInterface. */
  std::string text() const;
};

}  // namespace sidl_tool
#endif
