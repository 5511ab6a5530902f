// In: nothing.
// Out: limits of SIDL texts. Each is far above what people write and far below what would exhaust
// memory or stack, and is named in messages.
#pragma once

#include <cstddef>

namespace shinar::limits {

// Nesting of braces, parentheses and prefix operators, and parts of a dotted name: the parser is
// recursive.
inline constexpr int kNesting = 100;

// Characters of a name, of a package's full name and of a number. Every type repeats the name of
// its package, and every message the name it is about.
inline constexpr std::size_t kName = 1000;

// Spans are 32 bits wide, and dense text costs about fifty times its size in memory.
inline constexpr std::size_t kFileMegabytes = 128;
inline constexpr std::size_t kFileBytes = kFileMegabytes << 20U;

// Errors in one text after which parsing stops.
inline constexpr std::size_t kErrors = 100'000;

}  // namespace shinar::limits
