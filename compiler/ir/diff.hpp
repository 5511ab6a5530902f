// In: two versions of an interface.
// Out: what in the new one breaks users of the old one.
//
// Consequences are not listed: changes of inherited members are reported for the parent only.
// Contracts and attribute lists are not compared.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::ir {

inline constexpr std::uint8_t kSource = 1;
inline constexpr std::uint8_t kBinary = 2;
inline constexpr std::uint8_t kWire = 4;

// Names of the three, also on the command line.
inline constexpr std::pair<std::uint8_t, std::string_view> kBreakageNames[] = {
    {kSource, "source"}, {kBinary, "binary"}, {kWire, "wire"}};

enum class Rule : std::uint8_t {
#define BREAKING_RULE(id, breaks, summary) id,
#include "ir/breaking_rules.def"
#undef BREAKING_RULE
};

struct RuleInfo {
  std::string_view id;
  std::uint8_t breaks;  // kSource, kBinary, kWire
  std::string_view summary;
};

const RuleInfo& info(Rule rule);

struct Change {
  Rule rule;
  std::string message;
  bool in_old = false;  // `span` is in the old version, as for removed items
  Span span;
};

// Types that are external in a module are not part of that version.
std::vector<Change> breaking_changes(const Module& before, const Module& after);

}  // namespace shinar::ir
