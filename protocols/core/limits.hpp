/**
 * All limits of the protocol; those with a setting are described in sidl_settings.def.
 *
 * An error about a limit names its value and the setting: see Limits::exceeded.
 */
#ifndef SHINAR_CORE_LIMITS_HPP
#define SHINAR_CORE_LIMITS_HPP

#include <atomic>
#include <cstdint>
#include <string>

#include "error.hpp"

namespace shinar::wire {

/** Defaults. */
namespace standard {
#define SIDL_SETTING(name, standard, lowest, highest, unit, option, about) \
  constexpr auto name = standard;
#include "sidl_settings.def"
#undef SIDL_SETTING
}  // namespace standard

/** Limits of a single value, checked when it is packed and when it is unpacked. */
struct ValueLimits {
  std::uint64_t elements = standard::RMI_MAX_ELEMENTS;  ///< of an array
  std::uint64_t string_bytes = standard::RMI_MAX_STRING;

  /** The defaults, overridden by the environment; read once. */
  static const ValueLimits& of_process() {
    const ValueLimits* const known = of_process_.load(std::memory_order_acquire);
    return known != nullptr ? *known : find_of_process();
  }

  void check_elements(std::uint64_t count) const {
    if (count > elements) {
      throw_exceeded("elements of an array", elements, count, "SIDL_RMI_MAX_ELEMENTS");
    }
  }
  void check_string(std::uint64_t bytes) const {
    if (bytes > string_bytes) {
      throw_exceeded("bytes of a string", string_bytes, bytes, "SIDL_RMI_MAX_STRING");
    }
  }

 private:
  static const ValueLimits& find_of_process();
  [[noreturn]] static void throw_exceeded(const char* what, std::uint64_t limit, std::uint64_t seen,
                                          const char* setting);

  constinit static inline std::atomic<const ValueLimits*> of_process_{nullptr};
};

struct Limits {
  std::uint32_t inline_bytes = standard::RMI_MAX_INLINE;
  std::uint64_t message_bytes = standard::RMI_MAX_MESSAGE;
  std::uint64_t memory_bytes = standard::RMI_MEMORY;  ///< per connection
  std::uint64_t total_memory_bytes =
      standard::RMI_TOTAL_MEMORY;                             ///< of a server; 0: see total_memory
  std::uint64_t unsent_bytes = standard::RMI_MAX_UNSENT;      ///< per connection
  std::uint32_t methods = 16384;                              ///< named on one connection
  std::uint32_t connections = standard::RMI_MAX_CONNECTIONS;  ///< of a server
  std::uint32_t session_references = standard::RMI_MAX_REFERENCES;
  std::uint32_t calls_in_work = standard::RMI_MAX_CALLS;       ///< per connection
  std::uint32_t waiting_threads = standard::RMI_MAX_WAITING;   ///< of a session
  std::uint32_t pool_connections = standard::RMI_CONNECTIONS;  ///< of a client to a server
  std::uint32_t keepalive_ms = standard::RMI_KEEPALIVE_MS;
  std::uint32_t lease_ms = standard::RMI_LEASE_MS;
  std::uint32_t connect_ms = standard::RMI_CONNECT_MS;  ///< the handshake included
  std::uint32_t server_deadline_ms =
      standard::RMI_SERVER_DEADLINE_MS;                 ///< of calls without; 0: none
  std::uint32_t spin_us = standard::SPIN_US;            ///< 0: never spin
  bool local_doors = standard::RMI_SHM != 0;            ///< to be opened, and used
  bool allow_anyone = standard::RMI_ALLOW_ANYONE != 0;  ///< from other hosts, who proves nothing

  /** The defaults, overridden by the environment. */
  static Limits from_environment();

  /** The error about a limit that was exceeded. */
  static Error exceeded(const char* what, std::uint64_t limit, std::uint64_t seen,
                        const char* setting);
  /** Too many calls of a connection in work while some of them wait. */
  static Error too_many_calls(std::uint64_t limit, std::uint64_t seen);
  /** Too many threads waiting in calls of a session. */
  static Error too_many_waiting(std::uint64_t limit);
  /** The same, as others need some. */
  static Error too_many_waiting_beside_others(std::uint64_t seen);
  /** The same for all clients together. */
  static Error too_many_waiting();
  /** Too deeply nested calls on a thread. */
  static Error too_many_nested(std::uint64_t limit, std::uint64_t seen);
};

/**
 * While calls in work wait for answers themselves, the connection is still read, because they may
 * depend on it: up to this many times calls_in_work.
 */
constexpr std::uint32_t calls_in_work_while_waiting = 8;

/**
 * Threads of a server that may wait for peers while they run calls, replaced by others meanwhile. A
 * session may have at most Limits::waiting_threads of them, by default a quarter. Beyond that a
 * method may not call its peer: its thread could not be replaced.
 */
constexpr std::uint32_t most_waiting_threads = 1024;

/** Total length of the method names of a connection, which are kept as long as it lasts. */
constexpr std::uint64_t most_name_bytes = std::uint64_t{2} << 20;

/** Keepalive intervals without a byte after which the peer is taken for dead. */
constexpr int keepalive_misses = 3;

}  // namespace shinar::wire
#endif
