/** Server: threads that wait for clients, whose objects they call. */
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "running_call.hpp"
#include "server.hpp"

namespace simhandle {
namespace {

using std::chrono::milliseconds;

/** How long a thread that waits sleeps at most before it looks whether it is still worth it. */
constexpr milliseconds glance{100};

}  // namespace

/** How somebody reads who waits for an answer: as long as a glance, or not at all. */
class Server::Glance : public Receiver {
 public:
  Glance(ServerConnection& connection, bool may_wait)
      : connection_(connection), may_wait_(may_wait) {}

  ssize_t receive(void* to, std::size_t size, bool frame_start) override {
    const int fd = connection_.socket.fd();
    if (may_wait_ && frame_start) {
      const ssize_t got = connection_.spin.receive(fd, to, size);
      if (got >= 0 || errno != EAGAIN) return heard(got);
    }
    return heard(::recv(fd, to, size, may_wait_ ? 0 : MSG_DONTWAIT));
  }

 private:
  ssize_t heard(ssize_t got) {
    if (got > 0) connection_.heard.fetch_add(1, std::memory_order_relaxed);
    if (got < 0 && errno == EINTR) errno = EAGAIN;
    return got;
  }

  ServerConnection& connection_;
  const bool may_wait_;
};

/** Ends a connection whose client has not been heard of for too long; pings it before. */
class Server::Patience {
 public:
  explicit Patience(ServerConnection& connection) : connection_(connection) {}

  /** Called at least every glance. */
  void look() {
    const auto now = Clock::now();
    const std::uint32_t heard = connection_.heard.load(std::memory_order_relaxed);
    if (heard != heard_) misses_ = 0;
    if (heard != heard_) since_ = now;
    heard_ = heard;
    if (now - since_ < milliseconds(connection_.keepalive_ms)) return;
    since_ = now;
    if (++misses_ < keepalive_misses) {
      connection_.send_bare(FrameType::ping);
    } else {
      connection_.fail(Error(Failure::unexpected_close, "the client does not answer keepalives",
                             Fate::may_have_executed, ETIMEDOUT));
    }
  }

