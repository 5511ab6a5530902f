// In: the ASTs of a run.
// Out: the packages they declare, and the packages that the names in them may lead to.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sema/analyze.hpp"

namespace shinar::driver {

// One name of the text. It means a type in one of the packages, or (in an import or require
// statement) the package itself; which one, analysis decides.
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
  std::map<std::string, std::string> declared;  // packages with a body of their own, and versions
  std::set<std::string> around;                 // packages that only hold others
  std::vector<Statement> statements;            // import, require
  std::vector<Reference> references;            // without repetition in one package
};

References references_of(const std::vector<Unit>& units);

}  // namespace shinar::driver
