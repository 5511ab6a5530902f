// Ancestors, interfaces and EPVs, type by type, parents first. The cost per type is the length of
// its own lists: the hierarchy is not searched again.

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "diagnostics/spelling.hpp"
#include "sema/context.hpp"
#include "sema/override_rules.hpp"

namespace shinar::sema {
namespace {

using model::Method;
using model::Slot;
using model::Type;

class TableBuilder {
 public:
  TableBuilder(Context& context, Declared& declared)
      : context_(context),
        declared_(declared),
        type_(*declared.type),
        rules_(context.diagnostics, context.runtime_exception) {}

  void build();

 private:
  void lineage();
  void add_interfaces_of(const Type& interface, std::unordered_set<const Type*>& seen);
  void rename();
  bool rename(const Declared::Rename& item);
  const Method* find_renamed(const Declared::Rename& item);
  void inherit(const Type& from);
  std::uint32_t merge(const Slot& inherited);
  void report_taken(const Slot& inherited, std::uint32_t place);
  void join(const Method& introducer, std::uint32_t slot);
  void fill_facets();
  void declare_all();
  bool has_to_be_declared(const Slot& slot) const;
  void declare(const Method& inherited, Span span);
  void own_methods();
  void own_static(const Method& method);
  const Method* inherited_static(std::string_view key) const;

