#include "driver/compiled_packages.hpp"

#include <algorithm>
#include <filesystem>

#include "codegen/type_index.hpp"
#include "diagnostics/utf8.hpp"
#include "ir/validate.hpp"
#include "sema/versions.hpp"

namespace shinar::driver {
namespace {

std::string origin(const std::string& package) {
  const bool is_standard = package == "sidl" || package.starts_with("sidl.");
  return is_standard ? "sidlc's standard library" : "an input file";
}

// The packages that the types of one package name, with the versions they had then.
std::map<std::string, std::string> dependencies(const CompiledPackage& package) {
  const ir::Module& module = package.file->module;
  const std::string& name = package.name;
  codegen::TypeMentions mentions;
  for (const ir::Type& type : module.types()) {
    const bool in = type.external() == package.partial && type.package() == name;
    if (in) mentions.add_declaration(type);
  }
  const std::set<std::string> types(mentions.names().begin(), mentions.names().end());
  std::map<std::string, std::string> result;
  for (const ir::Type& type : module.types()) {
    if (types.contains(type.name()) && type.package() != name) {
      result.emplace(type.package(), type.version());
    }
  }
  return result;
}

}  // namespace

bool CompiledPackages::find(const References& references) {
  references_ = &references;
  const std::size_t errors = diagnostics_.error_count();
  // Who asks for a version goes first: the others take what is there.
  for (const bool with_version : {true, false}) {
    for (const Statement& item : references.statements) {
      if (item.version.has_value() == with_version) statement(item);
    }
  }
  for (const Reference& item : references.references) reference(item);
  while (!open_.empty()) {
    const Demand demand = open_.back();
    open_.pop_back();
    satisfy(demand);
  }
  const bool ok = diagnostics_.error_count() == errors;
  if (incomplete_) report_broken();
  return ok;
}

bool CompiledPackages::is_known(const std::string& package) const {
  return references_->declared.contains(package) || !repository_.versions_of(package).empty();
}

void CompiledPackages::statement(const Statement& statement) {
  const auto& packages = statement.reference.packages;
  const auto found =
      std::ranges::find_if(packages, [&](const std::string& name) { return is_known(name); });
  const std::string version = statement.version ? statement.version->text : "";
  Demand demand{found == packages.end() ? statement.name : *found, version,
                statement.version ? statement.version->span : statement.reference.span, nullptr};
  if (found != packages.end()) return satisfy(demand);
  // It may be a package that only holds others, which analysis will find.
  if (references_->around.contains(statement.name) || repository_.is_around(statement.name)) return;
  missing(demand);
}

void CompiledPackages::reference(const Reference& reference) {
  bool known = false;
  for (const std::string& name : reference.packages) {
    if (!is_known(name)) continue;
    known = true;
    satisfy({name, "", reference.span, nullptr});
  }
  if (!known) incomplete_ = true;
}

void CompiledPackages::satisfy(const Demand& demand) {
  const auto declared = references_->declared.find(demand.package);
  if (declared != references_->declared.end()) {
    // What the files of a run say of each other, analysis checks.
    if (demand.by != nullptr) check_version(demand, declared->second, origin(demand.package));
    return;
  }
  const auto [place, is_new] = chosen_.try_emplace(demand.package, nullptr);
  if (!is_new) {
    const CompiledPackage* present = place->second;
    if (present != nullptr && demand.by != nullptr) {
      check_version(demand, present->version, in_quotes(present->file->path));
    }
    return;
  }
  const CompiledPackage* package = choose(demand);
  if (package == nullptr) return missing(demand);
  place->second = package;
  // A package may have been compiled in pieces, which then lie side by side.
  const auto folder_of = [](const CompiledPackage* item) {
    return std::filesystem::path(item->file->path).parent_path();
  };
  for (const CompiledPackage* item : repository_.versions_of(demand.package)) {
    const bool belongs = sema::same_version(item->version, package->version) &&
                         item->partial == package->partial &&
                         (item->partial || folder_of(item) == folder_of(package));
    if (belongs) load(*item);
  }
}

const CompiledPackage* CompiledPackages::choose(const Demand& demand) {
  const CompiledPackage* best = nullptr;
  for (const CompiledPackage* item : repository_.versions_of(demand.package)) {
    if (!demand.version.empty() && !sema::same_version(item->version, demand.version)) continue;
    const bool better =
        best == nullptr || (best->partial && !item->partial) ||
        (best->partial == item->partial && sema::earlier_version(best->version, item->version));
    if (better) best = item;
  }
  return best;
}

void CompiledPackages::check_version(const Demand& demand, const std::string& present,
                                     const std::string& where) {
  if (present.empty() || sema::same_version(demand.version, present)) return;
  Diagnostic& report =
      diagnostics_.report(Code::OtherVersionCompiled, std::nullopt,
                          "the package " + in_quotes(demand.by->name) + " in " +
                              in_quotes(demand.by->file->path) + " was compiled with version " +
                              demand.version + " of the package " + in_quotes(demand.package) +
                              ", but version " + present + " is used here (from " + where + ")");
  if (!repository_.versions_of(demand.package).empty()) {
    report.note(std::nullopt, "if version " + demand.version + " is meant, write 'require " +
                                  demand.package + " version " + demand.version + ";'");
  } else {
    report.note(std::nullopt, "compile " + in_quotes(demand.by->name) + " again");
  }
}

bool CompiledPackages::is_sound(const CompiledFile& file) {
  const auto [place, is_new] = sound_.try_emplace(&file, true);
  if (!is_new) return place->second;
  const std::vector<std::string> faults = ir::validate(file.module);
  place->second = faults.empty();
  if (!faults.empty()) {
    diagnostics_.report(Code::BrokenPackage, std::nullopt,
                        "cannot use " + in_quotes(file.path) + ": it is inconsistent (" +
                            in_one_line(faults.front()) + ")");
  }
  return place->second;
}

void CompiledPackages::load(const CompiledPackage& package) {
  if (!is_sound(*package.file)) return;
  WantedPackage& wanted = packages_.emplace_back();
  wanted.file = package.file;
  wanted.name = package.name;
  for (const ir::Type& type : package.file->module.types()) {
    const bool in = type.external() == package.partial && type.package() == package.name;
    if (in && taken_.insert(type.name()).second) wanted.types.push_back(&type);
  }
  for (const auto& [name, version] : dependencies(package)) {
    open_.push_back({name, version, std::nullopt, &package});
  }
}

void CompiledPackages::missing(const Demand& demand) {
  const std::vector<const CompiledPackage*> versions = repository_.versions_of(demand.package);
  const std::string who =
      demand.by == nullptr ? "" : ", which " + in_quotes(demand.by->file->path) + " needs,";
  if (versions.empty()) {
    incomplete_ = true;
    const std::string version = demand.version.empty() ? "" : " version " + demand.version;
    add_folders(diagnostics_.report(Code::NoSuchPackage, demand.span,
                                    "the package " + in_quotes(demand.package) + version + who +
                                        " is neither in an input file nor in a repository"));
    return;
  }
  Diagnostic& report = diagnostics_.report(Code::NoSuchVersion, demand.span,
                                           "the package " + in_quotes(demand.package) + who +
                                               " is not available in version " + demand.version);
  for (const CompiledPackage* item : versions) {
    report.note(std::nullopt, "version " + item->version + " is in " + in_quotes(item->file->path));
  }
  add_folders(report);
}

void CompiledPackages::add_folders(Diagnostic& report) const {
  for (const std::string& folder : repository_.folders()) {
    report.note(std::nullopt, in_quotes(folder) + " was searched");
  }
}

// Something is missing: it may be in a file that could not be read.
void CompiledPackages::report_broken() {
  for (const Repository::Broken& file : repository_.broken()) {
    diagnostics_.report(Code::BrokenPackage, std::nullopt,
                        "cannot use " + in_quotes(file.path) + ": " + file.reason);
  }
}

}  // namespace shinar::driver
