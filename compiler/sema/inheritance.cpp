// Parents: what a type extends and implements, and the order in which types are processed.

#include <algorithm>
#include <unordered_map>

#include "sema/graph.hpp"
#include "sema/resolver.hpp"

namespace shinar::sema {
namespace {

class Parents {
 public:
  Parents(Context& context, const Resolver& resolver)
      : context_(context), resolver_(resolver), diagnostics_(context.diagnostics) {}

  void interface(const ast::Object& body, Declared& declared);
  void class_type(const ast::Object& body, Declared& declared);

 private:
  void parent_class(const ast::Object& body, Declared& declared);
  void report_no_class(const ast::ScopedName& name, const model::Type& found);
  model::Type* add_interface(const ast::ScopedName& name, Declared& declared,
                             std::string_view verb);
  void add_default_interface(model::Type& type) const;

  Context& context_;
  const Resolver& resolver_;
  Diagnostics& diagnostics_;
};

void Parents::interface(const ast::Object& body, Declared& declared) {
  for (const ast::ScopedName& name : body.extends) add_interface(name, declared, "extend");
  add_default_interface(*declared.type);
}

void Parents::add_default_interface(model::Type& type) const {
  const bool is_root = &type == context_.base_interface;
  if (is_root || type.is_broken || !type.direct_interfaces.empty()) return;
  type.direct_interfaces.push_back(context_.base_interface);
}

void Parents::class_type(const ast::Object& body, Declared& declared) {
  parent_class(body, declared);
  for (const ast::Object::Implements& item : body.implements) {
    const model::Type* type = add_interface(item.name, declared, "implement");
    if (type == nullptr || !item.all) continue;
    declared.implements_all.push_back({type, item.name.span});
    declared.type->implements_all.push_back(type);
  }
}

void Parents::parent_class(const ast::Object& body, Declared& declared) {
  model::Type& type = *declared.type;
  if (body.extends.empty()) {
    if (&type != context_.base_class) type.parent = context_.base_class;
    return;
  }
  if (body.extends.size() > 1) {
    diagnostics_.report(Code::TwoParents, body.extends[1].span,
                        "the class " + in_quotes(type.local_name) +
                            " extends more than one class; a class can implement any number of "
                            "interfaces");
  }
  const ast::ScopedName& name = body.extends.front();
  type.parent = resolver_.type(name, declared);
  if (type.parent != nullptr && type.parent->kind != model::Kind::Class) {
    report_no_class(name, *type.parent);
    type.parent = nullptr;
  }
  if (type.parent == nullptr) type.is_broken = true;
}

void Parents::report_no_class(const ast::ScopedName& name, const model::Type& found) {
  if (found.is_damaged) return;
  const bool is_interface = found.kind == model::Kind::Interface;
  diagnostics_
      .report(Code::ParentNotClass, name.span,
              in_quotes(name.text()) + " is not a class" +
                  (is_interface ? "; did you mean 'implements'?" : ""))
      .note(found.span, "it is declared here");
}

model::Type* Parents::add_interface(const ast::ScopedName& name, Declared& declared,
                                    std::string_view verb) {
  model::Type& type = *declared.type;
  model::Type* found = resolver_.type(name, declared);
  if (found == nullptr || found->kind != model::Kind::Interface) {
    if (found != nullptr && !found->is_damaged) {
      const std::string who = type.kind == model::Kind::Class ? "a class" : "an interface";
      diagnostics_
          .report(Code::ParentNotInterface, name.span,
                  in_quotes(name.text()) + " is not an interface; " + who + " can " +
                      std::string(verb) + " interfaces only")
          .note(found->span, "it is declared here");
    }
    type.is_broken = true;
    return nullptr;
  }
  if (std::ranges::find(type.direct_interfaces, found) != type.direct_interfaces.end()) {
    diagnostics_.report(Code::ListedTwice, name.span, in_quotes(name.text()) + " is listed twice");
    return found;
  }
  type.direct_interfaces.push_back(found);
  return found;
}

// ---- order --------------------------------------------------------------------------------------

void report_cycle(const std::vector<model::Type*>& cycle, Diagnostics& diagnostics) {
  // Begin with the first in the text, independent of search order.
  const model::Type& first = *cycle.front();
  const bool is_struct = first.kind == model::Kind::Struct;
  const std::string what = is_struct ? " contains itself" : " inherits from itself";
  const std::string kind = is_struct                          ? "the struct "
                           : first.kind == model::Kind::Class ? "the class "
                                                              : "the interface ";
  Diagnostic& report = diagnostics.report(is_struct ? Code::StructCycle : Code::InheritanceCycle,
                                          first.span, kind + in_quotes(first.local_name) + what);
  constexpr std::size_t kMostNotes = 5;
  for (std::size_t i = 1; i < std::min(cycle.size(), kMostNotes + 1); ++i) {
    report.note(cycle[i]->span, "through " + in_quotes(cycle[i]->name));
  }
}

// Which types must be known for a type to be; `all`: also the structs that its arrays are of.
std::vector<const model::Type*> needs_of(const model::Type& type, bool all) {
  std::vector<const model::Type*> needs;
  if (type.parent != nullptr) needs.push_back(type.parent);
  needs.insert(needs.end(), type.direct_interfaces.begin(), type.direct_interfaces.end());
  for (const model::Member& member : type.members) {
    const bool is_array = member.type.kind == model::Kind::Array;
    const model::Kind kind = is_array ? member.type.element : member.type.kind;
    if (is_array && (!all || member.type.type == &type)) continue;
    if (kind == model::Kind::Struct) needs.push_back(member.type.type);
  }
  return needs;
}

}  // namespace

void resolve_parents(Context& context, const Resolver& resolver) {
  Parents parents(context, resolver);
  for (Declared& declared : context.declared) {
    const auto* body = std::get_if<ast::Object>(&declared.declaration->body);
    if (body == nullptr) continue;
    if (body->is_class) {
      parents.class_type(*body, declared);
    } else {
      parents.interface(*body, declared);
    }
  }
}

void sort_types(Context& context) {
  const auto& types = context.model.types;
  std::unordered_map<const model::Type*, std::size_t> index;
  for (std::size_t i = 0; i < types.size(); ++i) index.emplace(types[i].get(), i);
  const auto sorted_by = [&](bool all) {
    std::vector<std::vector<std::size_t>> needs(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
      for (const model::Type* need : needs_of(*types[i], all)) needs[i].push_back(index.at(need));
    }
    return sort_graph(needs);
  };
  Sorted sorted = sorted_by(true);
  // Structs may contain arrays of each other.
  if (!sorted.cycles.empty()) sorted = sorted_by(false);
  for (std::size_t i : sorted.order) context.model.order.push_back(types[i].get());
  for (std::vector<std::size_t> cycle : sorted.cycles) {
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    std::vector<model::Type*> members;
    for (std::size_t i : cycle) members.push_back(types[i].get());
    report_cycle(members, context.diagnostics);
  }
}

}  // namespace shinar::sema
