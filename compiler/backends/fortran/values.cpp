#include "backends/fortran/values.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "backends/fortran/names.hpp"
#include "codegen/basic_types.hpp"
#include "codegen/names.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::find_basic_type;
using codegen::Namer;
using ir::TypeRef;

// A literal has the kind of a default integer, if nothing else is said.
std::string integer_literal(std::int64_t value) {
  const bool is_default = value <= std::numeric_limits<std::int32_t>::max();
  return std::to_string(value) + (is_default ? "" : "_int64");
}

// What is computed is computed in 64 bits, as in libsidl: an int might wrap around, and then fit.
std::string extent_text(const ir::Expression& extent, const std::vector<std::string>& names) {
  if (extent.kind() == ir::Expression::VARIABLE)
    return "int(" + names.at(extent.index()) + ", int64)";
  if (extent.kind() != ir::Expression::CHAIN) {
    return integer_literal(std::strtoll(extent.text().c_str(), nullptr, 0));
  }
  std::string result = extent_text(extent.operands(0), names);
  for (int i = 1; i < extent.operands_size(); ++i) {
    const bool nested = i > 1;
    result = (nested ? "(" + result + ")" : result) + " " + extent.operators(i - 1) + " ";
    const ir::Expression& operand = extent.operands(i);
    const std::string text = extent_text(operand, names);
    result += operand.kind() == ir::Expression::CHAIN ? "(" + text + ")" : text;
  }
  return extent.operands(0).kind() == ir::Expression::CHAIN && extent.operands_size() == 2
             ? "(" + extent_text(extent.operands(0), names) + ")" +
                   result.substr(extent_text(extent.operands(0), names).size())
             : result;
}

// "1, 1": as many as there are dimensions.
std::string ones(const TypeRef& type) {
  std::string list = "1";
  for (std::uint32_t d = 1; d < type.dimension(); ++d) list += ", 1";
  return list;
}

}  // namespace

Kind kind_of(const TypeRef& type) {
  switch (type.kind()) {
    case TypeRef::BOOL:
      return Kind::boolean;
    case TypeRef::FCOMPLEX:
    case TypeRef::DCOMPLEX:
      return Kind::complex;
    case TypeRef::STRING:
      return Kind::string;
    case TypeRef::STRUCT:
      return Kind::structure;
    case TypeRef::CLASS:
    case TypeRef::INTERFACE:
      return Kind::object;
    case TypeRef::RARRAY:
      return Kind::raw;
    case TypeRef::ARRAY:
      if (!type.has_element()) return Kind::any;
      if (type.element().kind() == TypeRef::STRING) return Kind::strings;
      if (type.element().kind() == TypeRef::CHAR) return Kind::characters;
      if (type.element().kind() == TypeRef::STRUCT) return Kind::structures;
      return is_object(type.element()) ? Kind::objects : Kind::array;
    default:
      return Kind::plain;
  }
}

bool is_object(const TypeRef& type) {
  return type.kind() == TypeRef::CLASS || type.kind() == TypeRef::INTERFACE;
}

bool is_plain(const codegen::TypeIndex& index, const std::string& structure) {
  return !index.find(structure).structure().members().empty() &&
         !index.has_owning_members(structure);
}

bool is_interoperable(const codegen::TypeIndex& index, const std::string& structure) {
  return is_plain(index, structure) && !index.has_bools(structure);
}

bool has_handles(const codegen::TypeIndex& index, const std::string& structure) {
  const auto& members = index.find(structure).structure().members();
  return std::ranges::any_of(members, [&](const ir::Member& member) {
    const TypeRef& type = member.type();
    return is_object(type) || type.kind() == TypeRef::ARRAY ||
           (type.kind() == TypeRef::STRUCT && !is_plain(index, type.name()));
  });
}

bool is_typed_array(const TypeRef& type) {
  return type.kind() == TypeRef::ARRAY && type.has_element();
}

