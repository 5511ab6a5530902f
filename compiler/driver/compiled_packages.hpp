// In: what the files of a run refer to, and a repository.
// Out: the SIDL text of every compiled package that is needed, directly or not, each in one
// version that suits all who ask for it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "driver/references.hpp"
#include "driver/repository.hpp"

namespace shinar::driver {

struct PackageText {
  std::string path;  // of the file it comes from
  std::string text;
};

class CompiledPackages {
 public:
  CompiledPackages(const Repository& repository, Diagnostics& diagnostics)
      : repository_(repository), diagnostics_(diagnostics) {}

  // False, and diagnostics, if something is missing, broken or incompatible.
  bool find(const References& references);

  const std::vector<PackageText>& texts() const { return texts_; }

 private:
  struct Demand {
    std::string package;
    std::string version;  // "": any
    std::optional<Span> span;
    const CompiledPackage* by = nullptr;  // none: a file of the run
  };

  void statement(const Statement& statement);
  void reference(const Reference& reference);
  void satisfy(const Demand& demand);
  const CompiledPackage* choose(const Demand& demand);
  void check_version(const Demand& demand, const std::string& present, const std::string& where);
  bool is_sound(const CompiledFile& file);
  void load(const CompiledPackage& package);
  void missing(const Demand& demand);
  void report_broken();
  bool is_known(const std::string& package) const;
  void add_folders(Diagnostic& report) const;

  const Repository& repository_;
  Diagnostics& diagnostics_;
  const References* references_ = nullptr;
  std::map<std::string, const CompiledPackage*> chosen_;
  std::vector<Demand> open_;
  std::set<std::string> taken_;  // types
  std::map<const CompiledFile*, bool> sound_;
  std::vector<PackageText> texts_;
  bool incomplete_ = false;
};

}  // namespace shinar::driver
