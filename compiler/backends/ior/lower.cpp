#include "backends/ior/lower.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "codegen/c_types.hpp"
#include "codegen/layout.hpp"
#include "codegen/names.hpp"
#include "codegen/nonblocking.hpp"
#include "codegen/plan.hpp"
#include "codegen/raw_arrays.hpp"
#include "ir/expression_form.hpp"
#include "ir/text.hpp"

namespace shinar::backends::ior {
namespace {

using codegen::Namer;
using codegen::TypeIndex;

std::string header_of(std::string_view type_name) {
  return Namer::symbol(type_name) + "_IOR.h";
}

void add_unique(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

std::string kind_constant(ir::TypeRef::Kind kind) {
  switch (kind) {
    case ir::TypeRef::ENUM:
      return "sidl_kind_enum";
    case ir::TypeRef::STRUCT:
      return "sidl_kind_struct";
    case ir::TypeRef::INTERFACE:
      return "sidl_kind_interface";
    case ir::TypeRef::CLASS:
      return "sidl_kind_class";
    case ir::TypeRef::ARRAY:
      return "sidl_kind_array";
    default:
      return "sidl_kind_" + std::string(ir::basic_text(kind));
  }
}

bool is_object(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::CLASS || type.kind() == ir::TypeRef::INTERFACE;
}

// A set of flags as C writes it; empty: none.
std::string joined(const std::vector<std::string>& flags) {
  std::string text;
  for (const std::string& each : flags) text += (text.empty() ? "" : " | ") + each;
  return text;
}

bool has_attribute(const google::protobuf::RepeatedPtrField<ir::Attribute>& attributes,
                   std::string_view key) {
  return std::ranges::any_of(attributes,
                             [key](const ir::Attribute& each) { return each.key() == key; });
}

// The initializer of a struct sidl_type_ref; `extents` is the function of a raw array, `kind` its
// kind, which in a struct is its own, `copy` whether an object travels by value.
std::string type_info(const ir::TypeRef& declared, bool copy = false,
                      const std::string& extents = "", const std::string& kind = "") {
  const ir::TypeRef type = codegen::as_array(declared);
  std::string result = "{.kind = " + (kind.empty() ? kind_constant(type.kind()) : kind);
  if (type.kind() == ir::TypeRef::ARRAY && type.has_element()) {
    result += ", .element = " + kind_constant(type.element().kind());
    result += ", .dimension = " + std::to_string(type.dimension());
    if (type.order() == ir::TypeRef::COLUMN_MAJOR) result += ", .order = sidl_column_major_order";
    if (type.order() == ir::TypeRef::ROW_MAJOR) result += ", .order = sidl_row_major_order";
  }
  const ir::TypeRef& named = type.has_element() ? type.element() : type;
  if (named.kind() == ir::TypeRef::STRUCT) {
    result += ", .structure = &" + Namer::symbol(named.name()) + "__info";
  } else if (named.kind() == ir::TypeRef::ENUM && extents.empty()) {
    result += ", .enumeration = &" + Namer::symbol(named.name()) + "__info";
  } else if (is_object(named)) {
    result += ", .object = &" + Namer::symbol(named.name()) + "__info";
  }
  if (copy && is_object(type)) result += ", .flags = sidl_ref_copy";
  if (!extents.empty()) result += ", .flags = sidl_ref_raw, .extents = " + extents;
  return result + "}";
}

// That of an array in a struct.
std::string inline_info(const ir::TypeRef& member, const std::string& lengths) {
  return "{.kind = sidl_kind_inline, .element = " + kind_constant(member.element().kind()) +
         ", .dimension = " + std::to_string(member.dimension()) +
         ", .order = sidl_column_major_order, .flags = sidl_ref_raw, .lengths = " + lengths + "}";
}

// What the runtimes require of an array; streams do not require a number of dimensions.
ir::TypeRef demanded(ir::TypeRef type, bool any_dimension) {
  if (any_dimension) type.set_dimension(0);
  return type;
}

ArgumentModel lower_argument(const ir::Argument& argument, const std::string& extents,
                             bool any_dimension) {
  const ir::TypeRef& type = argument.type();
  const bool in = argument.mode() == ir::Argument::IN;
  ArgumentModel model;
  model.name = Namer::argument(argument.name());
  model.sidl_name = argument.name();
  model.mode = in ? "in" : argument.mode() == ir::Argument::OUT ? "out" : "inout";
  model.type_info = type_info(demanded(type, any_dimension), argument.copy(), extents);
  const bool in_struct = in && type.kind() == ir::TypeRef::STRUCT;
  model.address = codegen::ior_argument_address(argument);
  model.variable =
      codegen::declare(codegen::ior_value_type(type), model.name) + " = " + codegen::ior_zero(type);
  model.pass = in && !in_struct ? model.name : "&" + model.name;
  return model;
}

std::string hex_literal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "UINT64_C(0x%016llx)", static_cast<unsigned long long>(value));
  return text;
}

// How the function of a raw array finds the integers that the extents may refer to.
std::vector<std::string> argument_values(const ir::Method& method) {
  std::vector<std::string> result;
  for (int i = 0; i < method.arguments_size(); ++i) {
    result.push_back("*(const " + codegen::ior_value_type(method.arguments(i).type()) + "*)_args[" +
                     std::to_string(i) + "]");
  }
  return result;
}

// As sema/known_attributes.cpp has it, which tells users what is ignored.
bool is_collective(const ir::Method& method) {
  return has_attribute(method.attributes(), "collective") && !method.local() &&
         !method.is_static() && !method.oneway() && !method.nonblocking();
}

bool is_distributed(const ir::Method& method, const ir::Argument& argument) {
  if (!has_attribute(argument.attributes(), "distributed") || !is_collective(method)) return false;
  if (argument.type().kind() != ir::TypeRef::ARRAY || !argument.type().has_element()) return false;
  switch (argument.type().element().kind()) {
    case ir::TypeRef::STRING:
    case ir::TypeRef::OPAQUE:
    case ir::TypeRef::INTERFACE:
    case ir::TypeRef::CLASS:
      return false;
    default:
      return true;
  }
}

std::string method_flags(const ir::Method& method) {
  std::vector<std::string> flags;
  if (method.oneway()) flags.emplace_back("sidl_method_oneway");
  if (has_attribute(method.attributes(), "concurrent"))
    flags.emplace_back("sidl_method_concurrent");
  if (method.nonblocking()) flags.emplace_back("sidl_method_nonblocking");
  if (is_collective(method)) flags.emplace_back("sidl_method_collective");
  return joined(flags);
}

std::string thrown_types(const ir::Method& method) {
  std::string text;
  for (const std::string& each : method.throws()) text += (text.empty() ? "" : " ") + each;
  return text;
}

MethodModel lower_method(const TypeIndex& index, const ir::Type& type, const ir::Method& method) {
  const bool any_dimension = index.takes_any_dimension(type, method);
  MethodModel model;
  model.name = method.long_name();
  model.signature = codegen::sidl_signature(method);
  model.parameters = codegen::ior_parameters(method);
  model.result_type = codegen::ior_value_type(method.result());
  if (method.result().kind() != ir::TypeRef::VOID) {
    model.result_zero = codegen::ior_zero(method.result());
    model.result_info = type_info(demanded(method.result(), any_dimension), method.copy());
  }
  model.digest = hex_literal(method.digest());
  model.flags = method_flags(method);
  model.throws = thrown_types(method);
  model.is_static = method.is_static();
  model.has_dispatcher = !method.local();
  const std::vector<std::string> values =
      codegen::has_raw_arrays(method) ? argument_values(method) : std::vector<std::string>();
  for (int i = 0; i < method.arguments_size(); ++i) {
    const ir::Argument& argument = method.arguments(i);
    std::string extents;
    if (codegen::is_raw(argument.type())) {
      extents = "extents_" + method.long_name() + "_" + std::to_string(i);
      model.extents.push_back({extents, codegen::extent_texts(argument.type(), values),
                               ir::names_variable(argument.type())});
    }
    model.arguments.push_back(lower_argument(argument, extents, any_dimension));
    if (is_distributed(method, argument)) {
      std::string& type = model.arguments.back().type_info;
      type.insert(type.size() - 1, ", .flags = sidl_ref_distributed");
    }
  }
  return model;
}

SlotModel lower_slot(const TypeIndex& index, const ir::Slot& slot) {
  const ir::Method& method = index.introducer_method(slot);
  SlotModel model;
  model.name = index.slot_name(slot);
  model.result_type = codegen::ior_value_type(method.result());
  model.parameters = codegen::ior_parameters(method);
  model.introducer = slot.introducer();
  model.introducer_symbol = Namer::symbol(slot.introducer());
  model.position = index.introduced_position(slot);
  model.remote = slot.introducer() == codegen::kBaseInterface
                     ? "sidl_proxy_" + method.long_name()
                     : Namer::remote_stub(model.introducer_symbol, method.long_name());
  return model;
}

FacetModel lower_facet(const codegen::Facet& facet, const std::string& layout) {
  FacetModel model;
  model.symbol = Namer::symbol(facet.interface->name());
  model.member = Namer::object_member(model.symbol);
  if (facet.slots == nullptr) {
    model.holder = layout;
    return model;
  }
  model.holder = codegen::object_struct(facet.holder->name());
  model.slots.assign(facet.slots->slots().begin(), facet.slots->slots().end());
  return model;
}

// What a header needs for the types that it spells: the struct itself, or its tag.
class HeaderNeeds {
 public:
  void add(const ir::TypeRef& type) {
    if (type.kind() == ir::TypeRef::STRUCT) {
      include(type.name());
    } else if (is_object(type)) {
      objects_.insert(type.name());
    } else if (type.kind() == ir::TypeRef::ARRAY || codegen::is_raw(type)) {
      tags_.push_back(codegen::ior_array_tag(type));
    }
  }
  void add(const ir::Method& method) {
    add(method.result());
    for (const ir::Argument& argument : method.arguments()) add(argument.type());
  }
  // A class that the header defines itself.
  void add_object(std::string_view name) { objects_.insert(name); }
  void add_tag(const std::string& tag) { tags_.push_back(tag); }
  void include(std::string_view type) { included_.insert(type); }

