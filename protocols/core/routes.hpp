/**
 * The ways to one server that a client knows: the address that the URL names, and the server's
 * other doors, of which the server tells when one connects.
 */
#ifndef SHINAR_CORE_ROUTES_HPP
#define SHINAR_CORE_ROUTES_HPP

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "url.hpp"

namespace shinar::wire {

struct Limits;

/** Names of transports, the best first: SIDL_RMI_ROUTES, or the standard. */
class RouteOrder {
 public:
  static constexpr const char* standard = "shm,ucx,tcp,tls";

  /** `text`: NULL, the standard. */
  RouteOrder(const char* text, const Limits& limits);
  static RouteOrder from_environment(const Limits& limits);

  static constexpr std::size_t never = static_cast<std::size_t>(-1);
  /** Place of a transport; never: it is not to be used. */
  std::size_t rank(std::string_view transport) const;
  /** Warns, once in a process, of names in the user's list that are none. Loads transports. */
  void warn_of_unknown() const;
  /** Why it is never used. */
  std::string why_never(std::string_view transport) const;
  /** The user's. Else networks that need hardware are used only where both ends have it. */
  bool is_chosen() const { return is_chosen_; }

 private:
  bool is_chosen_;
  bool uses_memory_;
  std::string text_;
  std::vector<std::string> names_;
};

/** A line of the welcome: an address at which the server listens. */
std::string line_of_door(const Endpoint& endpoint);

/** Not thread-safe. */
class Routes {
 public:
  using Clock = std::chrono::steady_clock;

  struct Route {
    std::string url;
    Endpoint at;  ///< empty: its transport was not even looked for
    std::size_t rank = 0;
    bool is_named = false;           ///< by the URL
    std::string why_not{};           ///< it failed, or is not to be used
    Clock::time_point not_before{};  ///< after it failed
  };

  Routes(Endpoint named, RouteOrder order);

  /** From now on there are no doors. */
  void stay_with_named() { stays_with_named_ = true; }
  /** What a welcome lists. An address of a transport that is not here is no door. */
  void learn(std::string_view doors);
  /** The ways to try one after the other, best first; the named one is always among them. */
  std::vector<Route> to_try(Clock::time_point now) const;
  /** It is not tried for a while if there are others. */
  void failed(const Endpoint& at, std::string why, Clock::time_point now);
  void works(const Endpoint& at);
  /** All of them, best first, also those that are not to be used. */
  const std::vector<Route>& all() const { return routes_; }
  /** The way by which the server was reached last. */
  const Endpoint& in_use() const { return in_use_; }
  const RouteOrder& order() const { return order_; }

 private:
  void add(std::string_view line);
  void resolve(Route& route, const Endpoint& named) const;
  std::string objection(const Endpoint& at, const Endpoint& named) const;
  Route* find(const Endpoint& at);

  RouteOrder order_;
  std::vector<Route> routes_;
  Endpoint in_use_;
  bool stays_with_named_ = false;
};

}  // namespace shinar::wire
#endif
