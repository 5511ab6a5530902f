#include "core/server/acceptor.hpp"

#include <cerrno>
#include <mutex>
#include <string>
#include <system_error>

#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/** How long a worker may sleep in recv on one connection at a time. */
constexpr milliseconds park_length{100};
/** How long a worker waits at a time for a client to take an answer. */
constexpr milliseconds send_patience{10};
/** Clients beyond the limit whose hello is waited for; of others what has come is answered. */
constexpr std::size_t most_refusals = 64;

}  // namespace

Acceptor::Acceptor(ServerContext& server, const Endpoint& wanted)
    : server_(server), listener_(Transport::of(wanted).listen(wanted)) {}

void Acceptor::open() {
  server_.pool.add(listener_->descriptor(), *this);
}

void Acceptor::close() {
  server_.pool.remove(listener_->descriptor());
  listener_->close();
}

void Acceptor::try_again() {
  const std::lock_guard lock(mutex_);
  if (!is_paused_ || server_.calls.is_over()) return;
  is_paused_ = false;
  server_.pool.arm(listener_->descriptor(), *this);
}

void Acceptor::serve(Worker& /*worker*/) {
  accept_all();
}

bool Acceptor::wants_scan(int& /*looks*/) const {
  return true;
}

void Acceptor::scan(Clock::time_point /*since*/) {
  accept_all();
}

void Acceptor::accept_all() {
  while (!server_.calls.is_over()) {
    try {
      wait_for_memory();
      auto accepted = listener_->accept(server_.options.limits);
      if (accepted.channel == nullptr) {
        if (errno == EINTR || errno == ECONNABORTED) continue;
        if (errno != EAGAIN) throw std::system_error(errno, std::generic_category());
        all_accepted();
        return;
      }
      admit(std::move(accepted));
    } catch (const std::exception& error) {
      constexpr int most = 16;  // places at a time: as many may be needed
      for (int i = 0; i < most && make_room(); ++i) {
      }
      pause(error);
      return;
    }
  }
}

/** Throws Error if strangers have so much that others wait in the backlog until some are done. */
void Acceptor::wait_for_memory() const {
  const std::string full =
      ConnectionMemory::why_full(*server_.memory, *server_.strangers, own_memory_);
  if (!full.empty()) throw Error(Failure::connect, full);
}

void Acceptor::all_accepted() {
  const std::lock_guard lock(mutex_);
  is_told_ = false;
  server_.pool.arm(listener_->descriptor(), *this);
}

/** Out of descriptors or memory: clients wait in the listen backlog. */
void Acceptor::pause(const std::exception& reason) {
  {
    const std::lock_guard lock(mutex_);
    is_paused_ = true;
    // A descriptor that is free for a moment, and used at once, is no news.
    const auto now = Clock::now();
    if (is_told_ || (told_at_ && now - *told_at_ < PeerLog::interval)) return;
    is_told_ = true;
    told_at_ = now;
  }
  server_.host.log(std::string("cannot accept connections at the moment: ") + reason_of(reason));
}

/** Who has a place and does not go on with the handshake leaves it to others; false if nobody. */
bool Acceptor::make_room() {
  const auto stranger = server_.connections.take_stranger(Clock::now());
  if (stranger == nullptr) return false;
  server_.log.add(PeerLog::Kind::silent,
                  "closing the connection of " + stranger->peer +
                      ": it has not finished the handshake, and others need its place");
  stranger->channel->shut_down();
  return true;
}

/**
 * Even of those who are only to be told that there are too many there are too many. Most have sent
 * their hello by now, and are told at once; else they wait for it in the place of one that has sent
 * a part of its own. Over TLS telling costs a handshake, and they are closed.
 */
bool Acceptor::finds_place(ServerConnection& newcomer, std::size_t count) {
  if (own_memory_ != 0 || newcomer.handshake.refuse_at_once(count)) return false;
  const auto other = server_.connections.take_surplus();
  if (other == nullptr) return false;
  other->channel->shut_down();
  return true;
}

void Acceptor::admit(Listener::Accepted accepted) {
  accepted.channel->set_patience(park_length, send_patience);
  const auto connection = std::make_shared<ServerConnection>(server_, std::move(accepted.channel),
                                                             std::move(accepted.peer));
  const std::size_t most = server_.options.limits.connections;
  const std::size_t count = server_.connections.add(connection);
  own_memory_ = connection->channel->own_memory();
  std::string lack = connection->memory.take(server_.strangers, own_memory_);
  if ((count > most + most_refusals && !finds_place(*connection, count)) ||
      (!lack.empty() && !connection->memory.go_unpaid())) {
    server_.connections.remove(*connection);
    server_.counters.refused.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (!lack.empty()) connection->handshake.refuse_for_memory(std::move(lack));
  if (count > most && !make_room()) {
    connection->handshake.refuse_as_surplus(count);
    server_.connections.is_surplus(*connection);
  }
  server_.counters.accepted.fetch_add(1, std::memory_order_relaxed);
  try {
    server_.pool.add(connection->channel->descriptor(), *connection);
  } catch (const std::exception&) {
    server_.connections.remove(*connection);
    throw;
  }
}

}  // namespace shinar::wire
