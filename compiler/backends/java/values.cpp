#include "backends/java/values.hpp"

#include <algorithm>

#include "backends/java/names.hpp"
#include "codegen/basic_types.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::java {
namespace {

using codegen::BasicType;
using codegen::find_basic_type;
using codegen::TypeIndex;

constexpr int kSlot = 8;

Layout layout_of_struct(const TypeIndex& index, const ir::Type& type) {
  Layout all;
  for (const ir::Member& member : type.structure().members()) {
    const Layout own = layout_of(index, member.type());
    all.size = round_up(all.size, own.alignment) + own.size;
    all.alignment = std::max(all.alignment, own.alignment);
  }
  if (type.structure().members().empty()) all.size = 1;
  all.size = round_up(all.size, all.alignment);
  return all;
}

std::string at(const std::string& offset) {
  return "_f, " + offset;
}

bool is_primitive(const ir::TypeRef& type) {
  const BasicType* const basic = find_basic_type(type.kind());
  return basic != nullptr && !basic->jni.empty();
}

}  // namespace

bool is_raw_array(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::RARRAY;
}

bool is_array(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::ARRAY || is_raw_array(type);
}

bool is_object(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::CLASS || type.kind() == ir::TypeRef::INTERFACE;
}

Layout layout_of(const TypeIndex& index, const ir::TypeRef& type) {
  if (const BasicType* basic = find_basic_type(type.kind())) return {basic->size, basic->alignment};
  if (type.kind() == ir::TypeRef::STRUCT) return layout_of_struct(index, index.find(type.name()));
  if (type.kind() == ir::TypeRef::VOID) return {};
  if (codegen::is_inline(type)) {
    const Layout element = layout_of(index, type.element());
    return {static_cast<int>(codegen::inline_size(type)) * element.size, element.alignment};
  }
  // A struct's raw array is followed by what keeps its memory.
  return {is_raw_array(type) ? 2 * kSlot : kSlot, kSlot};
}

int slot_size(const TypeIndex& index, const ir::TypeRef& type) {
  return is_raw_array(type) ? kSlot : round_up(layout_of(index, type).size, kSlot);
}

bool is_direct(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::VOID || type.kind() == ir::TypeRef::ENUM) return true;
  const BasicType* const basic = find_basic_type(type.kind());
  return basic != nullptr && !basic->jni.empty();
}

Spelling::Spelling(const TypeIndex& index, std::string package)
    : index_(index), package_(std::move(package)) {}

bool Spelling::has_type(const std::string& name) const {
  return std::ranges::any_of(index_.module().types(), [&](const ir::Type& type) {
    return type.package() == package_ && java_name(type.local_name()) == name;
  });
}

std::string Spelling::lang(const std::string& name) const {
  return has_type(name) ? "java.lang." + name : name;
}

std::string Spelling::imported(const std::string& package, const std::string& name) {
  if (package_ == package) return name;
  if (has_type(name)) return package + "." + name;
  imports_.insert(package + "." + name);
  return name;
}

std::string Spelling::named(const std::string& name) const {
  const ir::Type& type = index_.find(name);
  const std::string local = java_name(type.local_name());
  return type.package() == package_ ? local : java_type(type);
}

std::string Spelling::array_class(const ir::TypeRef& type) {
  if (!type.has_element()) return sidl("BaseArray");
  switch (type.element().kind()) {
    case ir::TypeRef::ENUM:
      return sidl("EnumArray");
    case ir::TypeRef::STRUCT:
      return sidl("StructArray");
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return sidl("ObjectArray");
    default:
      return sidl(std::string(find_basic_type(type.element().kind())->java_name) + "Array");
  }
}

std::string Spelling::element_type(const ir::TypeRef& type) const {
  const bool has_name = type.has_element() && !type.element().name().empty();
  return has_name ? ", " + named(type.element().name()) + "._type" : "";
}

std::string Spelling::boxed(const ir::TypeRef& type) {
  if (const BasicType* basic = find_basic_type(type.kind())) {
    const std::string name(basic->java_boxed);
    return name.find('.') == std::string::npos ? lang(name) : sidl(std::string(basic->java_name));
  }
  if (type.kind() == ir::TypeRef::VOID) return lang("Void");
  if (!is_array(type)) return named(type.name());
  const bool has_name = type.has_element() && !type.element().name().empty();
  return array_class(type) + (has_name ? "<" + named(type.element().name()) + ">" : "");
}

std::string Spelling::type(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::VOID) return "void";
  return is_primitive(type) ? std::string(find_basic_type(type.kind())->java) : boxed(type);
}

