/**
 * Every limit of the protocol; those that have a setting are described in sidl_settings.def.
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

/** What holds if the environment says nothing. */
namespace standard {
#define SIDL_SETTING(name, standard, lowest, highest, unit, option, about) \
  constexpr auto name = standard;
#include "sidl_settings.def"
#undef SIDL_SETTING
}  // namespace standard

/** What one value of a message may be: checked when it is packed and when it is unpacked. */
struct ValueLimits {
  std::uint64_t elements = standard::RMI_MAX_ELEMENTS;  ///< of an array
  std::uint64_t string_bytes = standard::RMI_MAX_STRING;

  /** The defaults, changed by what the environment sets; read once. */
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
  std::uint64_t memory_bytes = standard::RMI_MEMORY;          ///< per connection
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
  std::uint32_t spin_us = standard::SPIN_US;            ///< 0: never spin

  /** The defaults, changed by what the environment sets. */
  static Limits from_environment();

  /** The error about a limit that was passed. */
  static Error exceeded(const char* what, std::uint64_t limit, std::uint64_t seen,
                        const char* setting);
  /** More calls of a connection than may be in work while some of them wait. */
  static Error too_many_calls(std::uint64_t limit, std::uint64_t seen);
  /** More threads wait in calls of a session than may. */
  static Error too_many_waiting(std::uint64_t limit);
  /** The same of all clients together. */
  static Error too_many_waiting();
  /** More calls within each other than a thread may be in. */
  static Error too_many_nested(std::uint64_t limit, std::uint64_t seen);
};

/**
 * While calls in work wait for answers themselves the connection is read on, as what they wait for
 * may depend on it: until so many times calls_in_work are in work.
 */
constexpr std::uint32_t calls_in_work_while_waiting = 8;

/**
 * Threads of a server that wait for peers in the course of calls, and whose places others take. Of
 * these a session has at most Limits::waiting_threads, as a rule a quarter. A method that would be
 * one more may not call its peer: it would take the place of one that runs.
 */
constexpr std::uint32_t most_waiting_threads = 1024;

/** What a connection's names of methods may take: they are kept as long as it lasts. */
constexpr std::uint64_t most_name_bytes = std::uint64_t{2} << 20;

/** Three keepalive intervals without a byte: the peer is taken for dead. */
constexpr int keepalive_misses = 3;

}  // namespace shinar::wire
#endif