  std::vector<std::string> includes() const {
    std::vector<std::string> result;
    for (const std::string_view name : included_) result.push_back(header_of(name));
    std::ranges::sort(result);
    return result;
  }

  // Those that no header included defines, nor sidl_ior.h declares.
  std::vector<std::string> tags() const {
    static const std::set<std::string_view> kDeclared = {codegen::kBaseInterface,
                                                         codegen::kBaseClass, "sidl.rmi.Call",
                                                         "sidl.rmi.Return", codegen::kTicketType};
    std::set<std::string> result(tags_.begin(), tags_.end());
    for (const std::string_view name : objects_) {
      if (kDeclared.contains(name) || included_.contains(name)) continue;
      result.insert(Namer::symbol(name) + "__object");
    }
    return {result.begin(), result.end()};
  }

 private:
  std::set<std::string_view> included_;
  std::set<std::string_view> objects_;
  std::vector<std::string> tags_;
};

// The table of an array with a fixed order names a constant of sidlArray.h, extents are computed
// with sidl_raw_array.h.
void need_in_source(const ir::TypeRef& type, std::vector<std::string>& includes) {
  if (type.order() != ir::TypeRef::ANY_ORDER) add_unique(includes, "sidlArray.h");
  if (codegen::is_raw(type)) add_unique(includes, "sidl_raw_array.h");
}

void need_in_source(const ir::Method& method, std::vector<std::string>& includes) {
  need_in_source(method.result(), includes);
  for (const ir::Argument& argument : method.arguments()) {
    need_in_source(argument.type(), includes);
  }
}

void lower_header_needs(const TypeIndex& index, const codegen::ObjectPlan& plan,
                        ObjectModel& model) {
  const ir::Object& object = plan.type->object();
  HeaderNeeds needs;
  if (plan.is_class) needs.add_object(plan.type->name());
  if (!plan.is_class && model.has_remote_stubs) needs.include(codegen::kBaseClass);
  if (plan.is_class && object.parent().empty()) needs.include(codegen::kBaseInterface);
  if (!object.parent().empty()) needs.include(object.parent());
  for (const ir::Type* facet : codegen::added_facets(index, *plan.type)) {
    if (facet != plan.type) needs.include(facet->name());
  }
  for (const codegen::PlannedMethod& planned : plan.instance_methods()) {
    needs.add(index.introducer_method(*planned.slot));
  }
  for (const codegen::PlannedMethod& planned : plan.static_methods()) needs.add(*planned.method);
  model.header_includes = needs.includes();
  model.header_tags = needs.tags();
}

void lower_source_includes(const TypeIndex& index, const codegen::ObjectPlan& plan,
                           ObjectModel& model) {
  std::vector<std::string>& includes = model.source_includes;
  if (!model.has_remote_stubs) includes.push_back(header_of(codegen::kBaseClass));
  codegen::TypeMentions mentions;
  for (const codegen::PlannedMethod& planned : plan.instance_methods()) {
    mentions.add(planned.slot->introducer());
  }
  const auto add = [&](const ir::Method& method) {
    mentions.add(method);
    need_in_source(method, includes);
  };
  for (const ir::Method* method : index.introduced(*plan.type)) add(*method);
  for (const codegen::PlannedMethod& planned : plan.static_methods()) add(*planned.method);
  for (const codegen::Facet& facet : codegen::facets(index, *plan.type)) {
    mentions.add(facet.interface->name());
  }
  for (const std::string& name : mentions.names()) {
    if (&index.find(name) != plan.type) add_unique(includes, header_of(name));
  }
  std::sort(includes.begin(), includes.end());
}

std::string lower_flags(const codegen::ObjectPlan& plan) {
  std::vector<std::string> flags;
  if (!plan.is_concrete) flags.emplace_back("sidl_type_abstract");
  if (plan.is_class && plan.type->object().methods().empty())
    flags.emplace_back("sidl_type_inherits_all");
  if (plan.is_class && has_attribute(plan.type->attributes(), "concurrent"))
    flags.emplace_back("sidl_type_concurrent");
  return joined(flags);
}

}  // namespace

