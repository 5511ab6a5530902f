// In: nothing; what --help says beyond the list of options.
// Out: its parts, and the shape of the list.
#pragma once

#include <string>
#include <vector>

namespace shinar::driver {

inline constexpr const char* kUsageText = "sidlc ACTION [OPTION]... FILE...";
extern const char* const kHelpHeader;
extern const char* const kHelpFooter;

// Where descriptions begin.
inline constexpr int kHelpColumn = 36;

// A description in lines that fit behind that column.
std::string wrapped(const std::string& description);

std::string joined(const std::vector<std::string>& words, const std::string& separator);

}  // namespace shinar::driver
