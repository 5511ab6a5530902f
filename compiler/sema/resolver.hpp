// In: a name as written, and where.
// Out: the type it refers to, looked up from the innermost package outwards and then through the
// file's imports; or null, with a diagnostic that suggests an alternative.
#pragma once

#include <map>
#include <vector>

#include "sema/context.hpp"
#include "sema/suggestions.hpp"

namespace shinar::sema {

class Resolver {
 public:
  // Checks the import and require statements of all files.
  explicit Resolver(Context& context);

  model::Type* type(const ast::ScopedName& name, const Declared& from) const;
  model::TypeRef type_ref(const ast::TypeRef& ref, const Declared& from) const;

 private:
  struct Found {
    model::Type* type = nullptr;
    Scope* package = nullptr;
    bool may_be_missing = false;  // neither was found, but a damaged declaration may be it
  };

  void import(const ast::File& file, const ast::Import& statement);
  void check_import_version(const ast::Import& statement, const model::Package& package) const;
  static Found walk(const ast::ScopedName& name, const Scope& start);
  Found in_imports(const ast::ScopedName& name, const Declared& from) const;
  bool is_of_unknown_import(const ast::ScopedName& name, const Declared& from) const;
  void report_unknown(const ast::ScopedName& name, const Declared& from) const;
  model::TypeRef array(const ast::TypeRef& ref, const Declared& from) const;

  Context& context_;
  std::map<const ast::File*, std::vector<Found>> imports_;
  std::map<const ast::File*, std::vector<const ast::Import*>> unknown_;  // import, require
  mutable Suggestions suggestions_;
};

}  // namespace shinar::sema
