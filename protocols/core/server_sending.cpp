/**
 * Server: answers, and clients that take their time.
 *
 * An answer is sent by the worker that ran the call, from where its arrays are. A worker waits for
 * a client only while that takes much and somebody else is free to serve the others. What is left
 * then is the channel's backlog, which is sent on when there is room: room_ says so, an epoll that
 * the pool's looks at. While the backlog is more than the limit the connection is not
 * read and its lanes stand still, so that a client that reads nothing costs the limit, and the
 * answers to its calls that are running, but no thread. That holds, too, while a thread here waits
 * for the client to answer a call: it has to take what was sent before it is heard. Calls to the
 * client go the same way, but those that would be too much wait, as threads that wait for a peer.
 */
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cargo.hpp"
#include "crew.hpp"
#include "running_call.hpp"
#include "server.hpp"
#include "strands.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/** Bytes that a client must take within a send time-out for a worker to wait on. */
constexpr std::size_t brisk = 65536;

Error takes_no_data() {
  return Error(Failure::unexpected_close,
               std::string("the peer takes no data: ") + std::strerror(ETIMEDOUT), Fate::not_sent,
               ETIMEDOUT);
}

Error has_ended() {
  return Error(Failure::unexpected_close, "the client has left the connection");
}

}  // namespace

/**
 * Answers a call. If `may_wait`, the connection's reader has another call at hand, and the answer
 * may be sent together with that one's: for many threads of a client this saves most system calls
 * of both ends. The reader sends what waits before it waits itself (flush), and so does whoever
 * takes over from it if the next call takes long. `calls`: how many in work it answers, 0 or 1.
 */
void Server::reply(ServerConnection& connection, const FrameHeader& request, Answer& answer,
                   bool may_wait, int calls) noexcept {
  constexpr std::size_t most_unsent = 8192;
  FrameHeader header;
  connection.complete_answer(header, request, answer);
  const std::uint64_t size = frame_bytes(header);
  counters_.bytes_sent.fetch_add(size, std::memory_order_relaxed);
  Spent spent;  // dropped without the lock
  const std::lock_guard lock(connection.write);
  connection.unsent_calls.fetch_add(calls, std::memory_order_relaxed);
  try {
    const Lent::HandOver lent(answer.lent, *connection.stream, connection.stream->count_sent());
    if (!lent.may_arrive()) throw has_ended();
    if (connection.is_clogged) {
      connection.channel->post({}, header, answer.body);
      if (lent.lends()) ask_later(connection);
      note_backlog(connection);
      return;
    }
    if (may_wait && header.segments == 0 && header.body < most_unsent &&
        connection.unsent.size() < most_unsent && !stopping_) {
      const auto frame = answer.body.with_header(header);
      std::memcpy(connection.unsent.extend(frame.size()), frame.data(), frame.size());
      connection.holds_back = true;
      return;
    }
    const std::span<const std::byte> before{connection.unsent.data(), connection.unsent.size()};
    connection.channel->post(before, header, answer.body);
    if (connection.channel->has_backlog()) {
      if (lent.lends()) ask_later(connection);
      spent = linger(connection);
      return;
    }
    answers_sent(connection);
    if (lent.lends()) connection.ask_for_confirmation();
  } catch (const std::exception& error) {
    give_up(connection, error);
  }
}

/** Asks a client that takes its time how far it has read, behind what it has to take. */
void Server::ask_later(ServerConnection& connection) {
  if (!connection.stream->wants_confirmation()) return;
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::ping);
  header.request = connection.stream->sent();
  connection.channel->post(std::as_bytes(std::span(&header, 1)));
}

/** Sends the answers that wait for company. */
void Server::flush(ServerConnection& connection) noexcept {
  if (connection.unsent_calls.load(std::memory_order_relaxed) == 0) return;
  Spent spent;  // dropped without the lock
  const std::lock_guard lock(connection.write);
  spent = send_held_back(connection);
}

/** Under `write`. */
Spent Server::send_held_back(ServerConnection& connection) noexcept {
  if (connection.unsent.size() == 0) return {};  // somebody was faster
  try {
    const std::span<const std::byte> frames{connection.unsent.data(), connection.unsent.size()};
    connection.channel->post(frames);
    if (connection.channel->has_backlog()) return linger(connection);
  } catch (const std::exception& error) {
    give_up(connection, error);
    return {};
  }
  answers_sent(connection);
  return {};
}

