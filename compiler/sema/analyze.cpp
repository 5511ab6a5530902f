#include "sema/analyze.hpp"

#include <algorithm>
#include <cctype>

#include "sema/context.hpp"
#include "sema/resolver.hpp"

namespace shinar {
namespace sema {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return result;
}

const Scope::Entry* Scope::find(std::string_view name) const {
  const auto found = entries.find(lower(name));
  return found != entries.end() && found->second.name == name ? &found->second : nullptr;
}

namespace {

// A placeholder, so that the rest can be analysed; types that inherit from it get no errors.
model::Type* stand_in(Context& context, Scope& package, const char* name, model::Kind kind) {
  ast::Object body;
  body.is_class = kind == model::Kind::Class;
  ast::Declaration& declaration = context.stand_ins.emplace_back();
  declaration.is_damaged = true;
  declaration.body = std::move(body);
  auto type = std::make_unique<model::Type>();
  type->kind = kind;
  type->name = package.package->name + "." + name;
  type->local_name = name;
  type->package = package.package;
  type->is_external = true;
  type->is_damaged = true;
  type->is_broken = true;
  context.declared.push_back({type.get(), &declaration, &context.no_unit, &package, {}, {}});
  context.model.types.push_back(std::move(type));
  return context.model.types.back().get();
}

// Types the language itself refers to.
void find_standard_types(Context& context) {
  const auto find = [&](const char* name, model::Kind kind) -> model::Type* {
    const Scope::Entry* package = context.root.find("sidl");
    const Scope::Entry* entry =
        package != nullptr && package->package != nullptr ? package->package->find(name) : nullptr;
    if (entry != nullptr && entry->type != nullptr && entry->type->kind == kind) return entry->type;
    const bool is_package = package != nullptr && package->package != nullptr;
    if (is_package && package->package->is_damaged) {
      return stand_in(context, *package->package, name, kind);
    }
    if (!is_package && context.root.is_damaged) return nullptr;
    context.diagnostics.report(Code::NoStandardType, std::nullopt,
                               "package 'sidl' has no " +
                                   std::string(kind == model::Kind::Class ? "class" : "interface") +
                                   " '" + name + "', which every program needs");
    return nullptr;
  };
  context.base_interface = find("BaseInterface", model::Kind::Interface);
  context.base_class = find("BaseClass", model::Kind::Class);
  context.base_exception = find("BaseException", model::Kind::Interface);
  context.runtime_exception = find("RuntimeException", model::Kind::Interface);
  const Scope::Entry* package = context.root.find("sidl");
  package =
      package == nullptr || package->package == nullptr ? nullptr : package->package->find("io");
  package = package == nullptr || package->package == nullptr
                ? nullptr
                : package->package->find("Serializable");
  if (package != nullptr) context.serializable = package->type;
}

}  // namespace
}  // namespace sema

model::Model analyze(const std::vector<Unit>& units, Diagnostics& diagnostics) {
  sema::Context context(units, diagnostics);
  sema::declare(context);
  sema::find_standard_types(context);
  if (context.base_interface == nullptr || context.base_class == nullptr ||
      context.base_exception == nullptr) {
    return std::move(context.model);
  }
  const sema::Resolver resolver(context);
  sema::resolve_parents(context, resolver);
  sema::resolve_members(context, resolver);
  sema::sort_types(context);
  sema::limit_levels(context);
  sema::limit_structs(context);
  sema::build_method_tables(context);
  sema::check_throws(context);
  sema::check_remote_rules(context);
  sema::check_known_attributes(context);
  sema::resolve_contracts(context);
  return std::move(context.model);
}

}  // namespace shinar
