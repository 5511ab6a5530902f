// In: an unknown type name, and its place.
// Out: the type that may have been meant.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sema/context.hpp"

namespace shinar::sema {

// A file may be full of unknown names, so types are collected once, each name is searched once, and
// the number of searches for similar names is limited.
class Suggestions {
 public:
  // `root` must stay as it is from the first find() on.
  explicit Suggestions(const Scope& root) : root_(root) {}

  std::optional<std::string> find(const ast::ScopedName& name, const Scope& from);

 private:
  void collect(const Scope& scope);
  std::optional<std::string> similar(const ast::ScopedName& name, const Scope& from);

  const Scope& root_;
  std::vector<std::string> all_;                           // full names, in the scopes' order
  std::unordered_map<std::string, std::size_t> by_local_;  // index of the first of a local name
  std::map<std::pair<std::string, const Scope*>, std::optional<std::string>> found_;
};

}  // namespace shinar::sema
