#include "backends/cxx/values.hpp"

#include "codegen/basic_types.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::is_complex;
using codegen::Namer;

bool is_handle(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::CLASS || type.kind() == ir::TypeRef::INTERFACE ||
         type.kind() == ir::TypeRef::ARRAY;
}

std::string reference(const ir::TypeRef& type) {
  return cxx_type(type) + "&";
}

std::string declaration(const std::string& helper, const ir::TypeRef& type,
                        const std::string& variable, const std::string& name) {
  return "::sidl::" + helper + "<" + cxx_type(type) + "> " + variable + "(" + name + ");";
}

std::string stub_in(const ir::TypeRef& type, const std::string& name) {
  if (type.kind() == ir::TypeRef::STRING) return name + ".c_str()";
  if (type.kind() == ir::TypeRef::STRUCT) return "&" + name;
  return is_handle(type) ? name + "._get_ior()" : to_ior(type, name);
}

// "double" of a raw array of dcomplex; "": of other elements.
std::string real_of_raw(const ir::TypeRef& type) {
  if (!is_complex(type.element())) return "";
  return type.element().kind() == ir::TypeRef::FCOMPLEX ? "float" : "double";
}

// "::sidl::raw_in<double, 2> _raw_a(a, {m, n}, "demo.Solver.dot: a");"
std::string raw_declaration(const std::string& helper, const ir::Argument& argument,
                            const std::string& variable, const Signature& of) {
  const ir::TypeRef& type = argument.type();
  return "::sidl::" + helper + "<" + cxx_type(type.element()) + ", " +
         std::to_string(type.dimension()) + "> " + variable + "(" +
         Namer::argument(argument.name()) + ", {" +
         codegen::join(codegen::extent_texts(type, of.names)) + "}, \"" + of.method + ": " +
         argument.name() + "\");";
}

Argument raw_stub_argument(const ir::Argument& argument, const Signature& of) {
  const bool in = argument.mode() == ir::Argument::IN;
  Argument result;
  const std::string variable = "_raw_" + argument.name();
  result.local = raw_declaration(in ? "raw_in" : "raw_inout", argument, variable, of);
  result.pass = variable + (in ? ".ior()" : ".ptr()");
  if (!in) result.settle = variable;
  return result;
}

Argument raw_skel_argument(const ir::Argument& argument, const Signature& of) {
  const bool in = argument.mode() == ir::Argument::IN;
  Argument result;
  const std::string variable = "_raw_" + argument.name();
  result.local =
      "const " + raw_declaration(in ? "callee_raw_in" : "callee_raw_inout", argument, variable, of);
  result.pass = variable + ".data()";
  const std::string real = real_of_raw(argument.type());
  if (!real.empty()) result.pass = "::sidl::complex_pointer<" + real + ">(" + result.pass + ")";
  return result;
}

Argument skel_in(const ir::TypeRef& type, const std::string& name) {
  Argument result;
  if (is_handle(type)) {
    result.pass = "_in_" + name;
    if (codegen::demands_layout(type)) {
      result.local = "auto " + result.pass + " = ::sidl::ensured<" + cxx_type(type.element()) +
                     ">(" + name + ", " + array_demand(type) + ", \"" + name + "\");";
    } else {
      result.local = cxx_type(type) + " " + result.pass + "(" + name + ", true);";
      result.before = demand_statement(type, name, name);
    }
  } else if (type.kind() == ir::TypeRef::STRING) {
    result.pass = "::sidl::to_string(" + name + ")";
  } else {
    result.pass = to_cxx(type, name);
  }
  return result;
}

}  // namespace

Passing passing_of(const ir::TypeRef& type) {
  switch (type.kind()) {
    case ir::TypeRef::BOOL:
    case ir::TypeRef::ENUM:
    case ir::TypeRef::FCOMPLEX:
    case ir::TypeRef::DCOMPLEX:
      return Passing::converted;
    case ir::TypeRef::STRUCT:
      return Passing::structure;
    case ir::TypeRef::STRING:
    case ir::TypeRef::ARRAY:
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return Passing::managed;
    case ir::TypeRef::RARRAY:
      return Passing::raw;
    default:
      return Passing::same;
  }
}

std::string cxx_type(const ir::TypeRef& type) {
  if (const auto* basic = codegen::find_basic_type(type.kind())) return std::string(basic->cxx);
  switch (type.kind()) {
    case ir::TypeRef::ENUM:
    case ir::TypeRef::STRUCT:
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return Namer::cxx_name(type.name());
    case ir::TypeRef::ARRAY:
      return type.has_element() ? "::sidl::array<" + cxx_type(type.element()) + ">"
                                : "::sidl::basearray";
    case ir::TypeRef::RARRAY:
      return cxx_type(type.element()) + "*";
    default:
      return codegen::ior_value_type(type);
  }
}

// Raw arrays of complex numbers are structs of C in programs written for Babel.
std::string stub_parameter_type(const ir::TypeRef& type, ir::Argument::Mode mode) {
  const Passing passing = passing_of(type);
  if (passing == Passing::raw && !real_of_raw(type).empty()) {
    const std::string constant = mode == ir::Argument::IN ? "const_" : "";
    return "::sidl::" + constant + "complex_pointer<" + real_of_raw(type) + ">";
  }
  if (passing == Passing::raw) return (mode == ir::Argument::IN ? "const " : "") + cxx_type(type);
  if (mode != ir::Argument::IN) return reference(type);
  const bool by_value = passing == Passing::same || type.kind() == ir::TypeRef::BOOL ||
                        type.kind() == ir::TypeRef::ENUM;
  return by_value ? cxx_type(type) : "const " + reference(type);
}

