#include "ir/validate.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/build.hpp"
#include "ir/hash.hpp"

namespace shinar::ir {
namespace {

class Validator {
 public:
  explicit Validator(const Module& module) : module_(module) {}

  std::vector<std::string> run();

 private:
  void type(const Type& type);
  void object(const Type& type);
  void slots(const Type& type);
  void facets(const Type& type);
  void prefix(const Type& type, const std::string& parent);
  void methods(const Type& type);
  void contracts(const Type& type);
  void assertions(const google::protobuf::RepeatedPtrField<Assertion>& list, int arguments,
                  const std::string& where);
  void expression(const Expression& expression, int arguments, const std::string& where);
  void type_ref(const TypeRef& ref, const std::string& where);
  void must_be_known(const std::string& name, const std::string& where);
  void must_be_earlier(const std::string& name, const std::string& where);
  const Method* method(const std::string& type, std::uint32_t index) const;
  void fault(std::string text) { faults_.push_back(std::move(text)); }

  const Module& module_;
  std::unordered_map<std::string, const Type*> types_;
  std::unordered_set<std::string> earlier_;
  std::vector<std::string> faults_;
};

std::vector<std::string> Validator::run() {
  if (module_.schema() > kSchema) fault("schema is newer than this reader");
  std::unordered_set<std::string> packages;
  for (const Package& package : module_.packages()) {
    if (!packages.insert(package.name()).second) fault("package " + package.name() + " twice");
  }
  for (const Type& type : module_.types()) {
    if (!types_.emplace(type.name(), &type).second) fault("type " + type.name() + " twice");
    if (!packages.contains(type.package())) fault(type.name() + ": package is missing");
    if (type.name() != type.package() + "." + type.local_name()) fault(type.name() + ": name");
  }
  for (const Type& item : module_.types()) {
    type(item);
    earlier_.insert(item.name());
  }
  return std::move(faults_);
}

void Validator::type(const Type& type) {
  if (type.id() != fnv1a(type.name())) fault(type.name() + ": wrong id");
  switch (type.definition_case()) {
    case Type::kObject:
      object(type);
      break;
    case Type::kStructure:
      for (const Member& member : type.structure().members()) {
        const std::string where = type.name() + "." + member.name();
        type_ref(member.type(), where);
        // What an array is of may contain arrays of this one: these come in any order.
        if (member.type().kind() == TypeRef::STRUCT) must_be_earlier(member.type().name(), where);
      }
      break;
    case Type::kEnumeration:
      break;
    default:
      fault(type.name() + ": no definition");
      break;
  }
}

void Validator::object(const Type& type) {
  const Object& object = type.object();
  if (!object.parent().empty()) must_be_earlier(object.parent(), type.name());
  for (const std::string& name : object.direct_interfaces()) must_be_earlier(name, type.name());
  for (const std::string& name : object.interfaces()) must_be_known(name, type.name());
  for (const std::string& name : object.ancestors()) must_be_known(name, type.name());
  methods(type);
  slots(type);
  facets(type);
  contracts(type);
  if (!object.parent().empty()) {
    prefix(type, object.parent());
  } else if (object.direct_interfaces_size() > 0) {
    prefix(type, object.direct_interfaces(0));
  }
}

void Validator::methods(const Type& type) {
  std::unordered_set<std::string> names;
  for (const Method& method : type.object().methods()) {
    const std::string where = type.name() + "." + method.long_name();
    if (!names.insert(method.long_name()).second) fault(where + ": twice");
    if (method.long_name() != method.name() + method.extension()) fault(where + ": long name");
    type_ref(method.result(), where);
    for (const Argument& argument : method.arguments()) {
      type_ref(argument.type(), where);
      if (argument.mode() == Argument::MODE_UNSPECIFIED) fault(where + ": argument without mode");
    }
    for (const std::string& name : method.throws()) must_be_known(name, where);
  }
}

void Validator::contracts(const Type& type) {
  assertions(type.object().invariants(), 0, type.name());
  for (const Method& method : type.object().methods()) {
    const std::string where = type.name() + "." + method.long_name();
    assertions(method.require(), method.arguments_size(), where);
    assertions(method.ensure(), method.arguments_size(), where);
  }
}

void Validator::assertions(const google::protobuf::RepeatedPtrField<Assertion>& list, int arguments,
                           const std::string& where) {
  for (const Assertion& assertion : list) {
    if (assertion.expression().type().kind() != TypeRef::BOOL) fault(where + ": assertion type");
    expression(assertion.expression(), arguments, where);
  }
}

void Validator::expression(const Expression& expression, int arguments, const std::string& where) {
  const int operands = expression.operands_size();
  const int operators = expression.operators_size();
  bool ok = operators == 0;
  switch (expression.kind()) {
    case Expression::KIND_UNSPECIFIED:
      ok = false;
      break;
    case Expression::UNARY:
      ok = operands == 1 && operators == 1;
      break;
    case Expression::CHAIN:
      ok = operands >= 2 && operators == operands - 1;
      break;
    case Expression::VARIABLE:
      ok = ok && expression.index() < static_cast<std::uint32_t>(arguments);
      break;
    default:
      break;
  }
  if (!ok) fault(where + ": expression without a sense");
  type_ref(expression.type(), where);
  for (const Expression& operand : expression.operands()) {
    this->expression(operand, arguments, where);
  }
}

void Validator::slots(const Type& type) {
  std::unordered_set<std::string> names;
  for (const Slot& slot : type.object().slots()) {
    const Method* introduced = method(slot.introducer(), slot.introducer_method());
    const Method* owned = method(slot.owner(), slot.owner_method());
    if (introduced == nullptr || owned == nullptr) {
      fault(type.name() + ": a slot names no method");
      continue;
    }
    const std::string& name = owned->long_name();
    if (owned->name() != introduced->name()) fault(type.name() + "." + name + ": other short name");
    if (owned->is_static()) fault(type.name() + "." + name + ": static method in a slot");
    if (!names.insert(name).second) fault(type.name() + "." + name + ": two slots");
  }
}

void Validator::facets(const Type& type) {
  const Object& object = type.object();
  if (object.kind() == Object::INTERFACE) {
    if (object.facets_size() > 0) fault(type.name() + ": an interface with facets");
    return;
  }
  if (object.facets_size() != object.interfaces_size()) fault(type.name() + ": number of facets");
  for (int i = 0; i < std::min(object.facets_size(), object.interfaces_size()); ++i) {
    const Facet& facet = object.facets(i);
    const auto found = types_.find(facet.interface());
    if (facet.interface() != object.interfaces(i) || found == types_.end() ||
        found->second->object().slots_size() != facet.slots_size()) {
      fault(type.name() + ": facet " + facet.interface());
    }
    for (const std::uint32_t slot : facet.slots()) {
      if (slot >= static_cast<std::uint32_t>(object.slots_size())) {
        fault(type.name() + ": facet " + facet.interface() + " names no slot");
      }
    }
  }
}

void Validator::prefix(const Type& type, const std::string& parent) {
  const auto found = types_.find(parent);
  if (found == types_.end()) return;  // reported
  const auto& inherited = found->second->object().slots();
  const auto& slots = type.object().slots();
  bool ok = slots.size() >= inherited.size();
  for (int i = 0; ok && i < inherited.size(); ++i) {
    ok = slots[i].introducer() == inherited[i].introducer() &&
         slots[i].introducer_method() == inherited[i].introducer_method();
  }
  if (!ok) fault(type.name() + ": slots do not begin with those of " + parent);
}

void Validator::type_ref(const TypeRef& ref, const std::string& where) {
  switch (ref.kind()) {
    case TypeRef::KIND_UNSPECIFIED:
      fault(where + ": type without kind");
      break;
    case TypeRef::ENUM:
    case TypeRef::STRUCT:
    case TypeRef::INTERFACE:
    case TypeRef::CLASS:
      must_be_known(ref.name(), where);
      break;
    case TypeRef::ARRAY:
      if (!ref.has_element()) break;  // generic
      [[fallthrough]];
    case TypeRef::RARRAY:
      if (ref.dimension() < 1 || ref.dimension() > 7) fault(where + ": dimension");
      type_ref(ref.element(), where);
      break;
    default:
      break;
  }
}

void Validator::must_be_known(const std::string& name, const std::string& where) {
  if (!types_.contains(name)) fault(where + ": type " + name + " is missing");
}

void Validator::must_be_earlier(const std::string& name, const std::string& where) {
  if (!earlier_.contains(name)) fault(where + ": type " + name + " must come before it");
}

const Method* Validator::method(const std::string& type, std::uint32_t index) const {
  const auto found = types_.find(type);
  if (found == types_.end()) return nullptr;
  const auto& methods = found->second->object().methods();
  return index < static_cast<std::uint32_t>(methods.size()) ? &methods[static_cast<int>(index)]
                                                            : nullptr;
}

}  // namespace

std::vector<std::string> validate(const Module& module) {
  return Validator(module).run();
}

}  // namespace shinar::ir