ObjectModel lower_object(const TypeIndex& index, const ir::Type& type) {
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  ObjectModel model;
  model.type = &type;
  model.symbol = Namer::symbol(type.name());
  model.tag = codegen::layout_tag(type);
  model.layout_digest = hex_literal(type.layout());
  model.is_class = plan.is_class;
  model.self_type = model.is_class ? codegen::object_struct(type.name()) + "*" : "void*";
  model.layout = "struct " + model.symbol + (model.is_class ? "__object" : "__proxy");
  model.parent_symbol = Namer::symbol(type.object().parent());
  model.id = hex_literal(type.id());
  model.kind = model.is_class ? "class" : "interface";
  model.flags = lower_flags(plan);
  model.has_remote_stubs = !codegen::is_base_interface(type);
  if (!model.has_remote_stubs) model.layout = "struct sidl_BaseClass__object";
  if (!model.parent_symbol.empty()) {
    model.parent_member = Namer::object_member(model.parent_symbol);
  }
  lower_header_needs(index, plan, model);
  lower_source_includes(index, plan, model);
  for (const codegen::PlannedMethod& planned : plan.instance_methods()) {
    model.slots.push_back(lower_slot(index, *planned.slot));
  }
  for (const ir::Method* method : index.introduced(type)) {
    model.methods.push_back(lower_method(index, type, *method));
  }
  for (const codegen::PlannedMethod& planned : plan.static_methods()) {
    model.statics.push_back(lower_method(index, type, *planned.method));
  }
  for (const codegen::Facet& facet : codegen::facets(index, type)) {
    model.facets.push_back(lower_facet(facet, model.layout));
  }
  for (const ir::Type* facet : codegen::added_facets(index, type)) {
    const std::string symbol = Namer::symbol(facet->name());
    model.added_facets.push_back({symbol, Namer::object_member(symbol)});
  }
  model.contracts = lower_contracts(index, type);
  if (!model.contracts.empty()) model.source_includes.emplace_back("sidl_contract.h");
  return model;
}

