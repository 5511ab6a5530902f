/** Server: the handshake and the frames of one connection. */
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "chain.hpp"
#include "crew.hpp"
#include "server.hpp"

namespace shinar::wire {

/** How a worker waits: not at all, unless the pool can spare it. */
class Server::Wait final : public Reading {
 public:
  Wait(Server& server, ServerConnection& connection)
      : server_(server), pool_(server.pool_), connection_(connection) {}

  Next next(bool frame_start) override {
    if (goes_on_) return go_on(frame_start);
    server_.flush(connection_);  // no other call is at hand
    if (++looks_ % receives_in_a_turn == 0 && !pool_.is_attended()) {
      return stop();  // it is somebody else's turn: epoll will say what there is here
    }
    goes_on_ = true;
    if (first_ || !frame_start) {
      first_ = false;
      return Next::look;
    }
    if (!pool_.park()) return stop();
    parked_ = true;
    sleep();
    return Next::wait;
  }
  std::shared_ptr<Landing> landing(const FrameHeader& header) override {
    return connection_.landing_of(header);
  }
  /** Threads that wait for the client want to know whether it lives. */
  void came(ssize_t got) override {
    if (got > 0) connection_.heard.fetch_add(1, std::memory_order_relaxed);
    is_over();
  }
  /** Whoever runs its calls makes room. */
  Crowded crowded() override {
    if (!server_.will_have_room(connection_)) return Crowded::fail;
    server_.flush(connection_);
    const WaitForPeer waits;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Crowded::again;
  }

 private:
  /** Nothing has come so far. A process that was stopped and goes on, or handles a signal, is
   *  interrupted: that is as if nothing had. */
  Next go_on(bool frame_start) {
    if (sleeps_ || frame_start || !pool_.is_attended()) return stop();
    sleep();
    return Next::sleep;
  }
  Next stop() {
    is_over();
    errno = EAGAIN;
    return Next::stop;
  }
  void sleep() {
    sleeps_ = true;
    connection_.attended.store(true, std::memory_order_relaxed);
  }
  void is_over() {
    goes_on_ = false;
    if (sleeps_) connection_.attended.store(false, std::memory_order_relaxed);
    sleeps_ = false;
    connection_.looked = pool_.tick();
    if (!parked_) return;
    const int err = errno;
    parked_ = false;
    pool_.unpark();
    errno = err;
  }

