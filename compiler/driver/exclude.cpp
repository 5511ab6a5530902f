#include "driver/exclude.hpp"

#include <algorithm>
#include <regex>

namespace shinar::driver {

std::string check_excludes(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    try {
      const std::regex ignored(pattern);
    } catch (const std::regex_error& error) {
      return "--exclude: '" + pattern + "' is not a valid regular expression (" + error.what() +
             ")";
    }
  }
  return {};
}

void exclude(ir::Module& module, const std::vector<std::string>& patterns) {
  std::vector<std::regex> expressions;
  for (const std::string& pattern : patterns) expressions.emplace_back(pattern);
  for (ir::Type& type : *module.mutable_types()) {
    const bool matches = std::ranges::any_of(expressions, [&](const std::regex& expression) {
      return std::regex_match(type.name(), expression);
    });
    if (matches) type.set_external(true);
  }
}

}  // namespace shinar::driver
