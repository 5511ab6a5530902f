// In: two versions of a text.
// Out: their differences in the format of `diff -u` and `patch`; empty if they are equal. Not
// always the shortest diff: lines are matched with the next equal ones.
#pragma once

#include <string>
#include <string_view>

namespace shinar::driver {

std::string unified_diff(const std::string& name, std::string_view before, std::string_view after);

}  // namespace shinar::driver
