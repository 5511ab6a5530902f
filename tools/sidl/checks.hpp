/** Checks of option values that do not clutter the help with their names. */
#ifndef SIDL_TOOL_CHECKS_HPP
#define SIDL_TOOL_CHECKS_HPP

#include <CLI/CLI.hpp>

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

}  // namespace sidl_tool
#endif
