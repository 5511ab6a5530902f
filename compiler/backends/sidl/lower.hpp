// In: a module.
// Out: what its text will hold, in the order of the text: packages within packages, types in them,
// and how each name is spelled where it is used.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backends/sidl/sidl.hpp"
#include "ir/ir.hpp"

namespace shinar::backends::sidl {

struct PackageModel {
  const ir::Package* package = nullptr;
  std::string name;     // as it is written: "b", or "a.b" for two packages in one
  std::string version;  // "" if it is that of the enclosing package
  using Item = std::variant<const ir::Type*, std::unique_ptr<PackageModel>>;
  std::vector<Item> items;
};

struct FileModel {
  std::vector<const ir::Package*> requires_;  // foreign packages, in the order of their names
  std::vector<std::unique_ptr<PackageModel>> packages;
};

// The packages that hold types of the module's own, or `outermost` alone if it is not empty.
FileModel lower(const ir::Module& module, std::string_view outermost = {});

// Spells names as the resolver of sema will find them: from the package outwards.
class Spelling {
 public:
  explicit Spelling(const ir::Module& module);

  // The type called `absolute`, named inside `package`.
  std::string operator()(const std::string& absolute, std::string_view package) const;

 private:
  std::string_view found(std::string_view name, std::string_view package) const;

  std::map<std::string, std::string, std::less<>> package_of_;  // of each type
};

}  // namespace shinar::backends::sidl
