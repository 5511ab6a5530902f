#include "backends/c/lower.hpp"

#include <algorithm>
#include <set>

#include "codegen/c_types.hpp"
#include "codegen/contract_plan.hpp"
#include "codegen/hooks.hpp"
#include "codegen/names.hpp"
#include "codegen/nonblocking.hpp"
#include "codegen/packing_notes.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::c {
namespace {

using codegen::Namer;
using codegen::TypeIndex;

enum class Objects { by_tag, by_typedef };

std::string header_of(const std::string& type_name) {
  return Namer::symbol(type_name) + ".h";
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

void add_unique(std::vector<std::string>& list, const std::string& text) {
  if (!contains(list, text)) list.push_back(text);
}

bool is_object(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::CLASS || type.kind() == ir::TypeRef::INTERFACE;
}

bool converts(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::ENUM || !codegen::named_array_tag(type).empty();
}

std::string c_value_type(const ir::TypeRef& type, Objects objects) {
  if (type.kind() == ir::TypeRef::ENUM) return "enum " + Namer::symbol(type.name()) + "__enum";
  if (is_object(type) && objects == Objects::by_typedef) return Namer::symbol(type.name());
  if (codegen::is_raw(type)) return codegen::ior_value_type(type.element()) + "*";
  const std::string tag = codegen::named_array_tag(type);
  return tag.empty() ? codegen::ior_value_type(type) : "struct " + tag + "*";
}

std::string c_parameter_type(const ir::TypeRef& type, ir::Argument::Mode mode, Objects objects) {
  if (codegen::is_raw(type)) return c_value_type(type, objects);
  const bool in = mode == ir::Argument::IN;
  if (in && !converts(type) && !is_object(type)) return codegen::ior_parameter_type(type, mode);
  return c_value_type(type, objects) + (in ? "" : "*");
}

Conversion lower_conversion(const ir::TypeRef& type) {
  Conversion conversion;
  conversion.c_type = c_value_type(type, Objects::by_tag);
  conversion.ior_type = codegen::ior_value_type(type);
  conversion.to_c = "(" + conversion.c_type + ")";
  if (type.kind() != ir::TypeRef::ENUM) {
    conversion.to_c_in_c = conversion.to_c;
    conversion.to_ior = "(" + conversion.ior_type + ")";
  }
  return conversion;
}

// The statement that makes `*name` zero.
std::string zero_statement(const ir::TypeRef& type, const std::string& name) {
  if (codegen::is_complex(type)) return name + "->real = " + name + "->imaginary = 0;";
  switch (type.kind()) {
    case ir::TypeRef::STRUCT:
      return "sidl_struct_init(&" + Namer::symbol(type.name()) + "__info, " + name + ");";
    case ir::TypeRef::ENUM:
      return "*" + name + " = (" + c_value_type(type, Objects::by_tag) + ")0;";
    default:
      return "*" + name + " = " + codegen::ior_zero(type) + ";";
  }
}

std::string zero_expression(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::VOID) return "";
  const bool needs_cast = type.kind() == ir::TypeRef::ENUM || codegen::is_aggregate(type);
  const std::string cast = needs_cast ? "(" + c_value_type(type, Objects::by_tag) + ")" : "";
  return cast + codegen::ior_zero(type);
}

Mode lower_mode(ir::Argument::Mode mode) {
  if (mode == ir::Argument::IN) return Mode::in;
  return mode == ir::Argument::OUT ? Mode::out : Mode::inout;
}

RawArray lower_raw(const ir::TypeRef& type, const std::vector<std::string>& arguments) {
  const std::string tag = codegen::ior_array_tag(type);
  return {"struct " + tag + "*", codegen::array_type_constant(type), tag + "_first",
          codegen::extent_texts(type, arguments)};
}

// The types that its functions name.
std::set<std::string> typedefs_of(const ir::Type& self, const ir::Method& method) {
  codegen::TypeMentions mentioned;
  mentioned.add(method);
  std::set<std::string> symbols{Namer::symbol(self.name())};
  for (const std::string& name : mentioned.names()) symbols.insert(Namer::symbol(name));
  return symbols;
}

ArgumentModel lower_argument(const ir::Argument& argument, const std::set<std::string>& typedefs) {
  const ir::TypeRef& type = argument.type();
  ArgumentModel model;
  model.name = Namer::argument(argument.name(), typedefs);
  model.mode = lower_mode(argument.mode());
  model.type = type;
  model.c_parameter =
      codegen::declare(c_parameter_type(type, argument.mode(), Objects::by_tag), model.name);
  model.impl_parameter =
      codegen::declare(c_parameter_type(type, argument.mode(), Objects::by_typedef), model.name);
  model.ior_parameter =
      codegen::declare(codegen::ior_parameter_type(type, argument.mode()), model.name);
  if (model.mode == Mode::out) model.set_zero = zero_statement(type, model.name);
  model.converts = converts(type);
  if (model.converts) model.conversion = lower_conversion(type);
  return model;
}

MethodModel lower_method(const ir::Method& method, const std::set<std::string>& typedefs) {
  MethodModel model;
  model.name = method.long_name();
  model.doc = method.doc();
  model.is_static = method.is_static();
  model.c_result = c_value_type(method.result(), Objects::by_tag);
  model.impl_result = c_value_type(method.result(), Objects::by_typedef);
  model.ior_result = codegen::ior_value_type(method.result());
  model.zero_result = zero_expression(method.result());
  model.result = method.result();
  model.result_converts = converts(method.result());
  if (model.result_converts) model.result_conversion = lower_conversion(method.result());
  std::vector<std::string> names;
  for (const ir::Argument& argument : method.arguments()) {
    model.arguments.push_back(lower_argument(argument, typedefs));
    names.push_back(model.arguments.back().name);
  }
  for (ArgumentModel& argument : model.arguments) {
    if (codegen::is_raw(argument.type)) argument.raw = lower_raw(argument.type, names);
  }
  return model;
}

// What <Type>.h needs for one type it spells.
void need(const TypeIndex& index, const ir::TypeRef& type, ObjectModel& model) {
  if (type.kind() == ir::TypeRef::ENUM || type.kind() == ir::TypeRef::STRUCT) {
    add_unique(model.includes, header_of(type.name()));
  }
  const std::string tag = codegen::named_array_tag(type);
  if (!tag.empty()) add_unique(model.tags, tag);
  if (!tag.empty() && !index.find(type.element().name()).has_object()) {
    add_unique(model.includes, header_of(type.element().name()));
  }
}

void need(const TypeIndex& index, const ir::Method& method, ObjectModel& model) {
  need(index, method.result(), model);
  for (const ir::Argument& argument : method.arguments()) need(index, argument.type(), model);
}

// A method's stubs.
void add_stubs(const TypeIndex& index, const codegen::PlannedMethod& planned, ObjectModel& model) {
  need(index, *planned.method, model);
  const auto add = [&](MethodModel stub) {
    for (ArgumentModel& argument : stub.arguments) {
      argument.message_name = planned.type->name() + "." + stub.name + ": " + argument.name;
    }
    model.stubs.push_back(std::move(stub));
  };
  add(lower_method(*planned.method, typedefs_of(*planned.type, *planned.method)));
  for (const codegen::Half& half : codegen::halves_of(*planned.method)) {
    MethodModel stub = lower_method(half.method, typedefs_of(*planned.type, half.method));
    stub.part = half.part;
    stub.positions = half.arguments;
    stub.info = planned.info();
    add(std::move(stub));
    add_unique(model.includes, header_of(codegen::kTicketType));
  }
}

// Static methods of the parent classes, which have symbols here as well.
void add_inherited_statics(const TypeIndex& index, const codegen::ObjectPlan& plan,
                           ObjectModel& model) {
  for (const codegen::PlannedMethod& planned : codegen::inherited_statics(index, plan)) {
    const std::size_t first = model.stubs.size();
    add_stubs(index, planned, model);
    for (std::size_t i = first; i < model.stubs.size(); ++i) {
      model.stubs[i].declared_in = Namer::symbol(planned.type->name());
    }
    add_unique(model.includes, header_of(planned.type->name()));
  }
}

// Whoever passes an object includes nothing for its type, and nothing for what is thrown.
void lower_used_includes(const codegen::ObjectPlan& plan, ObjectModel& model) {
  codegen::TypeMentions mentions;
  for (const codegen::PlannedMethod& planned : plan.methods) {
    mentions.add(*planned.method);
    for (const std::string& name : planned.method->throws()) mentions.add(name);
  }
  for (const std::string& name : mentions.names()) {
    const std::string header = header_of(name);
    if (name != model.name && !contains(model.includes, header)) {
      model.used_includes.push_back(header);
    }
  }
  std::sort(model.used_includes.begin(), model.used_includes.end());
}

void lower_stubs(const TypeIndex& index, const codegen::ObjectPlan& plan, ObjectModel& model) {
  for (const codegen::PlannedMethod& planned : plan.methods) add_stubs(index, planned, model);
  if (plan.is_class) add_inherited_statics(index, plan, model);
  lower_used_includes(plan, model);
  std::sort(model.includes.begin(), model.includes.end());
  std::sort(model.tags.begin(), model.tags.end());
}

bool has_type(const ir::Method& method, bool (*wanted)(const ir::TypeRef&)) {
  return wanted(method.result()) ||
         std::any_of(method.arguments().begin(), method.arguments().end(),
                     [&](const ir::Argument& a) { return wanted(a.type()); });
}

// The types an Impl may use without its own include: its class and bases, the types its methods
// mention and throw, and those of every object.
void lower_impl_includes(const ir::Type& type, const codegen::TypeMentions& mentions,
                         ObjectModel& model) {
  std::vector<std::string>& includes = model.impl_includes;
  for (const std::string& name : mentions.names()) add_unique(includes, header_of(name));
  for (const std::string& name : type.object().ancestors()) add_unique(includes, header_of(name));
  for (const char* name :
       {"sidl.BaseClass", "sidl.BaseInterface", "sidl.ClassInfo", "sidl.RuntimeException"}) {
    add_unique(includes, header_of(name));
  }
  std::erase(includes, header_of(type.name()));
  std::sort(includes.begin(), includes.end());
}

std::vector<MethodModel> lower_hooks(const ir::Method& method,
                                     const std::set<std::string>& typedefs) {
  const codegen::Hooks hooks = codegen::hooks_of(method);
  return {lower_method(hooks.before, typedefs), lower_method(hooks.after, typedefs)};
}

void lower_impl(const TypeIndex& index, const codegen::ObjectPlan& plan, bool has_hooks,
                ObjectModel& model) {
  codegen::TypeMentions mentions;
  for (const codegen::PlannedMethod* planned : plan.implemented) {
    const ir::Method& method = *planned->method;
    mentions.add(method);
    for (const std::string& name : method.throws()) mentions.add(name);
    const std::set<std::string> typedefs = typedefs_of(*plan.type, method);
    MethodModel lowered = lower_method(method, typedefs);
    lowered.overrides = planned->overrides;
    lowered.passes_on = planned->passes_on;
    lowered.notes = codegen::packing_notes(*planned, codegen::CommentStyle::c);
    lowered.info = planned->info();
    if (has_hooks) lowered.hooks = lower_hooks(method, typedefs);
    lowered.demands_layout = has_type(method, codegen::demands_layout);
    lowered.checks_dimensions = !lowered.demands_layout &&
                                has_type(method, codegen::demands_dimension) &&
                                !index.takes_any_dimension(*plan.type, method);
    model.impl.push_back(std::move(lowered));
  }
  lower_impl_includes(*plan.type, mentions, model);
}

}  // namespace

