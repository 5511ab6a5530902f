#include "backends/sidl/lower.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "codegen/type_index.hpp"

namespace shinar::backends::sidl {
namespace {

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

Place place(const ir::Span& span) {
  return {span.file(), span.line(), span.column()};
}

Place place(const PackageModel::Item& item) {
  if (const auto* type = std::get_if<const ir::Type*>(&item)) return place((*type)->span());
  return place(std::get<std::unique_ptr<PackageModel>>(item)->package->span());
}

std::string_view outer_of(std::string_view package) {
  const std::size_t dot = package.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : package.substr(0, dot);
}

std::string_view outermost_of(std::string_view package) {
  return package.substr(0, package.find('.'));
}

class Lowering {
 public:
  explicit Lowering(const ir::Module& module) : module_(module) {}

  std::vector<std::unique_ptr<PackageModel>> packages(std::string_view outermost);
  std::vector<const ir::Package*> foreign(std::string_view outermost) const;

 private:
  std::unique_ptr<PackageModel> package(const ir::Package& from, std::string_view outer_version);
  static void collapse(PackageModel& model);

  const ir::Module& module_;
};

std::vector<std::unique_ptr<PackageModel>> Lowering::packages(std::string_view outermost) {
  std::vector<std::unique_ptr<PackageModel>> result;
  for (const ir::Package& item : module_.packages()) {
    if (item.external() || !outer_of(item.name()).empty()) continue;
    if (!outermost.empty() && item.name() != outermost) continue;
    result.push_back(package(item, {}));
  }
  return result;
}

// Items are in source order; if the module has no source positions, in the order of the module.
std::unique_ptr<PackageModel> Lowering::package(const ir::Package& from,
                                                std::string_view outer_version) {
  auto result = std::make_unique<PackageModel>();
  result->package = &from;
  result->name = from.name().substr(from.name().rfind('.') + 1);
  if (from.version() != outer_version) result->version = from.version();
  for (const ir::Type& type : module_.types()) {
    if (!type.external() && type.package() == from.name()) result->items.emplace_back(&type);
  }
  for (const ir::Package& inner : module_.packages()) {
    if (inner.external() || outer_of(inner.name()) != from.name()) continue;
    result->items.emplace_back(package(inner, from.version()));
  }
  std::ranges::stable_sort(result->items, {}, [](const auto& item) { return place(item); });
  collapse(*result);
  return result;
}

// A package that only contains one other package: "package a.b version 1.0".
void Lowering::collapse(PackageModel& model) {
  const ir::Package& outer = *model.package;
  const bool says_something = !outer.doc().empty() || outer.final() || outer.attributes_size() > 0;
  if (says_something || model.items.size() != 1) return;
  auto* only = std::get_if<std::unique_ptr<PackageModel>>(&model.items.front());
  if (only == nullptr || !(*only)->version.empty()) return;
  PackageModel inner = std::move(**only);
  inner.name = model.name + "." + inner.name;
  inner.version = model.version;
  model = std::move(inner);
}

// Package sidl is always available and needs no import.
std::vector<const ir::Package*> Lowering::foreign(std::string_view outermost) const {
  codegen::TypeMentions mentions;
  for (const ir::Type& type : module_.types()) {
    const bool wanted = outermost.empty() || outermost_of(type.package()) == outermost;
    if (type.external() || !wanted) continue;
    mentions.add_declaration(type);
  }
  std::unordered_map<std::string_view, std::string_view> package_of;
  for (const ir::Type& type : module_.types()) package_of.emplace(type.name(), type.package());
  std::set<std::string_view> names;
  for (const std::string& name : mentions.names()) names.insert(package_of[name]);
  std::vector<const ir::Package*> result;
  for (const ir::Package& item : module_.packages()) {
    const bool is_foreign =
        outermost.empty() ? item.external() : outermost_of(item.name()) != outermost;
    const bool needs_a_word = is_foreign && outermost_of(item.name()) != "sidl";
    if (needs_a_word && names.contains(item.name())) result.push_back(&item);
  }
  std::ranges::sort(result, {}, [](const ir::Package* item) { return item->name(); });
  return result;
}

}  // namespace

FileModel lower(const ir::Module& module, std::string_view outermost) {
  FileModel result;
  Lowering lowering(module);
  result.requires_ = lowering.foreign(outermost);
  result.packages = lowering.packages(outermost);
  return result;
}

Spelling::Spelling(const ir::Module& module) {
  for (const ir::Type& type : module.types()) package_of_.emplace(type.name(), type.package());
}

// The type that `name` means inside `package`, or nothing.
std::string_view Spelling::found(std::string_view name, std::string_view package) const {
  while (true) {
    const std::string full =
        package.empty() ? std::string(name) : std::string(package) + "." + std::string(name);
    const auto entry = package_of_.find(full);
    if (entry != package_of_.end()) return entry->first;
    if (package.empty()) return {};
    package = outer_of(package);
  }
}

std::string Spelling::operator()(const std::string& absolute, std::string_view package) const {
  const auto entry = package_of_.find(absolute);
  const bool is_near = entry != package_of_.end() && entry->second == package;
  if (is_near) return absolute.substr(package.size() + 1);
  if (found(absolute, package) == absolute) return absolute;
  return "." + absolute;
}

}  // namespace shinar::backends::sidl
