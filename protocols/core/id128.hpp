/**
 * Unguessable random numbers that identify sessions, servers and chains of calls.
 */
#ifndef SHINAR_CORE_ID128_HPP
#define SHINAR_CORE_ID128_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace shinar::wire {

using Id128 = std::array<std::byte, 16>;

/** Fills it with bytes from the kernel's random number generator. */
void fill_random(std::span<std::byte> bytes);

/** 128 bits from the kernel's random number generator. */
Id128 random_id();

/** The first `bytes` as hexadecimal digits. */
std::string digits_of(const Id128& id, std::size_t bytes = std::tuple_size_v<Id128>);

}  // namespace shinar::wire
#endif
