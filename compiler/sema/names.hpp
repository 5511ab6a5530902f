// In: a name chosen by the user.
// Out: diagnostics if it is not usable in a target language or in SIDL itself.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"

namespace shinar::sema {

// The languages that reserve the word, "C and Java", or nothing.
std::string reserved_by(std::string_view word);

void check_reserved(const ast::Name& name, Diagnostics& diagnostics);
// Packages and types: reserved words and underscores.
void check_type_name(const ast::Name& name, Diagnostics& diagnostics);

// The extension of an overload, which should not look like suffixes that bindings append.
void check_extension(const ast::Name& extension, Diagnostics& diagnostics);

// The names of one scope, which must differ in more than case.
class NameSet {
 public:
  // False, and a diagnostic, if the name is taken. `what` is the kind of thing named: "argument".
  bool add(const ast::Name& name, std::string_view what, Diagnostics& diagnostics);

 private:
  std::map<std::string, ast::Name> names_;
};

void report_collision(const ast::Name& name, std::string_view what, const ast::Name& previous,
                      Diagnostics& diagnostics);

}  // namespace shinar::sema
