// In: a name the user chose.
// Out: diagnostics when a target language, or SIDL itself, could not live with it.
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

// The extension of an overload, which should not look like what bindings append themselves.
void check_extension(const ast::Name& extension, Diagnostics& diagnostics);

// The names of one scope, to be told apart without regard to case.
class NameSet {
 public:
  // False, and a diagnostic, when the name is taken. `what` says what it is: "argument".
  bool add(const ast::Name& name, std::string_view what, Diagnostics& diagnostics);

 private:
  std::map<std::string, ast::Name> names_;
};

void report_collision(const ast::Name& name, std::string_view what, const ast::Name& previous,
                      Diagnostics& diagnostics);

}  // namespace shinar::sema
