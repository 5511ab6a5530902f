// The yardsticks of remote calls, by a word on the command line: the port of bench_raw_server,
// "spins:" or "sleeps:" and where its shared memory is, "tls:" and a port, or "ucx:" and the port
// where it waits for UCX's addresses.
#pragma once

#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "raw_shared.hpp"
#include "raw_socket.hpp"
#ifdef BENCH_TLS
#include "raw_tls.hpp"
#endif
#ifdef BENCH_UCX
#include "raw_ucx.hpp"
#endif

namespace raw {

/**
 * Sends `count` doubles and receives as many, none if `flags` is `kept`, one if it is `packed`;
 * returns how many came.
 */
using RoundTrip = std::function<std::size_t(const double* values, std::size_t count,
                                            std::uint64_t flags, std::vector<double>& received)>;

template <class Connection>
RoundTrip round_trip(std::shared_ptr<Connection> connection) {
  return [connection](const double* values, std::size_t count, std::uint64_t flags,
                      std::vector<double>& received) {
    connection->send(values, count, flags);
    if (!connection->receive(received, count)) throw std::runtime_error("no raw answer");
    return count;
  };
}

inline RoundTrip yardstick(const std::string& word) {
  const std::size_t colon = word.find(':');
  const std::string how = colon == std::string::npos ? "" : word.substr(0, colon);
  const std::string where = word.substr(colon == std::string::npos ? 0 : colon + 1);
  const auto socket = [&] { return connect_to(static_cast<uint16_t>(std::stoi(where))); };
  if (how.empty()) return round_trip(std::make_shared<Connection>(socket()));
#ifdef BENCH_TLS
  if (how == "tls") return round_trip(std::make_shared<Tls>(socket(), false));
#endif
#ifdef BENCH_UCX
  if (how == "ucx") return round_trip(std::make_shared<Ucx>(socket()));
#endif
  return round_trip(std::make_shared<Shared>(where, false, how == "sleeps"));
}

}  // namespace raw
