// In: the ASTs of a run.
// Out: the packages they declare, and the packages that the names in them may refer to.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sema/analyze.hpp"

namespace shinar::driver {

// One name in the source. It is a type in one of the packages or (in an import or require
// statement) the package itself; analysis decides which.
struct Reference {
  std::vector<std::string> packages;  // nearest first, all absolute
  Span span;
};

struct Statement {
  Reference reference;
  std::string name;
  std::optional<ast::Version> version;
};

struct References {
  std::map<std::string, std::string> declared;  // packages with their own body, and versions
  std::set<std::string> around;                 // packages that only contain packages
  std::vector<Statement> statements;            // import, require
  std::vector<Reference> references;            // no duplicates within one package
};

References references_of(const std::vector<Unit>& units);

}  // namespace shinar::driver