bool MethodModel::converts() const {
  return result_converts ||
         std::any_of(arguments.begin(), arguments.end(),
                     [](const ArgumentModel& a) { return a.converts || a.raw.has_value(); });
}

bool MethodModel::has_outs() const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const ArgumentModel& a) { return a.mode == Mode::out; });
}

ObjectModel lower_object(const TypeIndex& index, const ir::Type& type, bool has_hooks) {
  ObjectModel model;
  model.type = &type;
  model.name = type.name();
  model.symbol = Namer::symbol(type.name());
  model.parent_symbol = Namer::symbol(type.object().parent());
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  model.is_class = plan.is_class;
  model.is_concrete = plan.is_concrete;
  model.has_contracts = codegen::has_contracts(index, type);
  if (!codegen::is_base_interface(type)) model.includes.push_back("sidl_BaseInterface.h");
  lower_stubs(index, plan, model);
  if (model.is_class) lower_impl(index, plan, has_hooks, model);
  return model;
}

StructModel lower_struct(const TypeIndex& index, const ir::Type& type) {
  StructModel model;
  model.type = &type;
  model.symbol = Namer::symbol(type.name());
  model.includes.push_back("sidl_BaseInterface.h");
  codegen::TypeMentions mentions;
  for (const ir::Member& member : type.structure().members()) mentions.add(member.type());
  for (const std::string& name : mentions.names()) {
    if (!index.find(name).has_object()) add_unique(model.includes, header_of(name));
  }
  std::sort(model.includes.begin(), model.includes.end());
  return model;
}

}  // namespace shinar::backends::c