  Context& context_;
  Declared& declared_;
  Type& type_;
  OverrideRules rules_;
  std::unordered_map<std::string_view, std::uint32_t> slot_of_;  // by Method::key
  std::unordered_map<const Method*, std::uint32_t> place_of_;    // by introducer
  std::unordered_map<const Method*, const Method*> renamed_;     // by introducer
  // For interfaces in from clauses: the introducers of their methods, by long name.
  std::unordered_map<const Type*, std::unordered_map<std::string_view, const Method*>> introducers_;
};

void TableBuilder::build() {
  const bool parents_broken =
      (type_.parent != nullptr && type_.parent->is_broken) ||
      std::ranges::any_of(type_.direct_interfaces, [](const Type* t) { return t->is_broken; });
  if (parents_broken) type_.is_broken = true;
  lineage();
  rename();
  // The parent's slots come first, unchanged, so that a child pointer is a parent pointer.
  if (type_.parent != nullptr) inherit(*type_.parent);
  for (const Type* interface : type_.direct_interfaces) inherit(*interface);
  declare_all();
  own_methods();
  fill_facets();
  if (type_.is_broken) return;
  rules_.check_overloads(type_);
  if (type_.kind == model::Kind::Class) rules_.check_abstract(type_);
}

void TableBuilder::lineage() {
  std::unordered_set<const Type*> seen{context_.base_interface, &type_};
  if (type_.parent != nullptr) {
    type_.ancestors.push_back(type_.parent);
    type_.ancestors.insert(type_.ancestors.end(), type_.parent->ancestors.begin(),
                           type_.parent->ancestors.end());
    for (const Type* interface : type_.parent->interfaces) {
      if (seen.insert(interface).second) type_.interfaces.push_back(interface);
    }
  }
  for (const Type* interface : type_.direct_interfaces) add_interfaces_of(*interface, seen);
  type_.is_exception = &type_ == context_.base_exception || seen.contains(context_.base_exception);
}

void TableBuilder::add_interfaces_of(const Type& interface, std::unordered_set<const Type*>& seen) {
  for (const Type* ancestor : interface.interfaces) {
    if (seen.insert(ancestor).second) type_.interfaces.push_back(ancestor);
  }
  if (seen.insert(&interface).second) type_.interfaces.push_back(&interface);
}

// From clauses: rename inherited methods before the tables are joined.
void TableBuilder::rename() {
  for (const Declared::Rename& item : declared_.renames) {
    if (!rename(item)) type_.is_broken = true;
  }
}

bool TableBuilder::rename(const Declared::Rename& item) {
  Method& method = *item.method;
  Diagnostics& diagnostics = context_.diagnostics;
  const Type& interface = *item.interface;
  if (interface.is_broken || type_.is_damaged) return false;
  if (!model::is_a(type_, interface)) {
    diagnostics
        .report(Code::FromNotInherited, item.span,
                in_quotes(type_.local_name) + " does not inherit from " + in_quotes(interface.name))
        .note(interface.span, "it is declared here");
    return false;
  }
  const Method* introducer = find_renamed(item);
  if (introducer == nullptr) return false;
  if (type_.parent != nullptr && model::is_a(*type_.parent, interface)) {
    diagnostics
        .report(Code::FromClass, item.span,
                in_quotes(item.long_name) + " is inherited from the class " +
                    in_quotes(type_.parent->name) + " and keeps the name it has there")
        .note(type_.parent->span, "the class is declared here");
    return false;
  }
  method.from = introducer;
  method.from_interface = &interface;
  if (item.long_name == method.long_name) {
    diagnostics.report(
        Code::FromUseless, item.span,
        "the method is already called " + in_quotes(item.long_name) + "; 'from' has no effect");
    return true;
  }
  const auto [place, is_new] = renamed_.emplace(introducer, &method);
  if (is_new) return true;
  diagnostics
      .report(Code::FromTwice, item.span,
              in_quotes(interface.name + "." + item.long_name) + " is renamed twice")
      .note(place->second->span, "it is renamed here first");
  return false;
}

// The introducer of the method named by the clause.
const Method* TableBuilder::find_renamed(const Declared::Rename& item) {
  auto& introducers = introducers_[item.interface];
  if (introducers.empty()) {
    for (const Slot& slot : item.interface->slots) {
      introducers.emplace(slot.method->long_name, slot.introducer);
    }
  }
  const auto found = introducers.find(item.long_name);
  if (found != introducers.end()) return found->second;
  std::vector<std::string> names;
  for (const Slot& slot : item.interface->slots) names.push_back(slot.method->long_name);
  Diagnostic& report =
      context_.diagnostics.report(Code::FromUnknown, item.span,
                                  "the interface " + in_quotes(item.interface->name) +
                                      " has no method " + in_quotes(item.long_name));
  if (const auto meant = closest(item.long_name, names)) {
    report.message += "; did you mean " + in_quotes(*meant) + "?";
  }
  return nullptr;
}

void TableBuilder::inherit(const Type& from) {
  const bool is_first = type_.slots.empty();
  std::vector<std::uint32_t> places;
  places.reserve(from.slots.size());
  for (const Slot& slot : from.slots) {
    places.push_back(merge(slot));
    if (is_first && places.back() + 1 != places.size()) report_taken(slot, places.back());
  }
  for (const auto& [method, slot] : from.joined) join(*method, places[slot]);
}

// Reports a new name that another method of the same interface has already.
void TableBuilder::report_taken(const Slot& inherited, std::uint32_t place) {
  const auto renamed = renamed_.find(inherited.introducer);
  const auto other = renamed_.find(type_.slots[place].introducer);
  if (renamed == renamed_.end() && other == renamed_.end()) return;
  const Method& method = *(renamed != renamed_.end() ? renamed : other)->second;
  type_.is_broken = true;
  context_.diagnostics
      .report(Code::FromTaken, method.span,
              "the name " + in_quotes(method.long_name) + " is taken: " +
                  in_quotes(inherited.method->owner->name) + " would have two methods of this name")
      .note(inherited.method->span, "one of them is declared here");
}

// The slot of this type for the inherited one.
std::uint32_t TableBuilder::merge(const Slot& inherited) {
  const auto next = static_cast<std::uint32_t>(type_.slots.size());
  const auto known = place_of_.find(inherited.introducer);
  if (known == place_of_.end()) {
    const auto renamed = renamed_.find(inherited.introducer);
    const std::string& key =
        renamed == renamed_.end() ? inherited.method->key : renamed->second->key;
    const auto [place, is_new] = slot_of_.try_emplace(key, next);
    join(*inherited.introducer, place->second);
    if (is_new) {
      type_.slots.push_back(inherited);
      return next;
    }
  }
  const std::uint32_t index = place_of_.at(inherited.introducer);
  Slot& slot = type_.slots[index];
  if (slot.method == inherited.method) return index;
  const bool same_owner = slot.method->owner == inherited.method->owner;  // reported as taken
  if (!type_.is_broken && !same_owner)
    rules_.check_inherited(*slot.method, *inherited.method, type_);
  // Keeps an implementation; of declarations the nearer one counts.
  const Type* nearer = inherited.method->owner;
  const bool is_nearer =
      std::ranges::find(nearer->interfaces, slot.method->owner) != nearer->interfaces.end();
  if (slot.is_abstract && is_nearer) slot.method = inherited.method;
  return index;
}

// Records that the slot serves the method, of any introducer.
void TableBuilder::join(const Method& introducer, std::uint32_t slot) {
  if (!place_of_.try_emplace(&introducer, slot).second) return;
  const bool is_shared = slot < type_.slots.size() && type_.slots[slot].introducer != &introducer;
  if (is_shared) type_.joined.emplace_back(&introducer, slot);
}

// A class's slots begin with its parent's, so the parent's facets remain valid.
void TableBuilder::fill_facets() {
  if (type_.kind != model::Kind::Class) return;
  if (type_.parent != nullptr) type_.facets = type_.parent->facets;
  for (std::size_t i = type_.facets.size(); i < type_.interfaces.size(); ++i) {
    model::Facet facet{type_.interfaces[i], {}};
    facet.slots.reserve(facet.interface->slots.size());
    for (const Slot& slot : facet.interface->slots) {
      facet.slots.push_back(place_of_.at(slot.introducer));
    }
    type_.facets.push_back(std::move(facet));
  }
}

// implements-all: every method of the interface that the text does not declare.
void TableBuilder::declare_all() {
  std::unordered_set<std::string_view> declared;
  for (const auto& method : type_.methods) declared.insert(method->key);
  for (const Declared::ImplementsAll& item : declared_.implements_all) {
    for (const Slot& slot : item.interface->slots) {
      if (renamed_.contains(slot.introducer) || !has_to_be_declared(slot)) continue;
      if (declared.insert(slot.method->key).second) declare(*slot.method, item.span);
    }
  }
}

// Methods of sidl.BaseInterface are implemented by sidl.BaseClass, and final ones already are.
bool TableBuilder::has_to_be_declared(const Slot& slot) const {
  const bool is_base = slot.introducer->owner == context_.base_interface;
  if (is_base && &type_ != context_.base_class) return false;
  return !type_.slots[place_of_.at(slot.introducer)].method->is_final;
}

void TableBuilder::declare(const Method& inherited, Span span) {
  auto method = std::make_unique<Method>(inherited);
  method->owner = &type_;
  method->index = static_cast<std::uint32_t>(type_.methods.size());
  method->span = span;
  method->is_abstract = false;
  method->from_implements_all = true;
  type_.methods.push_back(std::move(method));
}

void TableBuilder::own_methods() {
  for (const auto& method : type_.methods) {
    if (method->is_static) {
      own_static(*method);
      continue;
    }
    if (const Method* hidden = inherited_static(method->key)) {
      rules_.report_static(*method, *hidden);
    }
    const auto [place, is_new] = slot_of_.try_emplace(method->key, type_.slots.size());
    if (is_new) {
      type_.slots.push_back({method.get(), method.get(), method->is_abstract});
      continue;
    }
    Slot& slot = type_.slots[place->second];
    rules_.check_override(*method, *slot.method);
    slot.method = method.get();
    slot.is_abstract = method->is_abstract;
  }
}

void TableBuilder::own_static(const Method& method) {
  const auto slot = slot_of_.find(method.key);
  if (slot == slot_of_.end()) return;
  const Method& other = *type_.slots[slot->second].method;
  if (other.owner != &type_) rules_.report_static(method, other);
}

const Method* TableBuilder::inherited_static(std::string_view key) const {
  for (const Type* ancestor : type_.ancestors) {
    const auto& table = context_.statics[ancestor];
    const auto found = table.find(key);
    if (found != table.end()) return found->second;
  }
  return nullptr;
}

}  // namespace

void build_method_tables(Context& context) {
  std::unordered_map<const Type*, Declared*> declared;
  for (Declared& item : context.declared) declared.emplace(item.type, &item);
  TableBudget budget(context.diagnostics);
  for (Type* type : context.model.order) {
    if (!type->is_object()) continue;
    TableBuilder(context, *declared.at(type)).build();
    if (!budget.take(*type)) return;
    for (const auto& method : type->methods) {
      if (method->is_static) context.statics[type].emplace(method->key, method.get());
    }
  }
}

void check_throws(Context& context) {
  for (const auto& type : context.model.types) {
    for (const auto& method : type->methods) {
      if (method->from_implements_all) continue;
      for (const Method::Thrown& thrown : method->throws) {
        if (thrown.type->is_exception || thrown.type->is_broken) continue;
        context.diagnostics
            .report(Code::NotAnException, thrown.span,
                    in_quotes(thrown.type->name) +
                        " cannot be thrown: it does not implement sidl.BaseException")
            .note(thrown.type->span, "it is declared here");
      }
    }
  }
}

}  // namespace shinar::sema