 private:
  ServerConnection& connection_;
  std::uint32_t heard_ = connection_.heard.load(std::memory_order_relaxed);
  Clock::time_point since_ = Clock::now();
  int misses_ = 0;
};

void ServerConnection::await(Waiter& waiter, Deadline deadline) {
  {
    std::unique_lock lock(state_);
    if (is_concluded(waiter)) {
      conclude(waiter, lock);
      return;
    }
    server.waiting_.fetch_add(1);  // under the lock: the server ends after this has ended
    awaited.fetch_add(1);
  }
  server.unthrottle(*this);
  server.wait_for_client(*this, waiter, deadline);
  awaited.fetch_sub(1);
  server.waiting_.fetch_sub(1);
  std::unique_lock lock(state_);
  conclude(waiter, lock);
}

/**
 * Waits until the answer is there, or never will be. If this thread runs a call that it read from
 * the same connection, it reads on, so that nobody else is needed; otherwise a worker hands the
 * answer over.
 */
void Server::wait_for_client(ServerConnection& connection, Waiter& waiter, Deadline deadline) {
  RunningCall* const running = RunningCall::innermost();
  Worker* const worker =
      running != nullptr && &running->link() == &connection ? running->worker() : nullptr;
  bool reads = worker != nullptr && pool_.end(*worker);
  Patience patience(connection);
  flush(connection);  // answers that waited for company
  std::unique_lock lock(connection.state_);
  while (!connection.is_concluded(waiter) && (!deadline || Clock::now() < *deadline)) {
    if (!waiter.nested.empty()) {
      IncomingCall call = std::move(waiter.nested.front());
      waiter.nested.erase(waiter.nested.begin());
      lock.unlock();
      if (worker != nullptr) pool_.resume(*worker, &connection, reads);
      run_nested(connection, worker, call);
      if (worker != nullptr) reads = pool_.end(*worker);
      lock.lock();
      continue;
    }
    lock.unlock();
    if (reads) {
      reads = read_for(connection, *worker, waiter);
    } else {
      auto until = Clock::now() + glance;
      if (deadline) until = std::min(until, *deadline);
      const bool delivered = (waiter.bell.wait(until) & Waiter::delivered) != 0;
      if (delivered && !waiter.is_ticket) waiter.done = true;
    }
    patience.look();
    lock.lock();
  }
  lock.unlock();
  if (worker != nullptr) pool_.resume(*worker, &connection, reads);
}

/** Reads what comes within a glance; false if the connection is not this thread's any more. */
bool Server::read_for(ServerConnection& connection, Worker& worker, Waiter& waiter) {
  Glance glance_at(connection, true);
  if (!connection.pending.empty()) worker.buffer = std::move(connection.pending);
  try {
    Message message;
    while (!waiter.done && waiter.nested.empty()) {
      const auto status = connection.reader.next(glance_at, worker.buffer, message);
      if (status == FrameReader::Status::nothing) break;
      if (status != FrameReader::Status::message) {
        close(connection);
        return false;
      }
      switch (sort(connection, message, &waiter)) {
        case Sorted::handled:
          break;
        case Sorted::deferred:
          // Another call, which may take long: whoever runs it reads on.
          if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
          let_go(connection);
          return false;
        case Sorted::closed:
          return false;
      }
    }
  } catch (const std::exception& error) {
    refuse(connection, reason_of(error));
    return false;
  }
  if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
  return true;
}

/**
 * What a frame asks for is done, unless it is to run user code that nobody waits for here. `self`:
 * who reads in order to wait; NULL: who must not run user code.
 */
Server::Sorted Server::sort(ServerConnection& connection, Message& message, Waiter* self) {
  switch (message.type()) {
    case FrameType::reply:
    case FrameType::exception:
    case FrameType::error:
      connection.deliver(message, self);
      return Sorted::handled;
    case FrameType::release:
      if (self == nullptr) break;  // destructors are user code, too
      ledger_.change(*connection.session, message);
      return Sorted::handled;
    case FrameType::request:
    case FrameType::oneway:
    case FrameType::create:
    case FrameType::attach:
      break;
    default:
      return handle_small(connection, message) ? Sorted::handled : Sorted::closed;
  }
  IncomingCall call = incoming(connection, message, Clock::now());
  if (is_nested(call) && connection.deliver_nested(call)) return Sorted::handled;
  connection.deferred.push_back(std::move(call));
  check_work(connection.deferred.size());
  return Sorted::deferred;
}

/**
 * All workers are at work, and some of them wait for clients: their answers are looked for, lest
 * nobody ever reads them. Watch thread, which runs no user code: calls are left to the workers.
 */
void Server::skim_all() {
  if (waiting_.load(std::memory_order_relaxed) == 0) return;
  for (void* const what : pool_.take_over()) {
    if (ServerConnection* const connection = connection_of(what)) {
      skim(*connection);
    } else {
      pool_.enqueue(what);
    }
  }
}

void Server::skim(ServerConnection& connection) {
  const auto keep = connection.shared_from_this();
  Glance glance_at(connection, false);
  ReceiveBuffer buffer;
  if (!connection.pending.empty()) buffer = std::move(connection.pending);
  try {
    Message message;
    while (connection.greeted && connection.awaited != 0) {
      const auto status = connection.reader.next(glance_at, buffer, message);
      if (status == FrameReader::Status::nothing) break;
      if (status != FrameReader::Status::message) {
        // Who waits shall wait no longer; a worker, of which there is one then, closes.
        connection.fail(Error(Failure::unexpected_close, "the client closed the connection",
                              Fate::may_have_executed));
        break;
      }
      if (sort(connection, message, nullptr) == Sorted::closed) return;
    }
  } catch (const std::exception& error) {
    refuse(connection, reason_of(error));
    return;
  }
  if (!buffer.empty()) connection.pending = std::move(buffer);
  let_go(connection);
}

}  // namespace simhandle
