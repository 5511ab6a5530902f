#include "codegen/type_index.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <stdexcept>

#include "codegen/raw_arrays.hpp"
#include "ir/text.hpp"

namespace shinar::codegen {
namespace {

bool owns(const ir::TypeRef& type) {
  switch (type.kind()) {
    case ir::TypeRef::STRING:
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
    case ir::TypeRef::ARRAY:
      return true;
    case ir::TypeRef::RARRAY:
      return is_raw_member(type);
    default:
      return false;
  }
}

bool is_bool(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::BOOL;
}

}  // namespace

TypeIndex::TypeIndex(const ir::Module& module) : module_(&module) {
  for (const ir::Type& type : module.types()) {
    by_name_.emplace(type.name(), &type);
    if (!type.external()) generated_.push_back(&type);
    add_positions(type);
    add_array_elements(type);
  }
  with_raw_members_ = structs_with(is_raw_member);
  with_owning_members_ = structs_with(owns);
  with_bools_ = structs_with(is_bool);
}

// From the structs that have such members to those that contain these; each is visited once.
std::unordered_set<std::string_view> TypeIndex::structs_with(
    const std::function<bool(const ir::TypeRef&)>& is_such) const {
  std::unordered_map<std::string_view, std::vector<std::string_view>> users;
  std::unordered_set<std::string_view> found;
  std::vector<std::string_view> left;
  const auto add = [&](std::string_view name) {
    if (found.insert(name).second) left.push_back(name);
  };
  for (const ir::Type& type : module_->types()) {
    for (const ir::Member& member : type.structure().members()) {
      if (is_such(member.type())) add(type.name());
      if (member.type().kind() == ir::TypeRef::STRUCT) {
        users[member.type().name()].push_back(type.name());
      }
    }
  }
  while (!left.empty()) {
    const std::string_view name = left.back();
    left.pop_back();
    for (const std::string_view user : users[name]) add(user);
  }
  return found;
}

const ir::Type& TypeIndex::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    throw std::logic_error("the IR mentions '" + std::string(name) + "' but does not hold it");
  }
  return *found->second;
}

const ir::Method& TypeIndex::introducer_method(const ir::Slot& slot) const {
  return find(slot.introducer()).object().methods(static_cast<int>(slot.introducer_method()));
}

const ir::Method& TypeIndex::owner_method(const ir::Slot& slot) const {
  return find(slot.owner()).object().methods(static_cast<int>(slot.owner_method()));
}

const std::string& TypeIndex::slot_name(const ir::Slot& slot) const {
  return owner_method(slot).long_name();
}

// Each slot is visited only once, however many look-ups follow.
void TypeIndex::add_positions(const ir::Type& type) {
  const ir::Object& object = type.object();
  std::vector<std::uint32_t> introduced;
  for (int i = 0; i < object.slots_size(); ++i) {
    const ir::Slot& slot = object.slots(i);
    if (slot.introducer() == type.name()) introduced.push_back(slot.introducer_method());
    if (slot.owner() != type.name()) continue;
    own_positions_.emplace(&object.methods(static_cast<int>(slot.owner_method())), i);
  }
  std::sort(introduced.begin(), introduced.end());
  std::vector<const ir::Method*>& methods = introduced_[&type];
  for (const std::uint32_t position : introduced) {
    methods.push_back(&object.methods(static_cast<int>(position)));
    introduced_positions_.emplace(methods.back(), methods.size() - 1);
  }
  std::size_t statics = 0;
  for (const ir::Method& method : object.methods()) {
    if (method.is_static()) own_positions_.emplace(&method, statics++);
  }
}

void TypeIndex::add_array_elements(const ir::Type& type) {
  const auto add = [&](const ir::TypeRef& value) {
    if (value.kind() != ir::TypeRef::ARRAY) return;
    if (value.has_element()) {
      array_elements_.insert(value.element().name());
    } else {
      has_any_arrays_ = true;
    }
  };
  if (type.name().starts_with("sidl.")) return;
  for (const ir::Member& member : type.structure().members()) add(member.type());
  for (const ir::Method& method : type.object().methods()) {
    add(method.result());
    for (const ir::Argument& argument : method.arguments()) add(argument.type());
  }
}

const std::vector<const ir::Method*>& TypeIndex::introduced(const ir::Type& type) const {
  return introduced_.at(&type);
}

std::size_t TypeIndex::introduced_position(const ir::Slot& slot) const {
  const auto found = introduced_positions_.find(&introducer_method(slot));
  if (found == introduced_positions_.end()) {
    throw std::logic_error(slot.introducer() + " does not introduce " + slot_name(slot));
  }
  return found->second;
}

std::size_t TypeIndex::own_position(const ir::Method& method) const {
  return own_positions_.at(&method);
}

