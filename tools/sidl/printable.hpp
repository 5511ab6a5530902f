/**
 * Makes texts of peers and files safe for a terminal.
 */
#ifndef SIDL_TOOL_PRINTABLE_HPP
#define SIDL_TOOL_PRINTABLE_HPP

#include <string>

namespace sidl_tool {

/** Escapes terminal control characters, except newlines. */
std::string printable(const std::string& text);

/** Writes the same to standard output. */
void put_printable(const std::string& text);

/** The same for a message of several lines, indented so that none looks like one of ours. */
std::string indented(const std::string& text);

/** The same for text within one line, such as names: newlines, too. */
std::string in_one_line(const std::string& text);

/** The same for JSON, which stays equivalent. */
std::string printable_json(const std::string& json);

}  // namespace sidl_tool
#endif
