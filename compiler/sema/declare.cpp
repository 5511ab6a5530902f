// Pass 1: enters every package and type in a scope.

#include "frontend/limits.hpp"
#include "sema/attributes.hpp"
#include "sema/context.hpp"
#include "sema/names.hpp"
#include "sema/versions.hpp"

namespace shinar::sema {
namespace {

class Declarer {
 public:
  explicit Declarer(Context& context) : context_(context), diagnostics_(context.diagnostics) {}

  void declaration(ast::Declaration& declaration, const Unit& unit, Scope& scope);
  void check_versions(const Scope& scope) const;

 private:
  void package(ast::Package& package, const ast::Declaration& declaration, const Unit& unit,
               Scope& scope);
  Scope* open(const ast::Name& name, bool is_last, const Unit& unit, Scope& scope);
  void check_length(const Scope& scope, const ast::Name& name) const;
  void set_version(Scope& scope, const ast::Version& version, bool is_written);
  void type(const ast::Name& name, model::Kind kind, ast::Declaration& declaration,
            const Unit& unit, Scope& scope);
  void type_attributes(const ast::Declaration& declaration, model::Type& type);
  void report_late_final(const ast::Attribute& attribute, const model::Package& package);
  void ignore(const ast::Attribute& attribute, std::string_view what);

