/**
 * Readable JSON: lists of numbers stay on one line.
 */
#ifndef SIDL_TOOL_PRETTY_HPP
#define SIDL_TOOL_PRETTY_HPP

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sidl_tool {

std::string pretty(const nlohmann::ordered_json& value);

/** The same without any blanks. */
std::string compact(const nlohmann::ordered_json& value);

}  // namespace sidl_tool
#endif