std::string element_type(const TypeRef& type) {
  if (const auto* basic = find_basic_type(type.kind())) return std::string(basic->fortran);
  switch (type.kind()) {
    case TypeRef::ENUM:
      return "integer(sidl_enum)";
    case TypeRef::CLASS:
    case TypeRef::INTERFACE:
    case TypeRef::STRUCT:
      return "type(" + shorten(Namer::symbol(type.name())) + ")";
    default:
      return "type(c_ptr)";
  }
}

std::string scalar_type(const TypeRef& type) {
  switch (kind_of(type)) {
    case Kind::string:
      return "character(:), allocatable";
    case Kind::any:
      return "type(sidl_array)";
    default:
      return element_type(type);
  }
}

std::string c_type(const TypeRef& type) {
  if (const auto* basic = find_basic_type(type.kind())) return std::string(basic->fortran_c);
  switch (type.kind()) {
    case TypeRef::ENUM:
      return "integer(c_int64_t)";
    case TypeRef::STRUCT:
      return "type(" + member_of(type.name(), "data") + ")";
    default:
      return "type(c_ptr)";
  }
}

std::string interoperable_type(const TypeRef& type) {
  if (type.kind() == TypeRef::DCOMPLEX) return "complex(c_double_complex)";
  return type.kind() == TypeRef::FCOMPLEX ? "complex(c_float_complex)" : c_type(type);
}

std::string c_zero(const TypeRef& type) {
  if (const auto* basic = find_basic_type(type.kind())) return std::string(basic->fortran_c_zero);
  switch (type.kind()) {
    case TypeRef::ENUM:
      return "0";
    case TypeRef::STRUCT:
      return member_of(type.name(), "data") + "()";
    default:
      return "c_null_ptr";
  }
}

std::string zero(const TypeRef& type) {
  const auto* basic = find_basic_type(type.kind());
  return basic == nullptr ? "0" : std::string(basic->fortran_zero);
}

std::string colons(const TypeRef& type) {
  std::string result = ":";
  for (std::uint32_t d = 1; d < type.dimension(); ++d) result += ",:";
  return result;
}

std::string array_code(const TypeRef& type) {
  if (is_object(type.element())) return "sidl_interface_array";
  if (type.element().kind() == TypeRef::ENUM) return "sidl_long_array";
  return codegen::array_type_constant(type);
}

std::string extents(const TypeRef& type, const std::vector<std::string>& names) {
  std::string result;
  for (const ir::Expression& extent : type.extents()) {
    if (!result.empty()) result += ", ";
    result += extent.kind() == ir::Expression::VARIABLE ? names.at(extent.index())
                                                        : extent_text(extent, names);
  }
  return result;
}

std::string index_text(const codegen::IndexSource& source, const std::string& size,
                       const std::string& array) {
  std::string text = size + "(" + array + ", " + std::to_string(source.dimension + 1) + ")";
  const auto [factor, constant] = source.length;
  if (constant != 0) text += (constant < 0 ? " + " : " - ") + integer_literal(std::abs(constant));
  if (factor == 1) return text;
  return (constant == 0 ? text : "(" + text + ")") + " / " +
         (factor < 0 ? "(-" + integer_literal(-factor) + ")" : integer_literal(factor));
}

std::string from_complex(const TypeRef& type, const std::string& name) {
  const std::string kind = type.kind() == TypeRef::FCOMPLEX ? "real32" : "real64";
  return "cmplx(" + name + "%re, " + name + "%im, " + kind + ")";
}

std::string to_complex(const TypeRef& type, const std::string& name) {
  return "sidl_" + codegen::sidl_type(type) + "(real(" + name + "), aimag(" + name + "))";
}

std::string allocate_like(const TypeRef& type, const std::string& name, const std::string& array) {
  std::string bounds;
  for (std::uint32_t d = 0; d < type.dimension(); ++d) {
    if (d > 0) bounds += ", ";
    const std::string at = "(" + array + ", " + std::to_string(d) + ")";
    bounds += "sidl_array_lower64" + at + ":sidl_array_upper64" + at;
  }
  const std::string length =
      kind_of(type) == Kind::strings ? "character(sidl_longest(" + array + ")) :: " : "";
  return "allocate (" + length + name + "(" + bounds + "))";
}

