// In: what a run was asked for, and a language with files for each type.
// Out: its files, each with its banner.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "codegen/backend.hpp"
#include "codegen/banner.hpp"
#include "codegen/package_header.hpp"
#include "codegen/printer.hpp"
#include "codegen/splicers.hpp"
#include "codegen/type_index.hpp"

namespace shinar::codegen {

class TypeFiles {
 public:
  using Emit = std::function<void(Printer&)>;

  TypeFiles(const Request& request, const TypeIndex& index, CommentStyle style)
      : request_(request), index_(index), style_(style) {}

  // "demo_Solver.h": the type's symbol and `suffix`.
  void add(const ir::Type& type, const std::string& suffix, const std::string& about,
           const Emit& emit);
  // The same, with splicer blocks that belong to the user.
  void add_impl(const ir::Type& type, const std::string& suffix, const std::string& about,
                const Emit& emit);
  // "demo_Stub.c": the package's symbol and `suffix`, of each package of users' that has types.
  using EmitPackage = std::function<void(Printer&, const PackagePlan&)>;
  void add_packages(const std::string& suffix, const std::string& about, const EmitPackage& emit);
  void add_package_headers(const PackageHeaders& headers);

  Result take() { return std::move(result_); }

 private:
  const Request& request_;
  const TypeIndex& index_;
  CommentStyle style_;
  Result result_;
};

}  // namespace shinar::codegen