/** The calls whose answers were sent are in work no more. Under `write`. */
void Server::answers_sent(ServerConnection& connection) {
  connection.unsent.clear();
  connection.holds_back = false;
  work_done(connection.unsent_calls.exchange(0, std::memory_order_relaxed));
}

/** Sends on while that pays, and leaves the rest to whoever finds room. Under `write`. */
Spent Server::linger(ServerConnection& connection) {
  connection.unsent.clear();
  connection.holds_back = false;
  connection.progress = Clock::now();
  while (connection.channel->has_backlog() && pool_.is_attended()) {
    if (connection.channel->flush(true) < brisk) break;
  }
  note_backlog(connection);
  return connection.channel->take_spent();
}

/** What the channel has not got rid of has changed. Under `write`. */
void Server::note_backlog(ServerConnection& connection) {
  connection.backlog_calls += connection.unsent_calls.exchange(0, std::memory_order_relaxed);
  connection.backlog = connection.channel->backlog();
  connection.is_clogged = connection.channel->has_backlog();
  if (connection.is_clogged) {
    poll_for_room(connection);
  } else if (connection.backlog_calls != 0) {
    work_done(std::exchange(connection.backlog_calls, 0));
  }
}

/** send_on() is called when the client takes something, or is gone. Under `write`. */
void Server::poll_for_room(ServerConnection& connection) {
  {
    const std::lock_guard lock(mutex_);
    backlogged_.try_emplace(
        &connection, std::static_pointer_cast<ServerConnection>(connection.shared_from_this()));
  }
  const int how = std::exchange(connection.is_polled, true) ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (!arm_room(connection, how)) {
    give_up(connection, Error(Failure::unexpected_close,
                              std::string("cannot wait for room: ") + std::strerror(errno)));
  }
}

bool Server::arm_room(ServerConnection& connection, int how) const {
  epoll_event event{};
  event.events = EPOLLOUT | EPOLLONESHOT;
  event.data.ptr = &connection;
  return ::epoll_ctl(room_.fd(), how, connection.channel->descriptor(), &event) == 0;
}

/** Nobody will read them. Under `write`. */
void Server::drop_answers(ServerConnection& connection) {
  connection.unsent.clear();
  connection.holds_back = false;
  connection.channel->drop_backlog();
  connection.backlog_calls += connection.unsent_calls.exchange(0, std::memory_order_relaxed);
  connection.backlog = 0;
  connection.is_clogged = false;
  work_done(std::exchange(connection.backlog_calls, 0));
}

/** Ends a connection that takes nothing more; its reader finds it closed. Under `write`. */
void Server::give_up(ServerConnection& connection, const std::exception& error) {
  // Once: as many answers may be on their way as calls may be in work.
  if (!std::exchange(connection.is_given_up, true)) {
    host_.log("cannot answer " + connection.peer + ": " + error.what());
  }
  connection.channel->shut_down();
  drop_answers(connection);
}

/** True if the client, which sends nothing more, has not taken all answers: then send_on() closes.
 */
bool Server::closes_later(ServerConnection& connection) {
  flush(connection);
  const std::lock_guard lock(connection.write);
  connection.closes = connection.is_clogged;
  return connection.closes;
}

/**
 * True if the next call has to wait until its client has taken some answers. If it held up others
 * `next` is the first of them, which goes on.
 */
bool Server::stall(std::optional<QueuedCall>& next) {
  while (next && next->link->runner() == this) {
    auto& connection = static_cast<ServerConnection&>(*next->link);
    if (!is_full(connection)) return false;
    const void* const strand = next->call.grant.take();
    {
      const std::lock_guard lock(connection.write);
      if (!is_full(connection)) {
        next->call.grant = StrandGrant(strand);
        return false;
      }
      connection.stalled.push_back(std::move(*next));
    }
    next.reset();
    if (strand != nullptr) next = Strands::of_process().give_up(strand);
  }
  return !next;
}

