#include "sema/resolver.hpp"

#include <algorithm>
#include <set>

#include "sema/versions.hpp"

namespace shinar::sema {
namespace {

constexpr const char* kAddFile =
    "add the file that does, with --include if no code is needed for it";

}  // namespace

Resolver::Resolver(Context& context) : context_(context), suggestions_(context.root) {
  for (const Unit& unit : context.units) {
    std::set<std::string> seen;
    for (const ast::Import& statement : unit.file->imports) {
      const std::string word = statement.is_require ? "require " : "import ";
      if (!seen.insert(word + statement.name.text()).second) {
        context.diagnostics.report(Code::ImportedTwice, statement.span,
                                   in_quotes(word + statement.name.text()) + " is repeated");
        continue;
      }
      import(*unit.file, statement);
    }
  }
}

void Resolver::import(const ast::File& file, const ast::Import& statement) {
  const bool version_ok =
      !statement.version || check_version(*statement.version, context_.diagnostics);
  const Found found = walk(statement.name, context_.root);
  if (found.type == nullptr && found.package == nullptr) {
    if (found.may_be_missing) return;
    const std::string what = statement.is_require ? "required" : "imported";
    context_.diagnostics.report(Code::ImportUnknown, statement.name.span,
                                "the " + what + " name " + in_quotes(statement.name.text()) +
                                    " is unknown: no input file declares it; " + kAddFile);
    unknown_[&file].push_back(&statement);
    return;
  }
  const model::Package& package =
      found.type != nullptr ? *found.type->package : *found.package->package;
  if (statement.version && version_ok) check_import_version(statement, package);
  if (!statement.is_require) imports_[&file].push_back(found);
}

void Resolver::check_import_version(const ast::Import& statement,
                                    const model::Package& package) const {
  if (package.version.empty() || package.is_broken) return;
  if (same_version(package.version, statement.version->text)) return;
  context_.diagnostics
      .report(Code::ImportVersion, statement.version->span,
              "the package " + in_quotes(package.name) + " has version " + package.version +
                  ", not " + statement.version->text)
      .note(package.span, "it is declared here");
}

Resolver::Found Resolver::walk(const ast::ScopedName& name, const Scope& start) {
  const Scope* scope = &start;
  const Scope::Entry* entry = nullptr;
  for (const ast::Name& part : name.parts) {
    entry = scope == nullptr ? nullptr : scope->find(part.text);
    if (entry == nullptr) return {nullptr, nullptr, scope != nullptr && scope->is_damaged};
    scope = entry->package;
  }
  return {entry->type, entry->package};
}

Resolver::Found Resolver::in_imports(const ast::ScopedName& name, const Declared& from) const {
  Found best;
  const auto imports = imports_.find(from.unit->file);
  if (imports == imports_.end()) return best;
  for (const Found& import : imports->second) {
    Found found;
    if (import.package != nullptr) found = walk(name, *import.package);
    best.may_be_missing = best.may_be_missing || found.may_be_missing;
    const bool named = import.type != nullptr && name.parts.size() == 1 &&
                       import.type->local_name == name.parts.front().text;
    if (named) found.type = import.type;
    if (found.type == nullptr) continue;
    if (best.type != nullptr && best.type != found.type) {
      context_.diagnostics.report(Code::AmbiguousName, name.span,
                                  in_quotes(name.text()) + " may be " + in_quotes(best.type->name) +
                                      " or " + in_quotes(found.type->name) + ": both are imported");
      return best;
    }
    best.type = found.type;
  }
  return best;
}

model::Type* Resolver::type(const ast::ScopedName& name, const Declared& from) const {
  Found found;
  const Scope* package = nullptr;  // found instead of a type
  bool may_be_missing = false;
  const Scope* start = name.absolute ? &context_.root : from.scope;
  for (const Scope* scope = start; scope != nullptr; scope = scope->outer) {
    found = walk(name, *scope);
    if (found.type != nullptr) return found.type;
    if (package == nullptr) package = found.package;
    may_be_missing = may_be_missing || found.may_be_missing;
  }
  if (!name.absolute) found = in_imports(name, from);
  if (found.type != nullptr) return found.type;
  if (may_be_missing || found.may_be_missing) return nullptr;
  if (package != nullptr && package->is_damaged) return nullptr;  // and may not be a package
  if (package != nullptr) {
    context_.diagnostics.report(Code::NotAType, name.span,
                                in_quotes(name.text()) + " is a package, not a type");
  } else if (!is_of_unknown_import(name, from)) {
    report_unknown(name, from);
  }
  return nullptr;
}

// Whether the error is that of the import: the name begins with what is imported, or has no
// package.
bool Resolver::is_of_unknown_import(const ast::ScopedName& name, const Declared& from) const {
  const auto unknown = unknown_.find(from.unit->file);
  if (unknown == unknown_.end()) return false;
  return std::ranges::any_of(unknown->second, [&](const ast::Import* statement) {
    const std::vector<ast::Name>& parts = statement->name.parts;
    const bool is_alone = name.parts.size() == 1 && !name.absolute && !statement->is_require;
    const auto ends =
        std::ranges::mismatch(parts, name.parts, {}, &ast::Name::text, &ast::Name::text);
    return is_alone || ends.in1 == parts.end();
  });
}

void Resolver::report_unknown(const ast::ScopedName& name, const Declared& from) const {
  Diagnostic& report = context_.diagnostics.report(Code::UnknownType, name.span,
                                                   "unknown type " + in_quotes(name.text()));
  const std::optional<std::string> meant = suggestions_.find(name, *from.scope);
  const std::string& first = name.parts.front().text;
  bool is_there = false;
  for (const Scope* scope = from.scope; scope != nullptr; scope = scope->outer) {
    is_there = is_there || scope->find(first) != nullptr;
  }
  if (!meant && name.parts.size() > 1 && !is_there) {
    report.message += ": no input file declares " + in_quotes(first) + "; " + kAddFile;
  }
  if (!meant) return;
  report.message += "; did you mean " + in_quotes(*meant) + "?";
  report.suggest(name.span, *meant);
}

}  // namespace shinar::sema