  Server& server_;
  WorkerPool& pool_;
  ServerConnection& connection_;
  bool first_ = true;     ///< epoll said that there is something
  bool goes_on_ = false;  ///< it has looked, in vain so far
  bool parked_ = false;
  bool sleeps_ = false;
  unsigned looks_ = 0;
};

namespace {

/** Reads and drops what the peer has sent already, so that closing does not destroy our last words
 *  on their way (a close with unread data resets the connection). */
void drain(Channel& channel) {
  for (int i = 0; i < 64; ++i) {
    const bool has_more = channel.await(true, false, -1, std::chrono::milliseconds(0)).readable;
    if (!has_more || !channel.discard()) break;
  }
}

/** The call that a worker has read, if it was not run, is in work no longer than its connection. */
struct EndOfCall {
  IncomingCall& call;
  ~EndOfCall() { call.count.end(); }
};

}  // namespace

void Server::serve_connection(ServerConnection& connection, Worker& worker) {
  const auto keep = connection.shared_from_this();
  const EndOfCall end_of_call{worker.call};
  connection.attended.exchange(false);  // what the previous reader did happened before
  worker.buffer.clear();                // whatever a connection that was closed has left
  try {
    if (!connection.greeted && !greet(connection)) return;
    if (!connection.deferred.empty()) {
      worker.ready = {};  // what is read behind them came later
      if (!read_ahead(connection)) return;
    }
    read_frames(connection, worker);
  } catch (const std::exception& error) {
    drop(worker.call);
    worker.call.count.end();
    refuse(connection, reason_of(error));
  }
}

void Server::arm(ServerConnection& connection) {
  connection.attended = true;
  if (connection.channel->has_buffered()) {
    pool_.enqueue(&connection);
  } else {
    pool_.arm(connection.channel->descriptor(), &connection);
  }
}

/** Gives the connection to whoever reads it next, at once if there is something to do already. */
void Server::let_go(ServerConnection& connection, Clock::time_point since) {
  if (connection.pending.empty() && connection.unsent_calls == 0 && connection.deferred.empty()) {
    arm(connection);
  } else {
    pool_.enqueue(&connection, since);
  }
}

/** The reading worker's last act. Calls in work finish; their answers go nowhere. */
void Server::close(ServerConnection& connection) {
  flush(connection);
  connection.fail(Error(Failure::unexpected_close, "the client closed the connection"));
  {
    const std::lock_guard lock(connection.write);
    drop_answers(connection);
  }
  pool_.remove(connection.channel->descriptor());
  for (IncomingCall& each : connection.deferred) {
    pass_lane_on(connection, each);
    each.count.end();  // which the connection must outlive
    forget(Ledger::Forgotten(std::make_shared<IncomingCall>(std::move(each))));
  }
  connection.deferred.clear();
  if (connection.session != nullptr) end_stream(connection);
  if (connection.is_logged) host_.log_detail("connection of " + connection.peer + " closed");
  const std::lock_guard lock(mutex_);
  connections_.erase(&connection);
}

/** What was read is all that ever will be: that counts for releases, and the client may want to
 * know of it. */
void Server::end_stream(ServerConnection& connection) {
  const std::shared_ptr<Session> session = connection.session;
  if (connection.stream->end()) connection.go_on();
  if (!connection.said_goodbye && connection.number() != 0) {
    // By a worker, as it may have to wait for the client.
    run_in_worker([back = session->back, stream = connection.stream](Worker&) {
      for (Notice& each : Notice::end_of(*stream)) back->tell(std::move(each));
    });
  }
  session->streams->tidy();
  forget(ledger_.close(session));
}

/** The peer broke the protocol or passed a limit: says so, closes. */
void Server::refuse(ServerConnection& connection, const std::string& why) {
  flush(connection);
  counters_.errors.fetch_add(1, std::memory_order_relaxed);
  host_.log("closing the connection of " + connection.peer + ": " + why);
  if (connection.greeted) send_goodbye(connection, true, why);
  connection.channel->finish_sending();
  drain(*connection.channel);
  close(connection);
}

void Server::send_goodbye(ServerConnection& connection, bool is_failure, const std::string& text,
                          Clock::time_point until) {
  Encoder body;
  body.put<std::uint32_t>(is_failure ? 1 : 0);
  body.put_string(std::string_view(text).substr(0, max_name));
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::goodbye);
  header.body = static_cast<std::uint32_t>(body.body_size());
  // Not for long: a peer that takes nothing must not hold up the end of a server.
  std::unique_lock lock(connection.write, std::try_to_lock);
  while (!lock.owns_lock() && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    static_cast<void>(lock.try_lock());
  }
  if (lock.owns_lock() && !connection.is_clogged) connection.channel->try_send(header, body);
}

/** Goes on with the handshake; true when it is done. Else the connection is armed or closed. */
bool Server::greet(ServerConnection& connection) {
  std::byte skipped[max_extension];
  while (connection.hello_got < hello_bytes || connection.extension_left > 0) {
    const bool extension = connection.hello_got == hello_bytes;
    const auto to = extension ? std::span(skipped).first(connection.extension_left)
                              : std::span(connection.hello).subspan(connection.hello_got);
    const ssize_t got = connection.channel->receive_greeting(to);
    if (got < 0 && errno == EAGAIN) {
      arm(connection);
      return false;
    }
    if (got <= 0) {
      close(connection);
      return false;
    }
    const auto count = static_cast<std::size_t>(got);
    if (extension) {
      connection.extension_left -= count;
      continue;
    }
    connection.hello_got += count;
    if (!has_magic({connection.hello.data(), connection.hello_got})) break;
    const Hello hello = decode_hello(connection.hello);
    if (connection.hello_got == hello_bytes && hello.extension <= max_extension) {
      connection.extension_left = hello.extension;
    }
  }
  return finish_greeting(connection);
}

