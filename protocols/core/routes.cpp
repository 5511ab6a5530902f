#include "routes.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "error.hpp"
#include "limits.hpp"
#include "sidl_log.h"
#include "transport.hpp"

namespace shinar::wire {
namespace {

/** Ends the line of a door to a network whose hardware the server does not have. */
constexpr std::string_view slow_mark = " slow";
/** Host of a door at all addresses: that by which the client has come. */
constexpr std::string_view same_host = "*";
constexpr std::string_view anywhere = "://*:";
constexpr std::string_view memory = "shm";
/** Of a server; more are not looked at. */
constexpr std::size_t most_doors = 16;
/** How long a way that failed is left alone. */
constexpr std::chrono::seconds rest_after_failure(30);

bool is_wildcard(const std::string& host) {
  return host == "0.0.0.0" || host == "::" || host == same_host;
}

/** The URL with the host by which the client has come, where the server has left that open. */
std::string with_host(std::string_view url, const std::string& host) {
  const std::size_t at = url.find(anywhere);
  if (at == std::string_view::npos) return std::string(url);
  const bool brackets = host.find(':') != std::string::npos;
  const std::string there = host.empty() ? "localhost" : brackets ? "[" + host + "]" : host;
  return std::string(url.substr(0, at + 3)) + there + std::string(url.substr(at + 4));
}

/** Calls what for the parts of the text between the separators, without the empty ones. */
template <class What>
void for_each_part(std::string_view text, char separator, What what) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end != 0) what(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

RouteOrder::RouteOrder(const char* text, const Limits& limits)
    : is_chosen_(text != nullptr),
      uses_memory_(limits.local_doors),
      text_(text == nullptr ? standard : text) {
  for_each_part(text_, ',', [&](std::string_view name) {
    if (name != memory || uses_memory_) names_.emplace_back(name);
  });
}

std::string RouteOrder::why_never(std::string_view transport) const {
  if (transport == memory && !uses_memory_) return "SIDL_RMI_SHM is off";
  return "not in SIDL_RMI_ROUTES (" + text_ + ")";
}

void RouteOrder::warn_of_unknown() const {
  static std::atomic<bool> has_looked{false};
  if (!is_chosen_ || has_looked.exchange(true)) return;
  for (const std::string& each : names_) {
    std::string reason;
    if (Transport::find(each, &reason) != nullptr) continue;
    const std::string line =
        "SIDL_RMI_ROUTES names '" + each + "', and there is no such transport here" + reason;
    sidl_log(sidl_log_warning, "simhandle", line.c_str());
  }
}

RouteOrder RouteOrder::from_environment(const Limits& limits) {
  return {std::getenv("SIDL_RMI_ROUTES"), limits};
}

std::size_t RouteOrder::rank(std::string_view transport) const {
  const auto at = std::ranges::find(names_, transport);
  return at == names_.end() ? never : static_cast<std::size_t>(at - names_.begin());
}

std::string line_of_door(const Endpoint& endpoint) {
  Endpoint door = endpoint;
  if (is_wildcard(door.host)) door.host = same_host;
  const bool is_slow = Transport::of(endpoint).lacks_hardware();
  return make_url(door, {}) + std::string(is_slow ? slow_mark : "") + "\n";
}

Routes::Routes(Endpoint named, RouteOrder order) : order_(std::move(order)), in_use_(named) {
  // Where its transport is not in the order that is standard, the URL's word counts for what TCP
  // would; a user who names others wants these.
  const std::size_t own = order_.rank(named.transport());
  const bool is_as_good = own == RouteOrder::never && !order_.is_chosen();
  const std::size_t rank = is_as_good ? order_.rank("tcp") : own;
  const std::string url = make_url(named, {});
  routes_.push_back({.url = url, .at = std::move(named), .rank = rank, .is_named = true});
}

Routes::Route* Routes::find(const Endpoint& at) {
  const auto found = std::ranges::find(routes_, at, &Route::at);
  return found == routes_.end() ? nullptr : &*found;
}

void Routes::learn(std::string_view doors) {
  const std::vector<Route> before = routes_;
  std::erase_if(routes_, [](const Route& each) { return !each.is_named; });
  if (stays_with_named_) return;
  for_each_part(doors, '\n', [&](std::string_view line) { add(line); });
  for (const Route& each : before) {
    Route* const known = find(each.at);
    if (known == nullptr || each.not_before == Clock::time_point()) continue;
    known->why_not = each.why_not;
    known->not_before = each.not_before;
  }
  std::ranges::stable_sort(routes_, {}, &Route::rank);
}

/** Transports that will not be used are not loaded. */
void Routes::add(std::string_view line) {
  const bool is_slow = line.ends_with(slow_mark);
  if (is_slow) line.remove_suffix(slow_mark.size());
  const Endpoint& named = std::ranges::find(routes_, true, &Route::is_named)->at;
  Route route;
  route.url = with_host(line, named.host);
  const std::string_view transport = transport_named(line);
  const bool is_known = std::ranges::find(routes_, route.url, &Route::url) != routes_.end();
  if (transport.empty() || is_known || routes_.size() > most_doors) return;
  route.rank = order_.rank(transport);
  if (route.rank == RouteOrder::never) {
    route.why_not = order_.why_never(transport);
  } else if (is_slow && !order_.is_chosen()) {
    route.why_not = "the server has no fast network (SIDL_RMI_ROUTES may name it)";
  } else {
    resolve(route, named);
    if (route.at == Endpoint() || find(route.at) != nullptr) return;
  }
  if (!route.why_not.empty()) route.rank = RouteOrder::never;
  routes_.push_back(std::move(route));
}

void Routes::resolve(Route& route, const Endpoint& named) const {
  try {
    route.at = parse_url(route.url).endpoint;
  } catch (const Error&) {
    return;  // from a server that knows more than this client
  }
  try {
    route.why_not = objection(route.at, named);
  } catch (const Error& error) {
    route.why_not = error.what();
  }
}

/** Why a way is not to be used; empty: it may be. */
std::string Routes::objection(const Endpoint& at, const Endpoint& named) const {
  const Transport& transport = Transport::of(at);
  const bool is_far = !named.host.empty() && !is_loopback(named.host);
  if (is_far && !transport.is_local() && is_loopback(at.host)) {
    return "only for processes of the server's host";
  }
  // Who asks for a verified server gets it; of what stays on the host, the user may think
  // otherwise.
  const bool may_be_open = transport.is_local() && order_.is_chosen();
  if (Transport::of(named).is_private() && !transport.is_private() && !may_be_open) {
    return "not encrypted, as the URL asks for";
  }
  if (transport.lacks_hardware() && !order_.is_chosen()) {
    return "this process has no fast network (SIDL_RMI_ROUTES may name it)";
  }
  return "";
}

std::vector<Routes::Route> Routes::to_try(Clock::time_point now) const {
  std::vector<Route> some;
  for (const Route& each : routes_) {
    const bool is_open = each.rank != RouteOrder::never && each.not_before <= now;
    if (each.is_named || is_open) some.push_back(each);
  }
  return some;
}

void Routes::failed(const Endpoint& at, std::string why, Clock::time_point now) {
  Route* const route = find(at);
  if (route == nullptr) return;
  route->why_not = std::move(why);
  route->not_before = now + rest_after_failure;
}

void Routes::works(const Endpoint& at) {
  in_use_ = at;
  Route* const route = find(at);
  if (route == nullptr) return;
  route->why_not.clear();
  route->not_before = {};
}

}  // namespace shinar::wire
