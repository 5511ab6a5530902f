#include "server.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "chain.hpp"
#include "memory.hpp"
#include "object_strands.hpp"
#include "routes.hpp"
#include "server/server_connection.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds chores_interval{20};
/** How long stop() waits at most for threads that are sending answers. */
constexpr milliseconds goodbye_patience{100};

}  // namespace

Server::Server(Host& host, ServerOptions options) : context_(host, std::move(options), *this) {
  context_.begin_trust();
  listen(context_.options.listen);
}

Server::~Server() {
  stop(std::chrono::hours(24));
}

/** Nobody serves strangers by accident. */
void Server::check_who_may_come(const Endpoint& endpoint) const {
  const Transport& transport = Transport::of(endpoint);
  const ServerOptions& options = context_.options;
  if (options.limits.allow_anyone || options.authenticator != nullptr || transport.is_local() ||
      transport.is_private() || is_loopback(endpoint.host)) {
    return;
  }
  throw Error(
      Failure::bind,
      "anybody who reaches " + endpoint.text() +
          " could call this server. Use simhandle+tls:// with a certificate, or a shared "
          "secret (--secret-file, SIDL_SECRET_FILE), or listen at 127.0.0.1 or a "
          "Unix-domain socket; where everybody may be trusted, --allow-anyone of sidl serve "
          "(SIDL_RMI_ALLOW_ANYONE=1) admits them");
}

const Endpoint& Server::listen(const Endpoint& endpoint) {
  check_who_may_come(endpoint);
  acceptors_.push_back(std::make_unique<Acceptor>(context_, endpoint));
  return acceptors_.back()->endpoint();
}

void Server::start() {
  started_ = true;
  if (context_.options.limits.local_doors) open_local_doors();
  for (const auto& acceptor : acceptors_) {
    acceptor->open();
    add_door(acceptor->endpoint());
  }
  context_.writes.start();
  context_.lingering.start();
  context_.pool.start();
}

/** Clients are told of it, unless there are more than a welcome has room for. */
void Server::add_door(const Endpoint& endpoint) {
  const std::string line = line_of_door(endpoint);
  if (context_.doors.size() + line.size() <= max_extension) context_.doors += line;
}

/** Without them clients stay where they have connected. */
void Server::open_local_doors() {
  for (const Endpoint& each : Transport::local_doors()) {
    try {
      doors_.push_back(std::make_unique<Acceptor>(context_, each));
      doors_.back()->open();
      add_door(each);
    } catch (const std::exception& error) {
      if (context_.host.logs_details()) context_.host.log_detail(error.what());
    }
  }
}

/**
 * While calls are in work, connections are still accepted and none is told to close, because calls
 * of their chains may come over any of them. All others are refused and not counted.
 */
bool Server::stop(milliseconds patience) {
  if (!context_.calls.begin_end() || !started_) return true;
  const auto until = Clock::now() + patience;
  context_.parties.lift_limits();
  context_.calls.await_all(until);
  for (const auto& acceptor : acceptors_) acceptor->close();
  for (const auto& door : doors_) door->close();
  say_goodbye_to_all();  // from here on no call begins
  await_taken(until);
  // They would all become due when their connections end.
  const auto discarded = context_.ledger.discard_waiting();
  for (const auto& connection : context_.connections.all()) {
    connection->fail(Error(Failure::unexpected_close, "the server was stopped"));
  }
  const auto last = std::max(until, Clock::now() + milliseconds(500));
  // All waiting threads find their connections broken, but what they run within a call may take
  // long. A thread must not touch the server once it has decremented `waiting`, so there is no
  // notification to wait for.
  const std::atomic<int>& waiting = context_.waiting;
  while (waiting != 0 && Clock::now() < last) std::this_thread::sleep_for(milliseconds(1));
  if (waiting != 0) return false;
  const auto left = std::chrono::duration_cast<milliseconds>(last - Clock::now());
  if (!context_.pool.stop(std::max(left, milliseconds(1)))) return false;
  drop_calls();
  for (const auto& connection : context_.connections.all()) {
    if (connection->handshake.is_done()) connection->note_end();
  }
  const auto gone = context_.ledger.drop_all();
  context_.log.finish();
  context_.audit.finish();
  return true;
}