/** There is room somewhere. */
void Server::serve_room(Worker& worker) {
  epoll_event events[16];
  const int count = ::epoll_wait(room_.fd(), events, 16, 0);
  std::vector<std::shared_ptr<ServerConnection>> ready;
  {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < count; ++i) {
      const auto at = backlogged_.find(static_cast<ServerConnection*>(events[i].data.ptr));
      if (at != backlogged_.end()) ready.push_back(at->second);
    }
  }
  pool_.arm(room_.fd(), &room_);
  for (const auto& connection : ready) send_on(*connection, &worker);
}

/**
 * Sends what the client takes now. `worker` goes on with what waited for that; NULL: this is the
 * watch thread, which leaves it to a worker.
 */
void Server::send_on(ServerConnection& connection, Worker* worker) {
  std::vector<QueuedCall> stalled;
  Spent spent;
  bool closes = false;
  {
    const std::unique_lock lock(connection.write, std::try_to_lock);
    if (!lock.owns_lock()) {
      // Somebody sends, and may wait for the client: what is left afterwards is for later.
      arm_room(connection, EPOLL_CTL_MOD);
      return;
    }
    try {
      if (connection.channel->flush(false) != 0) connection.progress = Clock::now();
      note_backlog(connection);
    } catch (const std::exception& error) {
      give_up(connection, error);
    }
    if (worker != nullptr) {
      spent = connection.channel->take_spent();
      if (!is_full(connection)) stalled.swap(connection.stalled);
      closes = !connection.is_clogged && std::exchange(connection.closes, false);
      if (!connection.is_clogged && connection.stalled.empty()) {
        const std::lock_guard also(mutex_);
        backlogged_.erase(&connection);  // the caller keeps it
      }
    } else if (!connection.is_clogged) {
      poll_for_room(connection);  // at once, as there is some
    }
  }
  if (!is_full(connection)) unthrottle(connection);
  if (closes) close(connection);
  for (QueuedCall& each : stalled) {
    run_in_worker([this, next = std::make_shared<QueuedCall>(std::move(each))](Worker& other) {
      run_next(std::move(*next), other, nullptr);
    });
  }
}

/**
 * Clients that take nothing for keepalive_misses intervals are given up. If all workers are at
 * work nobody sends them anything, so that is done here, before they lose patience themselves.
 * Watch thread.
 */
void Server::press_slow_readers(Clock::time_point now) {
  std::vector<std::shared_ptr<ServerConnection>> slow;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [raw, connection] : backlogged_) slow.push_back(connection);
  }
  for (const auto& connection : slow) {
    const auto interval = milliseconds(connection->keepalive_ms);
    if (now - connection->pressed < interval / 3) continue;
    connection->pressed = now;
    send_on(*connection, nullptr);
    const std::unique_lock lock(connection->write, std::try_to_lock);
    if (!lock.owns_lock() || !connection->is_clogged) continue;
    if (now - connection->progress >= keepalive_misses * interval) {
      give_up(*connection, takes_no_data());
    }
  }
}

/**
 * A call to a client that takes its time joins the backlog, like an answer, unless that is too
 * much. The thread waits then for a peer, without a lock; if the client takes nothing at all
 * the connection is given up: see press_slow_readers.
 */
void ServerConnection::await_room(Deadline deadline) {
  if (!server.is_full(*this)) return;
  const WaitForPeer waits;
  while (server.is_full(*this) && is_usable()) {
    RunningCall::check_wanted();
    if (deadline && Clock::now() >= *deadline) {
      throw Error(Failure::time_out, "the deadline passed before the client took what it was sent",
                  Fate::not_sent, ETIMEDOUT);
    }
    constexpr milliseconds glance(20);
    if (channel->await(false, true, -1, glance).writable) server.send_on(*this, nullptr);
  }
}

/** Behind the answers, like these: no thread waits for a client that takes its time. */
void ServerConnection::put_in_line(std::span<const std::byte> before, const FrameHeader& header,
                                   Encoder& encoder, bool /*reads*/, Spent& spent) {
  if (holds_back) spent.add(server.send_held_back(*this));
  const bool was_clogged = is_clogged;
  channel->post(before, header, encoder);
  if (was_clogged) {
    server.note_backlog(*this);
  } else if (channel->has_backlog()) {
    spent.add(server.linger(*this));
  }
}

/** Under write. */
void ServerConnection::ask_for_confirmation() {
  if (!is_clogged) {
    Link::ask_for_confirmation();
    return;
  }
  Server::ask_later(*this);
  server.note_backlog(*this);
}

}  // namespace shinar::wire
