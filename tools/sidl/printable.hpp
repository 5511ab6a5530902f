/** Texts of peers and files on a terminal. */
#ifndef SIDL_TOOL_PRINTABLE_HPP
#define SIDL_TOOL_PRINTABLE_HPP

#include <string>

namespace sidl_tool {

/** What would act on a terminal becomes visible instead; ends of lines stay. */
std::string printable(const std::string& text);

/** The same of a message that may have several lines: none of them looks like one of ours. */
std::string indented(const std::string& text);

/** The same of what is part of one line, as names are: ends of lines become visible, too. */
std::string in_one_line(const std::string& text);

/** The same of JSON, which stays what it is. */
std::string printable_json(const std::string& json);

}  // namespace sidl_tool
#endif
