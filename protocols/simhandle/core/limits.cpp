#include "limits.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "wire.hpp"

namespace simhandle {
namespace {

/** Changes `value` to what the environment says, if that is a number within the bounds. */
template <class T>
void read_setting(const char* name, T& value, std::uint64_t lowest, std::uint64_t highest) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text < '0' || *text > '9') return;
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text, &end, 10);
  if (*end != '\0') return;
  value = static_cast<T>(std::clamp<std::uint64_t>(number, lowest, highest));
}

}  // namespace

/** Threads may find the same at once, but none waits for another, which a forked child would lack.
 */
const ValueLimits& ValueLimits::of_process() {
  constinit static std::atomic<const ValueLimits*> limits{nullptr};
  const ValueLimits* known = limits.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  auto* const found = new ValueLimits;
  read_setting("SIDL_RMI_MAX_ELEMENTS", found->elements, 1, std::uint64_t{1} << 48);
  read_setting("SIDL_RMI_MAX_STRING", found->string_bytes, max_name, std::uint64_t{1} << 50);
  if (limits.compare_exchange_strong(known, found)) return *found;
  delete found;
  return *known;
}

void ValueLimits::throw_exceeded(const char* what, std::uint64_t limit, std::uint64_t seen,
                                 const char* setting) {
  throw Limits::exceeded(what, limit, seen, setting);
}

Limits Limits::from_environment() {
  constexpr std::uint64_t hour_ms = 3600u * 1000u;
  Limits limits;
  read_setting("SIDL_RMI_MAX_INLINE", limits.inline_bytes, least_inline_bytes, 1u << 30);
  read_setting("SIDL_RMI_MAX_MESSAGE", limits.message_bytes, 4096, std::uint64_t{1} << 50);
  read_setting("SIDL_RMI_MEMORY", limits.memory_bytes, 4096, std::uint64_t{1} << 50);
  read_setting("SIDL_RMI_MAX_UNSENT", limits.unsent_bytes, 4096, std::uint64_t{1} << 50);
  read_setting("SIDL_RMI_MAX_CONNECTIONS", limits.connections, 1, 1u << 24);
  read_setting("SIDL_RMI_MAX_REFERENCES", limits.session_references, 1, 1u << 30);
  read_setting("SIDL_RMI_MAX_CALLS", limits.calls_in_work, 1, 1u << 20);
  read_setting("SIDL_RMI_MAX_WAITING", limits.waiting_threads, 1, most_waiting_threads);
  read_setting("SIDL_RMI_CONNECTIONS", limits.pool_connections, 1, 1024);
  read_setting("SIDL_RMI_KEEPALIVE_MS", limits.keepalive_ms, 50, hour_ms);
  read_setting("SIDL_RMI_LEASE_MS", limits.lease_ms, 0, 24 * hour_ms);
  read_setting("SIDL_RMI_CONNECT_MS", limits.connect_ms, 10, hour_ms);
  read_setting("SIDL_SPIN_US", limits.spin_us, 0, 1000000);
  return limits;
}

Error Limits::exceeded(const char* what, std::uint64_t limit, std::uint64_t seen,
                       const char* setting) {
  std::string text = std::string(what) + ": " + std::to_string(seen) + " is above the limit of " +
                     std::to_string(limit);
  if (setting != nullptr) text += std::string(" (setting: ") + setting + ")";
  return Error(Failure::protocol, text);
}

Error Limits::too_many_calls(std::uint64_t limit, std::uint64_t seen) {
  return exceeded("calls of a connection in work", limit, seen,
                  "SIDL_RMI_MAX_CALLS, of which it is 8 times");
}

Error Limits::too_many_waiting(std::uint64_t limit) {
  const Error error = exceeded("threads that wait for peers in calls of one client", limit,
                               limit + 1, "SIDL_RMI_MAX_WAITING");
  return Error(error.failure(), error.what(), Fate::not_sent);
}

Error Limits::too_many_waiting() {
  const Error error = exceeded("threads that wait for peers in calls of all clients",
                               most_waiting_threads, most_waiting_threads + 1, nullptr);
  return Error(error.failure(), error.what(), Fate::not_sent);
}

Error Limits::too_many_nested(std::uint64_t limit, std::uint64_t seen) {
  return exceeded("calls of a chain within each other", limit, seen,
                  "SIDL_RMI_MAX_CALLS, of which it is 8 times");
}

}  // namespace simhandle
