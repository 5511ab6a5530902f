// In: nothing.
// Out: the parts of --help besides the list of options, and the layout of the list.
#pragma once

#include <string>
#include <vector>

namespace shinar::driver {

inline constexpr const char* kUsageText = "sidlc ACTION [OPTION]... FILE...";
extern const char* const kHelpHeader;
extern const char* const kHelpFooter;

// The column at which descriptions begin.
inline constexpr int kHelpColumn = 36;

// A description, broken into lines that fit right of that column.
std::string wrapped(const std::string& description);

std::string joined(const std::vector<std::string>& words, const std::string& separator);

}  // namespace shinar::driver