std::string Spelling::held(const ir::TypeRef& type, const std::string& holder,
                           const std::string& name) {
  return binding("Values") + (is_primitive(type) ? ".some(" : ".of(") + holder + ", \"" + name +
         "\")";
}

std::string Spelling::thrown(const std::string& name) const {
  const ir::Type& type = index_.find(name);
  return codegen::is_class(type) && type.object().is_exception() ? named(name) : "";
}

std::string Spelling::native(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::VOID) return "void";
  if (type.kind() == ir::TypeRef::ENUM) return "long";
  const BasicType* const basic = find_basic_type(type.kind());
  return basic->kind == ir::TypeRef::CHAR ? "byte" : std::string(basic->java);
}

std::string Spelling::to_native(const ir::TypeRef& type, const std::string& value,
                                const std::string& name) {
  if (type.kind() == ir::TypeRef::ENUM) {
    return binding("Values") + ".number(" + value + ", \"" + name + "\")";
  }
  if (type.kind() == ir::TypeRef::CHAR) return binding("Values") + ".toByte(" + value + ")";
  return value;
}

std::string Spelling::from_native(const ir::TypeRef& type, const std::string& value) {
  if (type.kind() == ir::TypeRef::ENUM) return named(type.name()) + ".of(" + value + ")";
  if (type.kind() == ir::TypeRef::CHAR) return binding("Values") + ".toChar(" + value + ")";
  return value;
}

std::string Spelling::put(const ir::TypeRef& type, const std::string& offset,
                          const std::string& value, const std::string& name) {
  const std::string rest = "(" + offset + ", " + value + ");";
  if (type.kind() == ir::TypeRef::STRING) return "_f.putString" + rest;
  if (is_object(type)) return "_f.putObject" + rest;
  if (is_array(type)) return "_f.putArray" + rest;
  return give(type, offset, value, name);
}

std::string Spelling::give(const ir::TypeRef& type, const std::string& offset,
                           const std::string& value, const std::string& name) {
  const std::string place = offset + ", " + value;
  const std::string named_place = place + ", \"" + name + "\"";
  switch (type.kind()) {
    case ir::TypeRef::STRING:
      return "_f.giveString(" + place + ");";
    case ir::TypeRef::ENUM:
      return "_f.putEnum(" + named_place + ");";
    case ir::TypeRef::STRUCT:
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return named(type.name()) + "._type.give(_f, " + named_place + ");";
    case ir::TypeRef::ARRAY:
    case ir::TypeRef::RARRAY:
      return "_f.giveArray(" + named_place + ");";
    case ir::TypeRef::FCOMPLEX:
    case ir::TypeRef::DCOMPLEX:
      return "_f.put" + std::string(find_basic_type(type.kind())->java_name) + "(" + named_place +
             ");";
    case ir::TypeRef::OPAQUE:
      return "_f.putLong(" + place + ");";
    default:
      return "_f.put" + std::string(find_basic_type(type.kind())->java_name) + "(" + place + ");";
  }
}

std::string Spelling::get(const ir::TypeRef& type, const std::string& offset) {
  switch (type.kind()) {
    case ir::TypeRef::ENUM:
      return named(type.name()) + ".of(_f.getLong(" + offset + "))";
    case ir::TypeRef::STRUCT:
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return named(type.name()) + "._type.get(" + at(offset) + ")";
    case ir::TypeRef::ARRAY:
    case ir::TypeRef::RARRAY:
      return array_class(type) + ".get(" + at(offset) + element_type(type) + ")";
    case ir::TypeRef::OPAQUE:
      return "_f.getLong(" + offset + ")";
    default:
      return "_f.get" + std::string(find_basic_type(type.kind())->java_name) + "(" + offset + ")";
  }
}

std::string Spelling::get_member(const ir::TypeRef& type, const std::string& offset) {
  if (!is_array(type)) return get(type, offset);
  return array_class(type) + ".share(" + at(offset) + element_type(type) + ")";
}

std::string Spelling::take(const ir::TypeRef& type, const std::string& offset,
                           const std::string& old) {
  switch (type.kind()) {
    case ir::TypeRef::STRING:
      return "_f.takeString(" + offset + ")";
    case ir::TypeRef::STRUCT:
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return named(type.name()) + "._type.take(" + at(offset) + (old.empty() ? "" : ", " + old) +
             ")";
    case ir::TypeRef::ARRAY:
    case ir::TypeRef::RARRAY:
      return array_class(type) + ".take(" + at(offset) + (old.empty() ? "" : ", " + old) +
             element_type(type) + ")";
    default:
      return get(type, offset);
  }
}

}  // namespace shinar::backends::java
