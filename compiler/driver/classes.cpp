#include "driver/classes.hpp"

#include <algorithm>

#include "diagnostics/spelling.hpp"

namespace shinar::driver {
namespace {

bool is_class(const ir::Type& type) {
  return type.has_object() && type.object().kind() == ir::Object::CLASS;
}

// Why no code can be generated for the class called `name`; empty if it can.
std::string refusal(const ir::Module& module, const std::string& name) {
  const auto& types = module.types();
  const auto found = std::ranges::find(types, name, &ir::Type::name);
  if (found == types.end()) {
    std::vector<std::string> candidates;
    for (const ir::Type& type : types) {
      if (is_class(type) && !type.external()) candidates.push_back(type.name());
    }
    if (name.find(',') != std::string::npos) {
      return "unknown class '" + name + "'; classes are separated by ';'";
    }
    const std::optional<std::string> meant = closest(name, candidates);
    return "unknown class '" + name + "'" + (meant ? "; did you mean '" + *meant + "'?" : "");
  }
  if (!is_class(*found)) return "'" + name + "' is not a class, so there is nothing to implement";
  if (!found->external()) return {};
  return "no code is generated for '" + name +
         "' in this run: name its .sidl file without --include";
}

}  // namespace

bool check_classes(const ir::Module& module, const std::vector<std::string>& names,
                   Diagnostics& diagnostics) {
  bool ok = true;
  for (const std::string& name : names) {
    const std::string why = refusal(module, name);
    if (why.empty()) continue;
    diagnostics.report(Code::NoSuchClass, std::nullopt, "--classes: " + why);
    ok = false;
  }
  return ok;
}

}  // namespace shinar::driver