const ir::Type* TypeIndex::first_parent(const ir::Type& type) const {
  if (is_base_interface(type)) return nullptr;
  const ir::Object& object = type.object();
  if (!object.parent().empty()) return &find(object.parent());
  if (is_interface(type) && object.direct_interfaces_size() > 0) {
    return &find(object.direct_interfaces(0));
  }
  return &find(kBaseInterface);
}

// A type's slots begin with its parent's.
bool TypeIndex::parent_implements(const ir::Type& type, const ir::Method& method) const {
  if (type.object().parent().empty()) return false;
  const ir::Object& parent = find(type.object().parent()).object();
  const auto position = static_cast<int>(own_position(method));
  return position < parent.slots_size() && !parent.slots(position).abstract();
}

bool TypeIndex::takes_any_dimension(const ir::Type& type, const ir::Method& method) const {
  const auto is_stream = [](std::string_view name) {
    return name == "sidl.io.Serializer" || name == "sidl.io.Deserializer";
  };
  if (!is_stream(type.name()) && std::ranges::none_of(type.object().interfaces(), is_stream)) {
    return false;
  }
  return std::ranges::any_of(type.object().slots(), [&](const ir::Slot& slot) {
    return is_stream(slot.introducer()) && &owner_method(slot) == &method;
  });
}

std::vector<const ir::Method*> TypeIndex::statics(const ir::Type& type) const {
  std::vector<const ir::Method*> result;
  for (const ir::Method& method : type.object().methods()) {
    if (method.is_static()) result.push_back(&method);
  }
  return result;
}

std::vector<std::string> TypeIndex::inner_packages(std::string_view package) const {
  std::set<std::string> result;
  const std::string prefix = std::string(package) + ".";
  for (const ir::Type* type : generated_) {
    if (!type->package().starts_with(prefix)) continue;
    result.insert(type->package().substr(0, type->package().find('.', prefix.size())));
  }
  return {result.begin(), result.end()};
}

std::string TypeIndex::source_file(const ir::Type& type) const {
  const int file = static_cast<int>(type.span().file());
  if (file >= module_->files_size()) return "the standard library";
  const std::string& path = module_->files(file);
  std::string name = path.substr(path.rfind('/') + 1);
  // The name is used in comments that end with their line.
  std::ranges::replace_if(
      name, [](char c) { return c == '\n' || c == '\r'; }, '?');
  return name;
}

bool is_class(const ir::Type& type) {
  return type.has_object() && type.object().kind() == ir::Object::CLASS;
}

bool is_interface(const ir::Type& type) {
  return type.has_object() && type.object().kind() == ir::Object::INTERFACE;
}

bool is_base_interface(const ir::Type& type) {
  return type.name() == kBaseInterface;
}

std::string layout_tag(const ir::Type& type) {
  if (type.name().starts_with("sidl.")) return "";
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "v%016llx",
                static_cast<unsigned long long>(type.layout()));
  return text.data();
}

std::string sidl_type(const ir::TypeRef& type) {
  return ir::type_text(type);
}

std::string sidl_signature(const ir::Method& method) {
  std::vector<std::string_view> names;
  for (const ir::Argument& argument : method.arguments()) names.push_back(argument.name());
  const auto absolute = [](const std::string& name) { return name; };
  std::string result = method.is_static() ? "static " : "";
  if (method.oneway()) result += "oneway ";
  if (method.copy()) result += "copy ";
  result += sidl_type(method.result()) + " " + method.name();
  if (!method.extension().empty()) result += "[" + method.extension() + "]";
  result += "(";
  for (int i = 0; i < method.arguments_size(); ++i) {
    const ir::Argument& argument = method.arguments(i);
    if (i > 0) result += ", ";
    if (argument.copy()) result += "copy ";
    result += ir::mode_text(argument.mode());
    result += " " + ir::declared_text(argument.type(), argument.name(), absolute, names);
  }
  result += ")";
  for (int i = 0; i < method.throws_size(); ++i) {
    result += (i == 0 ? " throws " : ", ") + method.throws(i);
  }
  return result;
}

void TypeMentions::add(const ir::TypeRef& type) {
  if (!type.name().empty()) add(type.name());
  if (type.has_element()) add(type.element());
}

void TypeMentions::add(const ir::Method& method) {
  add(method.result());
  for (const ir::Argument& argument : method.arguments()) add(argument.type());
}

void TypeMentions::add(const std::string& name) {
  if (seen_.insert(name).second) names_.push_back(name);
}

void TypeMentions::add_declaration(const ir::Type& type) {
  for (const ir::Member& member : type.structure().members()) add(member.type());
  if (!type.object().parent().empty()) add(type.object().parent());
  for (const std::string& name : type.object().direct_interfaces()) add(name);
  for (const ir::Method& method : type.object().methods()) {
    add(method);
    for (const std::string& name : method.throws()) add(name);
    if (method.has_from()) add(method.from().interface());
  }
}

}  // namespace shinar::codegen