bool Server::finish_greeting(ServerConnection& connection) {
  const Hello hello = decode_hello(connection.hello);
  Limits limits = options_.limits;
  limits.lease_ms = lease_ms_;
  std::string text;
  Welcome welcome = answer(hello, limits, id_, text);
  if (!has_magic(connection.hello)) {
    welcome.version = 0;
    welcome.refusal = Refusal::not_shinar;
    text = "this is a simhandle server, and the greeting is not simhandle's";
  } else if (connection.surplus != 0) {
    welcome.version = 0;
    welcome.refusal = Refusal::too_many_connections;
    text = Limits::exceeded("connections of the server", options_.limits.connections,
                            connection.surplus, "SIDL_RMI_MAX_CONNECTIONS")
               .what();
  } else if (stopped_) {
    welcome.version = 0;
    welcome.refusal = Refusal::shutting_down;
    text = "the server is shutting down";
  }
  welcome.extension = static_cast<std::uint32_t>(text.size());
  const HelloBytes bytes = encode(welcome);
  std::vector<std::byte> out(bytes.begin(), bytes.end());
  const auto* const more = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), more, more + text.size());
  if (welcome.version != 0) {
    connection.set_limits(std::max(hello.inline_bytes, least_inline_bytes), hello.message_bytes);
    connection.keepalive_ms = welcome.keepalive_ms;
    connection.session = ledger_.open(hello.session, std::chrono::milliseconds(welcome.lease_ms));
    // Before the client can send anything over it, or name it elsewhere.
    connection.stream->number = hello.number;
    connection.session->streams->add(connection.stream);
    way_back(connection).expect(connection.shared_from_this());
  }
  connection.channel->send_greeting(out);
  if (welcome.version != 0) {
    connection.greeted.store(true, std::memory_order_release);
    if (host_.logs_details()) {
      connection.is_logged = true;
      host_.log_detail("connection of " + connection.peer);
    }
    return true;
  }
  counters_.refused.fetch_add(1, std::memory_order_relaxed);
  host_.log("refusing " + connection.peer + ": " + text);
  connection.channel->finish_sending();
  drain(*connection.channel);
  close(connection);
  return false;
}

void Server::read_frames(ServerConnection& connection, Worker& worker) {
  Wait wait(*this, connection);
  auto arrived = worker.ready;  // of what woke us
  for (;;) {
    if (!connection.deferred.empty() && !run_deferred(connection, worker)) return;
    // Somebody else may have read up to the limit, and left the connection to whoever is ready.
    if (is_full(connection) ||
        connection.in_work >= static_cast<int>(options_.limits.calls_in_work)) {
      if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
      if (throttle(connection)) return;
    }
    if (!connection.pending.empty()) worker.buffer = std::move(connection.pending);
    switch (connection.channel->next(wait, worker.buffer, worker.call.message)) {
      case Channel::Status::message:
        if (!handle(connection, worker, arrived)) return;
        break;
      case Channel::Status::nothing:
        connection.channel->rest();
        arm(connection);
        return;
      case Channel::Status::closed:
        if (!closes_later(connection)) close(connection);
        return;
      case Channel::Status::failed: {
        const int err = errno;
        // A process that ends with something unread resets its connections: that is its end, too.
        if (err != ECONNRESET || connection.channel->within_frame()) {
          host_.log("lost the connection of " + connection.peer + ": " +
                    (err == 0 ? "it ended within a message" : std::strerror(err)));
        }
        close(connection);
        return;
      }
    }
  }
}

/** Runs what was read ahead; false if the connection is not this worker's any more. */
bool Server::run_deferred(ServerConnection& connection, Worker& worker) {
  while (!connection.deferred.empty()) {
    if (is_full(connection) && throttle(connection)) return false;
    if (is_stale(connection)) {
      if (!read_ahead(connection)) return false;
      continue;  // perhaps none is left
    }
    IncomingCall call = std::move(connection.deferred.front());
    connection.deferred.pop_front();
    if (is_nested(call) && connection.deliver_nested(call)) continue;
    if (!execute(connection, worker, call)) return false;
  }
  return true;
}

/**
 * Calls of the connection are in work, and will give memory back when they end: none of them waits
 * for the client, or for anybody else who may wait for what has not been read.
 */
bool Server::will_have_room(const ServerConnection& connection) {
  return connection.is_usable() && connection.in_work != 0 && connection.awaited == 0 &&
         Chains::of_process().waiting() == 0;
}

/** One call is always read; more wait in the socket if there are many, or if they are big. */
bool Server::may_read_ahead(const ServerConnection& connection) const {
  if (!connection.is_usable() || is_full(connection)) return false;
  if (connection.in_work == 0 || connection.awaited != 0) return true;
  if (connection.in_work >= most_in_work()) return false;
  return connection.deferred.empty() || connection.channel->has_room_ahead();
}

}  // namespace shinar::wire
