/**
 * Messages about misspelt commands and options, and words too many.
 */
#ifndef SIDL_TOOL_MISSPELT_HPP
#define SIDL_TOOL_MISSPELT_HPP

#include <CLI/CLI.hpp>
#include <string>

namespace sidl_tool {

/** The message for a word that is no command or option, or is one too many, where parsing failed
    with `error`; empty: it was for another reason. */
std::string misspelt(const CLI::App& app, const CLI::ParseError& error);

}  // namespace sidl_tool
#endif