  Context& context_;
  Diagnostics& diagnostics_;
};

std::string join(const Scope& scope, const std::string& name) {
  return scope.package == nullptr ? name : scope.package->name + "." + name;
}

void Declarer::declaration(ast::Declaration& declaration, const Unit& unit, Scope& scope) {
  if (auto* package_body = std::get_if<ast::Package>(&declaration.body)) {
    package(*package_body, declaration, unit, scope);
  } else if (const auto* enumeration = std::get_if<ast::Enum>(&declaration.body)) {
    type(enumeration->name, model::Kind::Enum, declaration, unit, scope);
  } else if (const auto* structure = std::get_if<ast::Struct>(&declaration.body)) {
    type(structure->name, model::Kind::Struct, declaration, unit, scope);
  } else {
    const auto& object = std::get<ast::Object>(declaration.body);
    const auto kind = object.is_class ? model::Kind::Class : model::Kind::Interface;
    type(object.name, kind, declaration, unit, scope);
  }
}

void Declarer::package(ast::Package& package, const ast::Declaration& declaration, const Unit& unit,
                       Scope& scope) {
  const bool version_ok = package.version && check_version(*package.version, diagnostics_);
  // An absolute name (".a.b") is not relative to the enclosing packages.
  Scope* inner = package.name.absolute ? &context_.root : &scope;
  const std::size_t known = context_.model.packages.size();
  for (const ast::Name& part : package.name.parts) {
    const bool is_last = &part == &package.name.parts.back();
    inner = open(part, is_last, unit, *inner);
    if (inner == nullptr) return;
    if (version_ok) set_version(*inner, *package.version, is_last);
  }
  model::Package& opened = *inner->package;
  const bool was_open = context_.model.packages.size() == known;
  if (package.version && opened.version.empty()) opened.version = "0";  // reported: say no more
  if (declaration.is_damaged) {
    opened.is_broken = true;
    inner->is_damaged = true;
  }
  if (opened.doc.empty()) opened.doc = declaration.doc;
  bool becomes_final = false;
  for (const ast::Attribute& attribute : declaration.attributes) {
    if (attribute.word == ast::Word::Final) {
      if (was_open && !opened.is_final && !becomes_final) report_late_final(attribute, opened);
      becomes_final = true;
    }
    if (attribute.word == ast::Word::Abstract) ignore(attribute, "a package");
  }
  for (model::Attribute& item : read_attributes(declaration.attributes, diagnostics_)) {
    opened.attributes.push_back(std::move(item));
  }
  opened.is_final = opened.is_final || becomes_final;
  for (ast::Declaration& item : package.declarations) this->declaration(item, unit, *inner);
}

// Said of the first package that is too long, not of those in it.
void Declarer::check_length(const Scope& scope, const ast::Name& name) const {
  const std::size_t around = scope.package == nullptr ? 0 : scope.package->name.size() + 1;
  if (around > limits::kName || around + name.text.size() <= limits::kName) return;
  diagnostics_.report(Code::TooLong, name.span,
                      "the full name of the package has " +
                          std::to_string(around + name.text.size()) + " characters; the limit is " +
                          std::to_string(limits::kName));
}

// The scope of a package, made on first sight. `is_last` tells the package that is being declared
// from those its dotted name only passes through.
Scope* Declarer::open(const ast::Name& name, bool is_last, const Unit& unit, Scope& scope) {
  const auto [place, is_new] = scope.entries.try_emplace(lower(name.text));
  Scope::Entry& entry = place->second;
  if (is_new) {
    check_type_name(name, diagnostics_);
    check_length(scope, name);
    auto package = std::make_unique<model::Package>();
    package->name = join(scope, name.text);
    package->span = name.span;
    package->is_external = unit.is_external;
    auto inner = std::make_unique<Scope>();
    inner->outer = &scope;
    inner->package = package.get();
    entry = {name.text, name.span, inner.get(), nullptr};
    scope.inner.push_back(std::move(inner));
    context_.model.packages.push_back(std::move(package));
    return entry.package;
  }
  if (entry.package == nullptr) {
    report_collision(name, "package", {entry.name, entry.span}, diagnostics_);
    return nullptr;
  }
  if (entry.name != name.text) {
    diagnostics_
        .report(Code::OtherCase, name.span,
                "the package " + in_quotes(entry.name) + " is reopened as " + in_quotes(name.text))
        .note(entry.span, "it is declared here");
    return nullptr;
  }
  if (is_last && entry.package->package->is_final) {
    diagnostics_
        .report(Code::FinalPackage, name.span,
                "the package " + in_quotes(entry.package->package->name) +
                    " is final and cannot be reopened")
        .note(entry.span, "it is declared here");
  }
  if (!unit.is_external && entry.package->package->is_external) {
    entry.package->package->is_external = false;
    entry.package->package->span = name.span;
  }
  return entry.package;
}

void Declarer::set_version(Scope& scope, const ast::Version& version, bool is_written) {
  if (scope.version_is_written && !is_written) return;
  const bool differs =
      scope.version_is_written && !same_version(scope.package->version, version.text);
  if (differs) {
    diagnostics_
        .report(Code::OtherVersion, version.span,
                "the package " + in_quotes(scope.package->name) + " has version " +
                    scope.package->version + ", not " + version.text)
        .note(scope.version_span, "its version is declared here");
    return;
  }
  if (scope.version_is_written) return;
  scope.package->version = version.text;
  scope.version_span = version.span;
  scope.version_is_written = is_written;
}

void Declarer::type(const ast::Name& name, model::Kind kind, ast::Declaration& declaration,
                    const Unit& unit, Scope& scope) {
  if (name.text.empty()) return;  // its declaration is damaged
  if (scope.package == nullptr) {
    if (context_.root.is_damaged) return;
    diagnostics_.report(Code::OutsidePackage, name.span,
                        "the type " + in_quotes(name.text) + " is outside of any package");
    return;
  }
  check_type_name(name, diagnostics_);
  const auto [place, is_new] = scope.entries.try_emplace(lower(name.text));
  if (!is_new) {
    report_collision(name, "type", {place->second.name, place->second.span}, diagnostics_);
    return;
  }
  auto type = std::make_unique<model::Type>();
  type->kind = kind;
  type->name = join(scope, name.text);
  type->local_name = name.text;
  type->package = scope.package;
  type->doc = declaration.doc;
  type->span = name.span;
  type->is_external = unit.is_external;
  type->is_damaged = declaration.is_damaged;
  type->is_broken = declaration.is_damaged;
  type_attributes(declaration, *type);
  place->second = {name.text, name.span, nullptr, type.get()};
  scope.holds_types = true;
  context_.declared.push_back({type.get(), &declaration, &unit, &scope, {}, {}});
  context_.model.types.push_back(std::move(type));
}

void Declarer::type_attributes(const ast::Declaration& declaration, model::Type& type) {
  for (const ast::Attribute& attribute : declaration.attributes) {
    switch (type.kind) {
      case model::Kind::Class:
        if (attribute.word == ast::Word::Final) ignore(attribute, "a class");
        if (attribute.word != ast::Word::Abstract) break;
        if (type.is_abstract) {
          diagnostics_.report(Code::AttributeRepeated, attribute.span, "'abstract' is given twice");
        }
        type.is_abstract = true;
        break;
      case model::Kind::Interface:
        ignore(attribute, "an interface");
        break;
      case model::Kind::Struct:
        ignore(attribute, "a struct");
        break;
      default:
        ignore(attribute, "an enum");
        break;
    }
  }
}

void Declarer::report_late_final(const ast::Attribute& attribute, const model::Package& package) {
  diagnostics_
      .report(Code::LateFinal, attribute.span,
              "the package " + in_quotes(package.name) +
                  " is declared without 'final' elsewhere and cannot be made final here")
      .note(package.span, "it is declared here");
}

void Declarer::ignore(const ast::Attribute& attribute, std::string_view what) {
  if (attribute.word == ast::Word::Attrib) return;
  const std::string word = attribute.word == ast::Word::Final ? "final" : "abstract";
  diagnostics_.report(
      Code::AttributeIgnored, attribute.span,
      in_quotes(word) + " has no meaning on " + std::string(what) + " and is ignored");
}

// An inner package takes its version over from the one around it.
void Declarer::check_versions(const Scope& scope) const {
  for (const auto& inner : scope.inner) {
    model::Package& package = *inner->package;
    if (package.version.empty() && scope.package != nullptr) {
      package.version = scope.package->version;
      package.is_broken = package.is_broken || scope.package->is_broken;
    }
    if (package.version.empty() && inner->holds_types && !package.is_broken) {
      diagnostics_
          .report(Code::NoVersion, package.span,
                  "the package " + in_quotes(package.name) + " contains types but has no version")
          .note(std::nullopt, "write 'package " + package.name + " version 1.0 { … }'");
    }
    check_versions(*inner);
  }
}

}  // namespace

void declare(Context& context) {
  Declarer declarer(context);
  for (const Unit& unit : context.units) {
    context.root.is_damaged = context.root.is_damaged || unit.file->is_damaged;
  }
  for (const Unit& unit : context.units) {
    for (ast::Declaration& item : unit.file->declarations) {
      declarer.declaration(item, unit, context.root);
    }
  }
  declarer.check_versions(context.root);
}

}  // namespace shinar::sema
