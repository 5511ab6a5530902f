/**
 * How well a server can be reached at one of its addresses: over a connection, and in a session, of
 * its own, so that nothing else is disturbed.
 */
#ifndef SHINAR_CORE_PROBE_HPP
#define SHINAR_CORE_PROBE_HPP

#include <chrono>
#include <string>

#include "id128.hpp"
#include "limits.hpp"
#include "url.hpp"

namespace shinar::wire {

struct Probe {
  std::chrono::duration<double> round_trip{};  ///< median of several
  double bytes_per_second = 0;                 ///< from here to there, with large arrays
  std::string carriers{};                      ///< see Channel
};

/**
 * Throws Error if nobody, or another server, is there, or it takes longer than until then.
 */
Probe probe(const Endpoint& at, const Id128& server, const Limits& limits,
            std::chrono::steady_clock::time_point until);

}  // namespace shinar::wire
#endif