/** Not where calls were cut off: a goodbye promises that unanswered calls were not run. */
void Server::say_goodbye_to_all() {
  const auto until = Clock::now() + goodbye_patience;
  for (const auto& connection : context_.connections.all()) {
    const bool is_busy =
        connection->calls.in_work() != 0 || connection->replies.holds_back_answers();
    if (!connection->handshake.is_done() || (has_cut() && is_busy)) continue;
    connection->say_goodbye(false, "the server is shutting down", until);
  }
}

/**
 * Waits until the clients' hosts have acknowledged what was sent. If a connection is closed before,
 * the client's next message causes a reset, which discards unread data. Gives up soon if there is
 * no progress.
 */
void Server::await_taken(Clock::time_point until) {
  constexpr milliseconds interval(2);
  constexpr milliseconds most_without_progress(2000);
  std::int64_t before = -1;
  for (auto progress = Clock::now();;) {
    std::int64_t left = 0;
    for (const auto& connection : context_.connections.all()) {
      if (connection->is_usable()) left += connection->channel->unsent();
    }
    const auto now = Clock::now();
    if (std::exchange(before, left) != left) progress = now;
    if (left == 0 || now >= until || now - progress >= most_without_progress) return;
    std::this_thread::sleep_for(interval);
  }
}

/** Drops calls that have not begun: no thread is left to run them. */
void Server::drop_calls() {
  for (const auto& connection : context_.writes.take_all()) {
    connection->replies.drop_stalled();  // which keep their connections alive
  }
  ObjectStrands::of_process().take_all_of(&context_);
  context_.tasks.clear();
  for (const auto& connection : context_.connections.all()) {
    // Behind calls that were read, and which nobody runs any more.
    if (connection->session != nullptr) connection->session->back->caller_strands.take_all();
  }
}

void Server::chores(Clock::time_point now) {
  scan_all();
  if (Chains::of_process().waiting() != 0) {
    if (context_.held != 0) look_after_held();
    if (context_.calls_in_line.look_after()) context_.pool.stay_awake();
  }
  if (now < next_chores_) return;
  next_chores_ = now + chores_interval;
  send_signs_of_life(now);
  // If all workers are busy, none sends to slow clients, so it is done here before those time out.
  for (const auto& connection : context_.writes.all()) connection->replies.send_periodically(now);
  look_after_throttled(now);
  context_.connections.for_each([](const auto& connection) { connection->look_after_observed(); });
  tell_of_long_waits(now);
  close_silent(now);
  let_rest(now);
  context_.lingering.tidy(now);
  context_.disposal.add(context_.ledger.expire(now, context_.log));
  context_.log.tick(now);
  context_.audit.tick(now);
  context_.follow_trust();
  for (const auto& acceptor : acceptors_) acceptor->try_again();
  for (const auto& door : doors_) door->try_again();
}

/** If all workers are busy, does here what runs no users' code. */
void Server::scan_all() {
  int looks = 64;  // that may find nothing
  const auto wanted = [&](const Pollable& what) { return what.wants_scan(looks); };
  for (const Ready& each : context_.pool.take_over(wanted)) {
    each.what->scan(each.since);
  }
}

/** Shows clients that wait for an answer, or to be read, that this process is alive. */
void Server::send_signs_of_life(Clock::time_point now) {
  context_.pool.for_each_waiting([](Pollable& what) { what.is_kept_waiting(); });
  context_.connections.for_each(
      [now](const auto& connection) { connection->send_sign_of_life(now); });
}

/**
 * Methods that wait for peers may depend on calls of throttled connections; and clients of these
 * may be gone, which nobody notices who does not read.
 */
void Server::look_after_throttled(Clock::time_point now) {
  constexpr milliseconds interval(100);
  if (context_.held != 0) look_after_held();
  if (context_.calls_in_line.look_after()) context_.pool.stay_awake();
  if (Chains::of_process().waiting() == 0 && now < next_ends_) return;
  next_ends_ = now + interval;
  std::vector<std::shared_ptr<ServerConnection>> throttled;
  context_.connections.for_each([&](const auto& connection) {
    if (connection->reader.is_throttled() && connection->reader.has_room_for_calls() &&
        !connection->replies.is_full()) {
      throttled.push_back(connection);
    }
  });
  for (const auto& connection : throttled) connection->reader.unthrottle();
}

