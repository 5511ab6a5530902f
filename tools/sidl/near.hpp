/**
 * Suggestions for misspelt names.
 */
#ifndef SIDL_TOOL_NEAR_HPP
#define SIDL_TOOL_NEAR_HPP

#include <string>
#include <vector>

namespace sidl_tool {

/** " (did you mean 'solve' or 'solver'?)", or nothing when no candidate is near. */
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace sidl_tool
#endif
