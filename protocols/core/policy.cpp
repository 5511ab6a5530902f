#include "policy.hpp"

#include <algorithm>
#include <utility>

namespace shinar::wire {
namespace {

/** "*" stands for any characters, none included. */
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t at = 0, in = 0;
  std::size_t star = std::string_view::npos, resume = 0;  // of the last star
  while (in < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resume = in;
    } else if (at < pattern.size() && pattern[at] == name[in]) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

const std::string* first_that_fits(const std::vector<std::string>& patterns,
                                   std::string_view name) {
  const auto at = std::ranges::find_if(
      patterns, [name](const std::string& pattern) { return fits(pattern, name); });
  return at == patterns.end() ? nullptr : &*at;
}

}  // namespace

Patterns::Patterns(std::vector<std::string> patterns) {
  for (std::string& each : patterns) {
    if (each.starts_with('!')) {
      exceptions_.push_back(each.substr(1));
    } else {
      patterns_.push_back(std::move(each));
    }
  }
}

bool Patterns::fit(std::string_view name) const {
  return first_that_fits(patterns_, name) != nullptr &&
         first_that_fits(exceptions_, name) == nullptr;
}

std::string Patterns::deciding(std::string_view name) const {
  if (const std::string* const exception = first_that_fits(exceptions_, name)) {
    return "!" + *exception;
  }
  const std::string* const pattern = first_that_fits(patterns_, name);
  return pattern == nullptr ? "" : *pattern;
}

std::shared_ptr<const Role> Policy::role_of(const Identity& identity) const {
  const std::string who = identity.name.empty() ? "" : identity.proof + ":" + identity.name;
  const auto has = [&](const auto& role) {
    return role->who.fit("anyone") || (!who.empty() && role->who.fit(who));
  };
  const auto at = std::ranges::find_if(roles_, has);
  return at == roles_.end() ? nullptr : *at;
}

}  // namespace shinar::wire
