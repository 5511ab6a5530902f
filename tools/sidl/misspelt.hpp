/** A command line with a word that the program does not know: what may have been meant. */
#ifndef SIDL_TOOL_MISSPELT_HPP
#define SIDL_TOOL_MISSPELT_HPP

#include <CLI/CLI.hpp>
#include <string>

namespace sidl_tool {

/** What to say after a failed parse of a word that is no command or no option; empty: nothing. */
std::string misspelt(const CLI::App& app);

}  // namespace sidl_tool
#endif
