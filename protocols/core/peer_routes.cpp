/**
 * How a client reaches a server: the address it was given, and the server's other doors.
 */
#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crew.hpp"
#include "errands.hpp"
#include "peer.hpp"
#include "sidl_log.h"
#include "transport.hpp"

namespace shinar::wire {

using std::chrono::milliseconds;

Error Peer::no_connection_in_time() {
  return Error(Failure::time_out, "the deadline passed before the connection was established",
               Fate::not_sent, ETIMEDOUT);
}

/** By the best way that works; by the address in the URL if that is so or nothing is known yet. */
Peer::Greeting Peer::find_route(const Patience& patience) {
  std::vector<Routes::Route> routes;
  Id128 server{};
  {
    const std::lock_guard lock(mutex_);
    routes = routes_.to_try(Clock::now());
    server = server_;
  }
  // Another thread may have learned of doors, and not yet have noted whose they are.
  if (server == Id128{}) return greet_named(patience);
  const auto named = std::ranges::find(routes, true, &Routes::Route::is_named);
  const auto first_of = [&](auto begin, auto end) -> std::optional<Greeting> {
    for (auto each = begin; each != end; ++each) {
      if (auto greeting = try_door(each->at, server, patience)) return greeting;
    }
    return std::nullopt;
  };
  if (auto better = first_of(routes.begin(), named)) return std::move(*better);
  try {
    return greet_named(patience);
  } catch (const Error& error) {
    // A server that refuses is there.
    const Failure failure = error.failure();
    if (failure == Failure::protocol || failure == Failure::not_allowed) throw;
    if (failure == Failure::cancelled) throw;
    if (auto other = first_of(named + 1, routes.end())) return std::move(*other);
    throw;
  }
}

/** At the address in the URL, or from there by a better door that the server tells of. */
Peer::Greeting Peer::greet_named(const Patience& patience) {
  Greeting first = greet(endpoint_, feature_doors, patience);
  Routes known = [&] {
    const std::lock_guard lock(mutex_);
    return routes_;
  }();
  known.order().warn_of_unknown();
  if (patience.is_ruled) known.stay_with_named();
  known.learn(first.welcome.doors);  // without the lock: it may load a transport
  known.works(endpoint_);
  const std::vector<Routes::Route> routes = known.to_try(Clock::now());
  {
    const std::lock_guard lock(mutex_);
    routes_ = std::move(known);
  }
  constexpr milliseconds most(3000);
  const auto until = Clock::now() + most;
  for (const Routes::Route& each : routes) {
    if (each.is_named || Clock::now() >= until) break;
    auto better = try_door(each.at, first.welcome.server, patience);
    if (!better) continue;
    const std::lock_guard lock(mutex_);
    first.stream->end();
    dropped_.push_back({{}, first.stream});  // as one that broke, though nothing was sent over it
    return std::move(*better);
  }
  return first;
}

/** Nothing if this process cannot use it; the reason is logged as a detail. */
std::optional<Peer::Greeting> Peer::try_door(const Endpoint& door, const Id128& server,
                                             const Patience& patience) {
  constexpr milliseconds most(1000);
  // Others are there if this one is not, and need some of the time.
  const auto now = Clock::now();
  const auto until = now + std::min<Clock::duration>(most, (patience.limit - now) / 2);
  std::string why_not = "another server";
  try {
    Greeting greeting = greet(door, 0, {patience.deadline, until});
    const std::lock_guard lock(mutex_);
    if (greeting.welcome.server == server) {
      routes_.works(door);
      return greeting;
    }
    streams_->remove(greeting.stream);
  } catch (const Error& error) {
    if (error.failure() == Failure::cancelled) throw;
    if (patience.deadline && Clock::now() >= *patience.deadline) throw no_connection_in_time();
    why_not = error.what();
  }
  if (sidl_log_enabled(sidl_log_detail)) {
    const std::string line = "the connection to " + endpoint_.text() + " does not use " +
                             make_url(door, {}) + ": " + why_not;
    sidl_log(sidl_log_detail, "simhandle", line.c_str());
  }
  const std::lock_guard lock(mutex_);
  routes_.failed(door, std::move(why_not), Clock::now());
  return std::nullopt;
}

/** Connects and performs the handshake. */
Peer::Greeting Peer::greet(const Endpoint& at, std::uint32_t features, const Patience& patience) {
  Hello hello;
  hello.features = features;
  hello.inline_bytes = limits_.inline_bytes;
  hello.message_bytes = limits_.message_bytes;
  hello.keepalive_ms = limits_.keepalive_ms;
  Greeting greeting;
  greeting.stream = std::make_shared<Stream>();
  std::shared_ptr<Streams> streams;
  {
    const std::lock_guard lock(mutex_);
    hello.session = session_;
    hello.number = greeting.stream->number = ++last_number_;
    streams = streams_;
  }
  // First: once it has sent its welcome the server may report over another connection that this one
  // has ended.
  streams->add(greeting.stream);
  try {
    greeting.channel = greet(at, hello, patience, greeting.welcome);
    return greeting;
  } catch (...) {
    streams->remove(greeting.stream);
    throw;
  }
}

/** True if a simhandle server has answered at this endpoint. */
bool Peer::has_greeted() {
  const std::lock_guard lock(mutex_);
  return server_ != Id128{};
}

std::unique_ptr<Channel> Peer::greet(const Endpoint& at, const Hello& hello,
                                     const Patience& patience, Welcome& welcome) {
  const Deadline& deadline = patience.deadline;
  const auto until = deadline ? std::min(*deadline, patience.limit) : patience.limit;
  const auto left = [&] {
    return std::max(std::chrono::ceil<milliseconds>(until - Clock::now()), milliseconds(1));
  };
  const auto mine = authenticator_ != nullptr ? authenticator_ : Authenticator::of_process();
  const WaitForPeer waits;
  try {
    auto channel = Transport::of(at).connect(at, left(), limits_);
    welcome =
        perform_handshake(*channel, hello, static_cast<std::uint32_t>(left().count()), mine.get());
    return channel;
  } catch (const Error& error) {
    if (error.failure() == Failure::no_server && error.err() != ETIMEDOUT && has_greeted()) {
      throw Error(Failure::connect,
                  std::string("the connection was lost during the handshake: ") + error.what(),
                  Fate::not_sent, error.err());
    }
    if (error.err() != ETIMEDOUT || Clock::now() < until) throw;
    if (deadline && Clock::now() >= *deadline) throw no_connection_in_time();
    throw Error(error.failure(),
                std::string(error.what()) + ", within the limit of " +
                    std::to_string(limits_.connect_ms / (patience.is_errand ? Errands::share : 1)) +
                    " ms (setting: SIDL_RMI_CONNECT_MS" + (patience.is_errand ? ", a fifth" : "") +
                    ")",
                error.fate(), error.err());
  }
}

}  // namespace shinar::wire
