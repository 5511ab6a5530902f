// In: declarations of enums, structs and methods.
// Out: their model: values numbered, member and argument types resolved.
#pragma once

#include "sema/resolver.hpp"

namespace shinar::sema {

void fill_enum(const ast::Enum& body, model::Type& type, Diagnostics& diagnostics);
void fill_struct(const ast::Struct& body, const Declared& declared, const Resolver& resolver,
                 Diagnostics& diagnostics);
// Also collects the from clauses in declared.renames.
void fill_methods(const ast::Object& body, Declared& declared, const Resolver& resolver,
                  Diagnostics& diagnostics);

}  // namespace shinar::sema
