// In: a module of the IR.
// Out: which of its types share a Fortran module because they need each other, and which packages a
// file.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/plan.hpp"
#include "codegen/type_index.hpp"
#include "ir/ir.hpp"

namespace shinar::backends::fortran {

// Names of the types that the module of a type needs.
std::vector<std::string> mentions_of(const codegen::TypeIndex& index, const ir::Type& type);

// Names of the structs that arrays of the type's members, arguments and results may have as
// elements: those of an array<> are taken to be among what the type mentions.
std::vector<std::string> array_structs_of(const codegen::TypeIndex& index, const ir::Type& type);

// Groups of types that need each other, directly or not. They do not depend on what this run
// generates: the IR has all that a type depends on.
class Groups {
 public:
  explicit Groups(const codegen::TypeIndex& index);

  // The groups, each behind those it needs, and in each the order of the IR: parents first.
  const std::vector<std::vector<const ir::Type*>>& all() const { return groups_; }

  // The modules of a package's types, in the order of the types.
  std::vector<std::string> modules_of(const std::string& package) const {
    const auto found = modules_of_.find(package);
    return found == modules_of_.end() ? std::vector<std::string>() : found->second;
  }

  // The numbers of the groups that have a type of a package.
  const std::set<std::size_t>& groups_of(const std::string& package) const {
    static const std::set<std::size_t> none;
    const auto found = groups_of_.find(package);
    return found == groups_of_.end() ? none : found->second;
  }

  // The module that a type is in.
  const std::string& module_of(const std::string& type) const { return modules_.at(type); }

 private:
  void add(std::vector<std::size_t> numbers,
           const google::protobuf::RepeatedPtrField<ir::Type>& types);

  std::vector<std::vector<const ir::Type*>> groups_;
  std::unordered_map<std::string_view, std::set<std::size_t>> groups_of_;      // by package
  std::unordered_map<std::string_view, std::string> modules_;                  // by type
  std::unordered_map<std::string_view, std::vector<std::string>> modules_of_;  // by package
};

// Packages whose modules need each other, directly or not, share a file: those to generate.
std::vector<std::vector<codegen::PackagePlan>> files_of(const codegen::TypeIndex& index,
                                                        const Groups& groups);

}  // namespace shinar::backends::fortran
