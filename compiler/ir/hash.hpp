// In: a text.
// Out: its FNV-1a hash of 64 bits: type ids and method digests, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace shinar::ir {

constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3U;
  }
  return hash;
}

}  // namespace shinar::ir
