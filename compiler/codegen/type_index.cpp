#include "codegen/type_index.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "ir/text.hpp"

namespace shinar::codegen {
namespace {

bool contains(const google::protobuf::RepeatedPtrField<std::string>& names,
              const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TypeIndex::TypeIndex(const ir::Module& module) : module_(&module) {
  for (const ir::Type& type : module.types()) {
    by_name_.emplace(type.name(), &type);
    if (!type.external()) generated_.push_back(&type);
  }
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

std::vector<const ir::Method*> TypeIndex::introduced(const ir::Type& type) const {
  std::vector<std::uint32_t> positions;
  for (const ir::Slot& slot : type.object().slots()) {
    if (slot.introducer() == type.name()) positions.push_back(slot.introducer_method());
  }
  std::sort(positions.begin(), positions.end());
  std::vector<const ir::Method*> result;
  for (const std::uint32_t position : positions) {
    result.push_back(&type.object().methods(static_cast<int>(position)));
  }
  return result;
}

std::size_t TypeIndex::introduced_position(const ir::Slot& slot) const {
  const std::vector<const ir::Method*> methods = introduced(find(slot.introducer()));
  const auto found = std::find(methods.begin(), methods.end(), &introducer_method(slot));
  if (found == methods.end()) {
    throw std::logic_error(slot.introducer() + " does not introduce " + slot_name(slot));
  }
  return static_cast<std::size_t>(found - methods.begin());
}

std::vector<const ir::Method*> TypeIndex::statics(const ir::Type& type) const {
  std::vector<const ir::Method*> result;
  for (const ir::Method& method : type.object().methods()) {
    if (method.is_static()) result.push_back(&method);
  }
  return result;
}

std::vector<Facet> TypeIndex::facets(const ir::Type& type) const {
  std::vector<Facet> result;
  if (is_interface(type)) {
    if (is_base_interface(type)) return result;
    result.push_back({&type, &type});
    for (const std::string& name : type.object().interfaces()) {
      result.push_back({&find(name), &type});
    }
    return result;
  }
  for (const std::string& name : type.object().interfaces()) {
    const ir::Type* holder = &type;
    while (!holder->object().parent().empty()) {
      const ir::Type& parent = find(holder->object().parent());
      if (!contains(parent.object().interfaces(), name)) break;
      holder = &parent;
    }
    result.push_back({&find(name), holder});
  }
  return result;
}

std::vector<const ir::Type*> TypeIndex::added_facets(const ir::Type& type) const {
  std::vector<const ir::Type*> result;
  for (const Facet& facet : facets(type)) {
    if (facet.holder == &type) result.push_back(facet.interface);
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
  return path.substr(path.rfind('/') + 1);
}

bool is_class(const ir::Type& type) {
  return type.has_object() && type.object().kind() == ir::Object::CLASS;
}

bool is_interface(const ir::Type& type) {
  return type.has_object() && type.object().kind() == ir::Object::INTERFACE;
}

bool is_base_interface(const ir::Type& type) {
  return type.name() == "sidl.BaseInterface";
}

std::string sidl_type(const ir::TypeRef& type) {
  return ir::type_text(type);
}

std::string sidl_signature(const ir::Method& method) {
  std::vector<std::string_view> names;
  for (const ir::Argument& argument : method.arguments()) names.push_back(argument.name());
  const auto absolute = [](const std::string& name) { return name; };
  std::string result = method.is_static() ? "static " : "";
  result += sidl_type(method.result()) + " " + method.name();
  if (!method.extension().empty()) result += "[" + method.extension() + "]";
  result += "(";
  for (int i = 0; i < method.arguments_size(); ++i) {
    const ir::Argument& argument = method.arguments(i);
    if (i > 0) result += ", ";
    result += ir::mode_text(argument.mode());
    result += " " + ir::declared_text(argument.type(), argument.name(), absolute, names);
  }
  return result + ")";
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
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
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
