#include "driver/depfile.hpp"

namespace shinar::driver {
namespace {

std::string escaped(const std::string& path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#' || c == ':' || c == '\\') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

std::string make_rule(const std::vector<std::string>& targets,
                      const std::vector<std::string>& sources) {
  std::string rule;
  for (const std::string& target : targets) rule += (rule.empty() ? "" : " \\\n") + escaped(target);
  rule += ":";
  for (const std::string& source : sources) rule += " \\\n  " + escaped(source);
  return rule + "\n";
}

}  // namespace shinar::driver