/**
 * Connections whose tenants have no share left are read now and then, some of them at a time: calls
 * in work may wait for answers that come over them, or be cancelled. What an identity may do in a
 * second comes with time alone.
 */
void Server::look_after_held() {
  constexpr std::size_t most = 32;
  std::vector<std::shared_ptr<ServerConnection>> held;
  std::set<std::shared_ptr<Party>> waiting;
  const std::size_t size = context_.connections.size();
  const std::size_t first = size == 0 ? 0 : first_look_() % size;
  for (const bool before : {false, true}) {
    std::size_t place = 0;
    context_.connections.for_each([&](const auto& connection) {
      if ((place++ < first) != before) return;
      if (connection->reader.admission.is_in_line()) waiting.insert(connection->party);
      if (held.size() < most && connection->reader.wants_look()) held.push_back(connection);
    });
  }
  for (const auto& party : waiting) party->go_by_quota();
  for (const auto& connection : held) connection->reader.unthrottle();
  context_.pool.stay_awake();
}

/** Logs calls that have waited for others for long. */
void Server::tell_of_long_waits(Clock::time_point now) {
  constexpr std::chrono::seconds patience(10);
  if (now < next_telling_) return;
  next_telling_ = now + std::chrono::seconds(1);
  for (const std::string& line : ObjectStrands::of_process().overdue(patience))
    context_.log.add(PeerLog::Kind::long_wait, line, now);
}

/** Ends connections that have not finished the handshake, or a message, in time. */
void Server::close_silent(Clock::time_point now) {
  context_.connections.for_each([&](const auto& connection) {
    if (!connection->is_usable() || !connection->handshake.is_done() ||
        !connection->has_stalled(now)) {
      return;
    }
    context_.log.add(PeerLog::Kind::silent,
                     "closing the connection of " + connection->peer +
                         ": the rest of a message has not come for " +
                         std::to_string(keepalive_misses * connection->keepalive_ms) +
                         " ms (setting: SIDL_RMI_KEEPALIVE_MS, times 3)");
    connection->channel->shut_down();
  });
  context_.connections.for_each([&](const auto& connection) {
    if (!connection->is_usable() || !connection->handshake.is_overdue(now)) return;
    context_.log.add(PeerLog::Kind::silent, "closing the connection of " + connection->peer +
                                                ": no handshake within the limit of " +
                                                std::to_string(context_.options.limits.connect_ms) +
                                                " ms (setting: SIDL_RMI_CONNECT_MS)");
    connection->channel->shut_down();  // its reader will find it closed
  });
}

/** What was kept for calls that do not come, here and by malloc, which keeps hundreds of MB. */
void Server::drop_kept_memory() {
  constexpr int patience = 5;  // looks
  const std::uint64_t calls = context_.counters.calls;
  const bool is_quiet =
      std::exchange(calls_seen_, calls) == calls && !context_.memory->has_messages();
  if (!is_quiet) {
    quiet_looks_ = 0;
  } else if (quiet_looks_ <= patience && ++quiet_looks_ == patience) {
    drop_kept_blocks();
    ::malloc_trim(0);
  }
}

/** Frees what connections keep for sending, now and then. */
void Server::let_rest(Clock::time_point now) {
  constexpr std::chrono::seconds interval(1);
  if (now < next_rest_) return;
  next_rest_ = now + interval;
  drop_kept_memory();
  context_.connections.for_each([](const auto& connection) {
    // Before, the reader sends without the lock.
    if (connection->handshake.is_done()) connection->rest_sending();
  });
}

std::size_t Server::unread_count() {
  std::size_t count = 0;
  context_.pool.for_each_waiting(
      [&](const Pollable& what) { count += what.is_connection() ? 1 : 0; });
  return count;
}

}  // namespace shinar::wire