std::string impl_parameter_type(const ir::TypeRef& type, ir::Argument::Mode mode) {
  if (passing_of(type) == Passing::raw) {
    return is_complex(type.element()) ? codegen::ior_value_type(type.element()) + "*"
                                      : cxx_type(type);
  }
  return is_handle(type) ? reference(type) : stub_parameter_type(type, mode);
}

Argument lower_stub_argument(const ir::Argument& argument, const Signature& of) {
  const ir::TypeRef& type = argument.type();
  if (codegen::is_raw(type)) return raw_stub_argument(argument, of);
  const std::string name = Namer::argument(argument.name());
  Argument result;
  if (argument.mode() == ir::Argument::IN) {
    result.pass = stub_in(type, name);
    return result;
  }
  const bool inout = argument.mode() == ir::Argument::INOUT;
  const Passing passing = passing_of(type);
  if (passing == Passing::same || (passing == Passing::structure && inout)) {
    result.pass = "&" + name;
    return result;
  }
  const std::string helper = inout ? "inout" : "out";
  result.settle = "_" + helper + "_" + name;
  result.local = declaration(helper, type, result.settle, name);
  result.pass = result.settle + ".ptr()";
  return result;
}

Argument lower_sent_argument(const ir::Argument& argument, const Signature& of) {
  const ir::TypeRef& type = argument.type();
  const std::string name = Namer::argument(argument.name());
  const Passing passing = passing_of(type);
  Argument result;
  if (passing == Passing::same) {
    result.pass = "&" + name;
  } else if (passing == Passing::structure) {
    result.pass = "const_cast<" + cxx_type(type) + "*>(&" + name + ")";
  } else {
    const std::string variable = "_in_" + argument.name();
    std::string value = stub_in(type, name);
    if (passing == Passing::raw) {
      const Argument raw = raw_stub_argument(argument, of);
      result.lent = raw.local;
      value = raw.pass;
    }
    const std::string ior_type = codegen::ior_parameter_type(type, ir::Argument::IN);
    result.local = codegen::declare(ior_type, variable) + " = " + value + ";";
    result.pass = "&" + variable;
  }
  return result;
}

Argument lower_received_argument(const ir::Argument& argument) {
  if (!codegen::is_raw(argument.type())) return lower_stub_argument(argument, {});
  Argument result;
  result.pass = Namer::argument(argument.name());
  if (!real_of_raw(argument.type()).empty()) result.pass += ".get()";
  return result;
}

Argument lower_skel_argument(const ir::Argument& argument, const Signature& of) {
  const ir::TypeRef& type = argument.type();
  if (codegen::is_raw(type)) return raw_skel_argument(argument, of);
  const std::string name = Namer::argument(argument.name());
  if (argument.mode() == ir::Argument::IN) return skel_in(type, name);
  Argument result;
  const bool inout = argument.mode() == ir::Argument::INOUT;
  const Passing passing = passing_of(type);
  if (inout && (passing == Passing::same || passing == Passing::structure)) {
    result.pass = passing == Passing::same ? "*" + name : to_cxx(type, name);
    return result;
  }
  const std::string helper = inout ? "inout" : "out";
  result.settle = "_" + helper + "_" + name;
  result.local = declaration("callee_" + helper, type, result.settle, name);
  result.pass = result.settle + ".value";
  result.after = demand_statement(type, result.pass, argument.name());
  if (inout) result.before = result.after;
  result.zeroes = !inout;
  return result;
}

std::string to_cxx(const ir::TypeRef& type, const std::string& expression) {
  switch (type.kind()) {
    case ir::TypeRef::BOOL:
      return expression + " != 0";
    case ir::TypeRef::ENUM:
      return "static_cast<" + cxx_type(type) + ">(" + expression + ")";
    case ir::TypeRef::STRUCT:
      return "::sidl::as_struct<" + cxx_type(type) + ">(" + expression + ")";
    default:
      return is_complex(type) ? "::sidl::to_complex(" + expression + ")" : expression;
  }
}

std::string to_ior(const ir::TypeRef& type, const std::string& expression) {
  return is_complex(type) ? "::sidl::to_c(" + expression + ")" : expression;
}

std::string demand_statement(const ir::TypeRef& type, const std::string& value,
                             const std::string& what) {
  const std::string demand = array_demand(type);
  return demand.empty() ? "" : "::sidl::demand(" + value + ", " + demand + ", \"" + what + "\");";
}

std::string array_demand(const ir::TypeRef& type) {
  if (type.kind() != ir::TypeRef::ARRAY || type.dimension() == 0) return "";
  const std::string dimension = std::to_string(type.dimension());
  switch (type.order()) {
    case ir::TypeRef::ROW_MAJOR:
      return dimension + ", ::sidl::row_major_order";
    case ir::TypeRef::COLUMN_MAJOR:
      return dimension + ", ::sidl::column_major_order";
    default:
      return dimension;
  }
}

}  // namespace shinar::backends::cxx
