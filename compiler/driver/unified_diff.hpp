// In: two versions of a text.
// Out: their differences as `diff -u` shows them and `patch` understands them; nothing if they are
// equal. Short rather than shortest: lines are matched with the next equal ones.
#pragma once

#include <string>
#include <string_view>

namespace shinar::driver {

std::string unified_diff(const std::string& name, std::string_view before, std::string_view after);

}  // namespace shinar::driver
