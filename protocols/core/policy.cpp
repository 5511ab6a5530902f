#include "policy.hpp"

#include <algorithm>
#include <utility>

#include "error.hpp"

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

Patterns::Decision Patterns::decide(std::span<const std::string> names) const {
  for (const std::string& name : names) {
    const std::string* const exception = first_that_fits(exceptions_, name);
    if (exception != nullptr) return {false, "!" + *exception};
  }
  for (const std::string& name : names) {
    const std::string* const pattern = first_that_fits(patterns_, name);
    if (pattern != nullptr) return {true, *pattern};
  }
  return {};
}

bool Patterns::has(std::string_view text) const {
  return std::ranges::find(patterns_, text) != patterns_.end();
}

bool Patterns::is_for_nothing() const {
  // A "*" of the pattern is then matched by one of the exception, which stands for as much.
  return std::ranges::all_of(patterns_, [this](const std::string& pattern) {
    return first_that_fits(exceptions_, pattern) != nullptr;
  });
}

std::vector<std::string> Patterns::texts() const {
  std::vector<std::string> all = patterns_;
  for (const std::string& each : exceptions_) all.push_back("!" + each);
  return all;
}

bool Role::fits(const Identity& identity) const {
  if (identity.name.empty()) return who.has(anyone);
  const Patterns::Decision decision = who.decide(identity.proof + ":" + identity.name);
  return decision.is_allowed || (decision.pattern.empty() && who.has(anyone));
}

std::string text_of(const Identity& identity) {
  if (identity.name.empty()) return "a client that has proved nothing";
  return in_one_line(identity.proof + ":" + identity.name);
}

std::shared_ptr<const Role> Policy::role_of(const Identity& identity) const {
  const auto at =
      std::ranges::find_if(roles_, [&](const auto& role) { return role->fits(identity); });
  return at == roles_.end() ? nullptr : *at;
}

}  // namespace shinar::wire
