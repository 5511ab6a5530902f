/**
 * Messages about misspelt commands and options, and words too many.
 */
#ifndef SIDL_TOOL_MISSPELT_HPP
#define SIDL_TOOL_MISSPELT_HPP

#include <CLI/CLI.hpp>
#include <string>

namespace sidl_tool {

/** The message for a word that is not a command or option after a failed parse; empty: none. */
std::string misspelt(const CLI::App& app);

}  // namespace sidl_tool
#endif
