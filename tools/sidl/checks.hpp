/**
 * Option validators whose names do not clutter the help.
 */
#ifndef SIDL_TOOL_CHECKS_HPP
#define SIDL_TOOL_CHECKS_HPP

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "near.hpp"

namespace sidl_tool {

inline CLI::Validator positive() {
  return CLI::Validator(CLI::PositiveNumber).description("");
}

inline CLI::Validator not_negative() {
  return CLI::Validator(CLI::NonNegativeNumber).description("");
}

template <class Number>
CLI::Validator between(Number lowest, Number highest) {
  return CLI::Validator(CLI::Range(lowest, highest)).description("");
}

inline CLI::Validator one_of(const std::vector<std::string>& values) {
  const auto check = [values](const std::string& text) -> std::string {
    if (std::find(values.begin(), values.end(), text) != values.end()) return "";
    std::string list;
    for (const std::string& each : values) list += (list.empty() ? "" : ", ") + each;
    return "'" + text + "' is not one of " + list + did_you_mean(text, values);
  };
  return CLI::Validator(check, "");
}

}  // namespace sidl_tool
#endif