bool is_owned(const ir::TypeRef& type) {
  switch (type.kind()) {
    case ir::TypeRef::STRING:
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
    case ir::TypeRef::ARRAY:
      return true;
    case ir::TypeRef::RARRAY:
      return codegen::is_raw_member(type);
    default:
      return false;
  }
}

void add_kinds(const ir::TypeRef& declared, std::vector<std::string>& kinds) {
  const ir::TypeRef type = codegen::as_array(declared);
  add_unique(kinds, codegen::is_inline(declared) ? "sidl_kind_inline"
                    : codegen::is_raw(declared)  ? "sidl_kind_rarray"
                                                 : kind_constant(type.kind()));
  if (type.has_element()) add_unique(kinds, kind_constant(type.element().kind()));
}

// `values` are how a raw array finds the numbers that its extents may name.
MemberModel lower_member(const ir::Type& type, int position, const std::vector<std::string>& values,
                         StructModel& model) {
  const ir::Member& member = type.structure().members(position);
  MemberModel result{Namer::member(member.name()),
                     codegen::member_declaration(member.type(), Namer::member(member.name())),
                     member.doc(),
                     member.name(),
                     type_info(member.type()),
                     ""};
  if (!codegen::is_raw(member.type())) return result;
  if (codegen::is_inline(member.type())) {
    const std::string lengths = "lengths_" + std::to_string(position);
    model.lengths.push_back({lengths, codegen::inline_lengths(member.type())});
    result.type_info = inline_info(member.type(), lengths);
    return result;
  }
  const std::string function = "extents_" + std::to_string(position);
  model.extents.push_back(
      {function, codegen::extent_texts(member.type(), values), ir::names_variable(member.type())});
  result.type_info = type_info(member.type(), false, function, "sidl_kind_rarray");
  result.owner_type = codegen::ior_value_type(member.type());
  return result;
}