std::string lower_bounds(const std::string& array) {
  return "lbound(" + array + ", kind=int64)";
}

std::string make_none(const TypeRef& type, const std::string& name) {
  return "call c_f_pointer(c_null_ptr, " + name + ", [" + ones(type) + "])";
}

std::vector<std::string> or_none(const TypeRef& type, const std::string& name) {
  const std::string length = kind_of(type) == Kind::strings ? "character(0) :: " : "";
  return {"else", "  allocate (" + length + name + "(" + ones(type) + "))",
          "  deallocate (" + name + ")", "end if"};
}

std::string demand(const std::string& procedure, const TypeRef& type, const std::string& array) {
  const bool is_structs = kind_of(type) == Kind::structures;
  return "sidl_" + procedure + (is_structs ? "_structs(" : "_array(") + array + ", " +
         (is_structs ? info_of(type.element()) : array_code(type)) + ", " +
         std::to_string(type.dimension());
}

std::string array_part(const codegen::TypeIndex& index, const TypeRef& array,
                       const std::string& what) {
  const std::string& structure = array.element().name();
  return array_part(structure, index.find(structure).external(), what);
}

Lines new_structures(const codegen::TypeIndex& index, const TypeRef& type, const std::string& name,
                     const std::string& array, const std::string& elements, const Source& source) {
  const std::string structure = type.element().name();
  const std::string copy = index.has_raw_members(structure)
                               ? array_part(index, type, "put") + "(" + name + ", " + elements +
                                     ", c_loc(" + source.ex + "))"
                               : member_of(structure, "to_c") + "(" + name + ", " + elements + ")";
  return {array + " = sidl_new_structs(" + info_of(type.element()) + ", " + source.first + ", " +
              std::to_string(type.dimension()) + ", shape(" + name + ", int64), " + source.lower +
              ", " + source.ex + ")",
          "if (c_associated(" + array + ")) then",
          "  call c_f_pointer(sidl_array_first(" + array + "), " + elements + ", shape(" + name +
              ", int64))",
          "  call " + copy, "end if"};
}

Lines take_structures(const codegen::TypeIndex& index, const TypeRef& type, const std::string& name,
                      const std::string& array, const std::string& elements,
                      const std::string& ex) {
  return {allocate_like(type, name, array),
          "call c_f_pointer(sidl_array_first(" + array + "), " + elements + ", shape(" + name +
              ", int64))",
          "call " + array_part(index, type, "take") + "(" + elements + ", " + name + ", c_loc(" +
              ex + "))"};
}

std::string release_structures(const codegen::TypeIndex& index, const TypeRef& type,
                               const std::string& name) {
  const std::string structure = type.element().name();
  return has_handles(index, structure)
             ? "call " + member_of(structure, "finalise") + "(" + name + ")"
             : "";
}

std::string info_of(const TypeRef& type) {
  return member_of(type.name(), "info") + "()";
}

Category category_of(const TypeRef& type) {
  const std::string rank = "/" + std::to_string(type.dimension());
  switch (kind_of(type)) {
    case Kind::array:
    case Kind::raw:
      return {category_of(type.element()).name + rank, ""};
    case Kind::objects:  // of just this type: arrays are not polymorphic, as single handles are
      return {"objects " + type.element().name() + rank, ""};
    case Kind::structures:
      return {element_type(type.element()) + rank, ""};
    case Kind::characters:
    case Kind::strings:
      return {"character" + rank, ""};
    case Kind::any:
      return {"sidl_array", ""};
    case Kind::object:
      return {"", type.name()};
    case Kind::string:
      return {"character", ""};
    default:
      break;
  }
  if (type.kind() == TypeRef::CHAR) return {"character", ""};
  return {type.kind() == TypeRef::ENUM ? "integer(int64)" : element_type(type), ""};
}

bool is_function_result(const TypeRef& type) {
  const Kind kind = kind_of(type);
  return type.kind() != TypeRef::VOID && (kind == Kind::plain || kind == Kind::boolean ||
                                          kind == Kind::complex || kind == Kind::string);
}

}  // namespace shinar::backends::fortran
