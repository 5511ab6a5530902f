/**
 * How a client reaches a server: the address it was given, and the server's other doors.
 */
#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crew.hpp"
#include "peer.hpp"
#include "sidl_log.h"
#include "transport.hpp"

namespace shinar::wire {

using std::chrono::milliseconds;

Error Peer::no_connection_in_time() {
  return Error(Failure::time_out, "the deadline passed before the connection was established",
               Fate::not_sent, ETIMEDOUT);
}

namespace {

/** What a welcome lists; an address of a transport that is not here is no door. */
std::vector<Endpoint> doors_of(const Welcome& welcome) {
  std::vector<Endpoint> doors;
  std::string_view left = welcome.doors;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    try {
      doors.push_back(parse_url(left.substr(0, end)).endpoint);
    } catch (const Error&) {
      // From a server that knows more than this client.
    }
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return doors;
}

}  // namespace

/** By the server's door of this host, if it has one that this process can use. */
Peer::Greeting Peer::find_route(Deadline deadline) {
  std::optional<Endpoint> door;
  Id128 server{};
  {
    const std::lock_guard lock(mutex_);
    door = door_;
    server = server_;
  }
  if (door) {
    if (auto greeting = try_door(*door, server, deadline)) return std::move(*greeting);
    const std::lock_guard lock(mutex_);
    door_.reset();
  }
  Greeting first = greet(endpoint_, limits_.local_doors ? feature_doors : 0, deadline);
  for (const Endpoint& each : doors_of(first.welcome)) {
    auto better = try_door(each, first.welcome.server, deadline);
    if (!better) continue;
    const std::lock_guard lock(mutex_);
    door_ = each;
    first.stream->end();
    dropped_.push_back({{}, first.stream});  // as one that broke, though nothing was sent over it
    return std::move(*better);
  }
  return first;
}

/** Nothing if this process cannot use it; the reason is logged as a detail. */
std::optional<Peer::Greeting> Peer::try_door(const Endpoint& door, const Id128& server,
                                             Deadline deadline) {
  constexpr milliseconds most(1000);  // a process of this host, which is there
  const auto until = Clock::now() + most;
  try {
    Greeting greeting = greet(door, 0, deadline ? std::min(*deadline, until) : until);
    if (greeting.welcome.server == server) return greeting;
    const std::lock_guard lock(mutex_);
    streams_->remove(greeting.stream);  // another server's
  } catch (const Error& error) {
    if (error.failure() == Failure::cancelled) throw;
    if (deadline && Clock::now() >= *deadline) throw no_connection_in_time();
    if (sidl_log_enabled(sidl_log_detail)) {
      const std::string line = "the connection to " + endpoint_.text() +
                               " does not move to shared memory: " + error.what();
      sidl_log(sidl_log_detail, "simhandle", line.c_str());
    }
  }
  return std::nullopt;
}

/** Connects and performs the handshake; neither may take longer than the deadline allows. */
Peer::Greeting Peer::greet(const Endpoint& at, std::uint32_t features, Deadline deadline) {
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
    greeting.channel = greet(at, hello, deadline, greeting.welcome);
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

std::unique_ptr<Channel> Peer::greet(const Endpoint& at, const Hello& hello, Deadline deadline,
                                     Welcome& welcome) {
  const auto patience = [&] {
    const milliseconds most(limits_.connect_ms);
    if (!deadline) return most;
    return std::clamp(std::chrono::ceil<milliseconds>(*deadline - Clock::now()), milliseconds(1),
                      most);
  };
  const WaitForPeer waits;
  try {
    auto channel = Transport::of(at).connect(at, patience(), limits_);
    welcome = perform_handshake(*channel, hello, static_cast<std::uint32_t>(patience().count()));
    return channel;
  } catch (const Error& error) {
    if (error.failure() == Failure::no_server && error.err() != ETIMEDOUT && has_greeted()) {
      throw Error(Failure::connect, "the connection was lost during the handshake", Fate::not_sent,
                  error.err());
    }
    if (error.err() != ETIMEDOUT) throw;
    if (!deadline || Clock::now() < *deadline) {
      throw Error(error.failure(),
                  std::string(error.what()) + ", within the limit of " +
                      std::to_string(limits_.connect_ms) + " ms (setting: SIDL_RMI_CONNECT_MS)",
                  error.fate(), error.err());
    }
    throw no_connection_in_time();
  }
}

}  // namespace shinar::wire