StructModel lower_struct(const ir::Type& type) {
  StructModel model;
  model.type = &type;
  model.symbol = Namer::symbol(type.name());
  model.tag = codegen::layout_tag(type);
  codegen::TypeMentions mentions;
  HeaderNeeds needs;
  std::vector<std::string> values;
  for (const ir::Member& item : type.structure().members()) {
    values.push_back("_data->" + Namer::member(item.name()));
  }
  for (int i = 0; i < type.structure().members_size(); ++i) {
    const ir::Member& member = type.structure().members(i);
    mentions.add(member.type());
    model.owns = model.owns || is_owned(member.type());
    add_kinds(member.type(), model.kinds);
    model.members.push_back(lower_member(type, i, values, model));
    const std::string array_tag = codegen::named_array_tag(member.type());
    if (array_tag.empty()) {
      if (!codegen::is_inline(member.type())) needs.add(member.type());
    } else {
      needs.add_tag(array_tag);
    }
    if (codegen::is_inline(member.type())) {
      add_unique(model.source_includes, "sidlArray.h");
    } else {
      need_in_source(member.type(), model.source_includes);
    }
  }
  model.header_includes = needs.includes();
  model.header_tags = needs.tags();
  for (const std::string& name : mentions.names()) {
    add_unique(model.source_includes, header_of(name));
  }
  std::sort(model.source_includes.begin(), model.source_includes.end());
  return model;
}

EnumModel lower_enum(const ir::Type& type) {
  return {&type, Namer::symbol(type.name()), codegen::layout_tag(type)};
}

}  // namespace shinar::backends::ior
