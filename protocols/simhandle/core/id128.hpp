/**
 * Random numbers that nobody guesses, by which sessions, servers and chains of calls are known.
 */
#ifndef SIMHANDLE_ID128_HPP
#define SIMHANDLE_ID128_HPP

#include <array>
#include <cstddef>

namespace simhandle {

using Id128 = std::array<std::byte, 16>;
/** Of a chain of calls: see chain.hpp. */
using ChainId = Id128;

/** 128 bits from the kernel's random numbers. */
Id128 random_id();

}  // namespace simhandle
#endif
