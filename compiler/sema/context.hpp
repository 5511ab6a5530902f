// In: the units of a run; each pass of the analysis adds its results.
// Out: scopes for name lookup, and for every type its model and its declaration.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "sema/analyze.hpp"

namespace shinar::sema {

// The scope of a package. The root has no package and no outer scope.
struct Scope {
  struct Entry {
    std::string name;
    Span span;
    Scope* package = nullptr;     // either this
    model::Type* type = nullptr;  // or this
  };

  Scope* outer = nullptr;
  model::Package* package = nullptr;
  std::map<std::string, Entry> entries;  // by name in lower case
  std::vector<std::unique_ptr<Scope>> inner;
  bool holds_types = false;
  bool is_damaged = false;          // names may be missing
  bool version_is_written = false;  // false: taken from an inner package's dotted name
  Span version_span;

  const Entry* find(std::string_view name) const;  // exact spelling only
};

// A type with its declaration and scope.
struct Declared {
  model::Type* type = nullptr;
  ast::Declaration* declaration = nullptr;
  const Unit* unit = nullptr;
  Scope* scope = nullptr;
  // The interfaces whose methods `implements-all` declares.
  struct ImplementsAll {
    const model::Type* interface;
    Span span;
  };
  std::vector<ImplementsAll> implements_all;
  // The from clauses of its methods, where their interface is known.
  struct Rename {
    model::Method* method;
    const model::Type* interface;
    std::string long_name;  // in the interface
    Span span;
  };
  std::vector<Rename> renames;
};

class Resolver;

struct Context {
  Context(const std::vector<Unit>& units, Diagnostics& diagnostics)
      : units(units), diagnostics(diagnostics) {}

  const std::vector<Unit>& units;
  Diagnostics& diagnostics;
  model::Model model;
  Scope root;
  std::vector<Declared> declared;  // parallel to model.types

  // Static methods by Method::key.
  std::unordered_map<const model::Type*, std::unordered_map<std::string_view, const model::Method*>>
      statics;

  // Declarations of placeholders for standard types whose declaration is damaged.
  std::deque<ast::Declaration> stand_ins;
  ast::File no_file;
  Unit no_unit{&no_file, true};

  model::Type* base_interface = nullptr;
  model::Type* base_class = nullptr;
  model::Type* base_exception = nullptr;
  model::Type* runtime_exception = nullptr;
  model::Type* serializable = nullptr;  // null when a replacement of package sidl lacks it
};

// Limits the total number of method table entries.
class TableBudget {
 public:
  explicit TableBudget(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  // False, with an error, if the type's entries exceed the limit.
  bool take(const model::Type& type);

 private:
  Diagnostics& diagnostics_;
  std::size_t entries_ = 0;
};

std::string lower(std::string_view text);

// The passes, in the order in which they run.
void declare(Context& context);                                    // packages and type names
void resolve_parents(Context& context, const Resolver& resolver);  // extends, implements
void resolve_members(Context& context, const Resolver& resolver);  // enums, structs, signatures
void sort_types(Context& context);                                 // model.order; cycles
void limit_levels(Context& context);                               // removes from model.order
void limit_structs(Context& context);
void build_method_tables(Context& context);
void check_throws(Context& context);
void check_remote_rules(Context& context);
void check_known_attributes(Context& context);
void resolve_contracts(Context& context);  // invariant, require, ensure

}  // namespace shinar::sema
