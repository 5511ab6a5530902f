#include "limits.hpp"

#include "sidl_settings.h"

namespace shinar::wire {

/**
 * Several threads may compute it at once, but none waits for another one, which a forked child
 * would not have.
 */
const ValueLimits& ValueLimits::find_of_process() {
  const ValueLimits* known = nullptr;
  auto* const found = new ValueLimits;
  found->elements = sidl_setting_value(sidl_setting_RMI_MAX_ELEMENTS);
  found->string_bytes = sidl_setting_value(sidl_setting_RMI_MAX_STRING);
  if (of_process_.compare_exchange_strong(known, found)) return *found;
  delete found;
  return *known;
}

void ValueLimits::throw_exceeded(const char* what, std::uint64_t limit, std::uint64_t seen,
                                 const char* setting) {
  throw Limits::exceeded(what, limit, seen, setting);
}

Limits Limits::from_environment() {
  const auto small = [](sidl_setting setting) {
    return static_cast<std::uint32_t>(sidl_setting_value(setting));
  };
  Limits limits;
  limits.inline_bytes = small(sidl_setting_RMI_MAX_INLINE);
  limits.message_bytes = sidl_setting_value(sidl_setting_RMI_MAX_MESSAGE);
  limits.memory_bytes = sidl_setting_value(sidl_setting_RMI_MEMORY);
  limits.total_memory_bytes = sidl_setting_value(sidl_setting_RMI_TOTAL_MEMORY);
  limits.server_deadline_ms =
      static_cast<std::uint32_t>(sidl_setting_value(sidl_setting_RMI_SERVER_DEADLINE_MS));
  limits.unsent_bytes = sidl_setting_value(sidl_setting_RMI_MAX_UNSENT);
  limits.connections = small(sidl_setting_RMI_MAX_CONNECTIONS);
  limits.session_references = small(sidl_setting_RMI_MAX_REFERENCES);
  limits.calls_in_work = small(sidl_setting_RMI_MAX_CALLS);
  limits.waiting_threads = small(sidl_setting_RMI_MAX_WAITING);
  limits.pool_connections = small(sidl_setting_RMI_CONNECTIONS);
  limits.keepalive_ms = small(sidl_setting_RMI_KEEPALIVE_MS);
  limits.lease_ms = small(sidl_setting_RMI_LEASE_MS);
  limits.connect_ms = small(sidl_setting_RMI_CONNECT_MS);
  limits.spin_us = small(sidl_setting_SPIN_US);
  limits.local_doors = sidl_setting_value(sidl_setting_RMI_SHM) != 0;
  limits.allow_anyone = sidl_setting_value(sidl_setting_RMI_ALLOW_ANYONE) != 0;
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
  return exceeded("calls in progress on a connection", limit, seen, "SIDL_RMI_MAX_CALLS, times 8");
}

Error Limits::too_many_waiting(std::uint64_t limit) {
  const Error error = exceeded("threads that wait for peers in calls of one client", limit,
                               limit + 1, "SIDL_RMI_MAX_WAITING");
  return Error(error.failure(), error.what(), Fate::not_sent);
}

Error Limits::too_many_waiting_beside_others(std::uint64_t seen) {
  const Error error =
      exceeded("threads that wait for peers in calls of one client, as others need some", seen,
               seen + 1, nullptr);
  return Error(error.failure(), error.what(), Fate::not_sent);
}

Error Limits::too_many_waiting() {
  const Error error = exceeded("threads that wait for peers in calls of all clients",
                               most_waiting_threads, most_waiting_threads + 1, nullptr);
  return Error(error.failure(), error.what(), Fate::not_sent);
}

Error Limits::too_many_nested(std::uint64_t limit, std::uint64_t seen) {
  return exceeded("nested calls of a chain", limit, seen, "SIDL_RMI_MAX_CALLS, times 8");
}

}  // namespace shinar::wire
