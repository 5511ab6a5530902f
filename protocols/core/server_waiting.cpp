/** Server: threads that wait for clients, whose objects they call. */
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "chain.hpp"
#include "crew.hpp"
#include "interruption.hpp"
#include "running_call.hpp"
#include "server.hpp"
#include "thread_end.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/** How long a thread that waits sleeps at most before it looks whether it is still worth it. */
constexpr milliseconds glance{100};

}  // namespace

/**
 * How somebody reads who waits for an answer: as long as a glance or a turn, or not at all. Others
 * may have a call for it to run meanwhile.
 */
class Server::Glance final : public Reading {
 public:
  explicit Glance(ServerConnection& connection) : connection_(connection) {}
  /** `bell`: of who waits, `until` when at most. */
  Glance(ServerConnection& connection, Bell& bell, Clock::time_point until)
      : connection_(connection), bell_(&bell), until_(until) {}

  Next next(bool frame_start) override {
    const Tried tried = std::exchange(tried_, Tried::all);
    if (tried == Tried::all) return stop();
    if (tried == Tried::nothing && looks_++ == receives_in_a_turn) return stop();
    if (bell_ == nullptr) return Next::look;
    if (!frame_start) return Next::sleep;
    if (tried == Tried::nothing) {
      tried_ = Tried::spinning;
      return Next::spin;
    }
    const auto left = std::chrono::ceil<milliseconds>(until_ - Clock::now());
    const Channel::Ready ready = connection_.channel->await(true, false, bell_->descriptor(), left);
    if (ready.other) bell_->clear_descriptor();
    return Next::look;
  }
  std::shared_ptr<Landing> landing(const FrameHeader& header) override {
    return connection_.landing_of(header);
  }
  void came(ssize_t got) override {
    if (got > 0) connection_.heard.fetch_add(1, std::memory_order_relaxed);
    tried_ = Tried::nothing;
  }
  Crowded crowded() override {
    return bell_ == nullptr && will_have_room(connection_) ? Crowded::stop : Crowded::fail;
  }

 private:
  enum class Tried { nothing, spinning, all };
  Next stop() {
    tried_ = Tried::nothing;
    errno = EAGAIN;
    return Next::stop;
  }

  ServerConnection& connection_;
  Bell* const bell_ = nullptr;
  const Clock::time_point until_{};
  Tried tried_ = Tried::nothing;  ///< since something came
  unsigned looks_ = 0;
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

/** A thread that waits for the client, as the server and the connection know it. */
class Server::Waiting {
 public:
  explicit Waiting(ServerConnection& connection) : connection_(connection) {
    connection_.server.waiting_.fetch_add(1);
    connection_.awaited.fetch_add(1);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    connection_.awaited.fetch_sub(1);
    connection_.server.waiting_.fetch_sub(1);  // the last that is seen of the server
  }

 private:
  ServerConnection& connection_;
};

void ServerConnection::go_on() {
  server.forget(server.ledger_.go_on(*session, *stream));
}

void ServerConnection::dispose(Ended what) {
  server.forget(std::move(what));
}

void ServerConnection::await(Waiter& waiter, Deadline deadline) {
  const PolledBell polled(waiter.bell);
  std::optional<Cancelling> not_now;  // a worker has things to put in order before
  if (CallsOfThread::here().is_of_runtime) not_now.emplace(PTHREAD_CANCEL_DISABLE);
  {
    std::optional<Server::Waiting> waiting;
    {
      std::unique_lock lock(state_);
      if (is_concluded(waiter)) {
        conclude(waiter, lock);
        return;
      }
      waiting.emplace(*this);  // under the lock: the server ends after this has ended
    }
    server.unthrottle(*this);
    server.wait_for_client(*this, waiter, deadline);
  }
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
  WaitForPeer wait;
  std::optional<Standby> standby;
  if (running != nullptr) standby.emplace(waiter);
  Interruption interruption;
  const auto meanwhile = [&](auto action) {
    wait.end();
    if (standby) standby->pause();
    if (worker != nullptr) pool_.resume(*worker, &connection, reads);
    {
      const SuspendedWait suspended(connection, waiter);
      action();
    }
    if (worker != nullptr) reads = pool_.end(*worker);
    if (standby) standby->resume();
    wait.begin();
  };
  std::unique_lock lock(connection.state_);
  bool leaves = false;
  while (!leaves && !connection.is_concluded(waiter) && (!deadline || Clock::now() < *deadline)) {
    if (!waiter.nested.empty()) {
      IncomingCall call = std::move(waiter.nested.front());
      waiter.nested.erase(waiter.nested.begin());
      ServerConnection::suspend(waiter);
      lock.unlock();
      meanwhile([&] { run_nested(connection, worker, call); });
      lock.lock();
      continue;
    }
    waiter.bell.forget(Waiter::called);  // there is nothing of that, but perhaps of the chain
    const bool has_work = standby && standby->has_work();
    const bool is_interrupted = interruption.is_due();
    ServerConnection::suspend(waiter);
    waiter.listens = !has_work && !is_interrupted;
    lock.unlock();
    if (has_work) {
      // What has come for the chain would end with what was given up.
      if (standby->is_given_up()) {
        connection.cancel(waiter, RunningCall::given_up);
      } else if (auto call = standby->take()) {
        meanwhile([&] { call->link->run_here(call->call); });
      }
      lock.lock();
      continue;
    }
    if (is_interrupted) {
      bool has_come = false;
      meanwhile([&] { has_come = interruption.has_come(); });
      leaves = has_come && waiter.is_ticket;
      if (has_come && !leaves) connection.cancel(waiter, Interrupted::text);
      lock.lock();
      continue;
    }
    auto until = Clock::now() + glance;
    if (deadline) until = std::min(until, *deadline);
    if (reads) {
      reads = read_for(connection, *worker, waiter, standby ? &*standby : nullptr, until);
    } else {
      const bool delivered = (waiter.bell.wait(until) & Waiter::delivered) != 0;
      if (delivered && !waiter.is_ticket) waiter.done = true;
    }
    patience.look();
    lock.lock();
  }
  lock.unlock();
  if (worker != nullptr) pool_.resume(*worker, &connection, reads);
  if (leaves) throw Interrupted(Fate::may_have_executed);
}

/** Reads what comes until then; false if the connection is not this thread's any more. */
bool Server::read_for(ServerConnection& connection, Worker& worker, Waiter& waiter,
                      Standby* standby, Clock::time_point until) {
  if (is_full(connection)) {
    // Nothing more is read that would have to be answered, until there is room.
    waiter.bell.wait(until);
    return true;
  }
  if (!connection.deferred.empty()) {
    // Others have read them; who runs them reads on.
    let_go(connection);
    return false;
  }
  Glance glance_at(connection, waiter.bell, until);
  if (!connection.pending.empty()) worker.buffer = std::move(connection.pending);
  try {
    Message message;
    while (!waiter.done && !waiter.bell.is_rung(Waiter::called) &&
           !(standby != nullptr && standby->has_work())) {
      const auto status = connection.channel->next(glance_at, worker.buffer, message);
      if (status == Channel::Status::nothing) break;
      if (status != Channel::Status::message) {
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
  if (!connection.is_introduced) introduce(connection);
  switch (message.type()) {
    case FrameType::reply:
    case FrameType::exception:
    case FrameType::error:
      take_answer(connection, message, self);
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
  if (!count_work(connection, call)) {
    forget(Ledger::Forgotten(std::make_shared<IncomingCall>(std::move(call))));
    return Sorted::handled;
  }
  if (is_nested(call) && connection.deliver_nested(call)) return Sorted::handled;
  switch (line_up(connection, call)) {
    case Lanes::Turn::now:
      break;
    case Lanes::Turn::never:
      call.count.end();  // which the connection must outlive
      forget(Ledger::Forgotten(std::make_shared<IncomingCall>(std::move(call))));
      return Sorted::handled;
    case Lanes::Turn::later:
      return Sorted::handled;  // whoever runs the one before it runs it
  }
  connection.deferred.push_back(std::move(call));
  const std::size_t most = std::size_t{options_.limits.calls_in_work} * calls_in_work_while_waiting;
  if (connection.deferred.size() > most) {
    throw Limits::too_many_calls(most, connection.deferred.size());
  }
  return Sorted::deferred;
}

/**
 * Reads what has come, and leaves the calls in it for later: so the client's word that it gave a
 * call up, or the end of the client, is heard before the calls begin that were sent before. False
 * if the connection was closed; throws if it has to be.
 */
bool Server::read_ahead(ServerConnection& connection) {
  connection.looked = pool_.tick();
  Glance glance_at(connection);
  ReceiveBuffer buffer = std::move(connection.pending);
  Message message;
  while (may_read_ahead(connection)) {
    const auto status = connection.channel->next(glance_at, buffer, message);
    if (status == Channel::Status::nothing) break;
    if (status != Channel::Status::message) {
      // Who waits shall wait no longer; a worker closes when it has run what is left.
      connection.fail(Error(Failure::unexpected_close, "the client closed the connection",
                            Fate::may_have_executed));
      break;
    }
    if (sort(connection, message, nullptr) == Sorted::closed) return false;
  }
  if (!buffer.empty()) connection.pending = std::move(buffer);
  return true;
}

/**
 * All workers are at work: new clients are greeted all the same, and what has come from others is
 * read as far as it runs no code of users. So answers that workers wait for are found, and a client
 * learns that the server lives. Watch thread: calls are left to the workers, and others who have
 * some waiting are looked at again now and then, for they may give them up; their deadlines count
 * from when they are read.
 */
void Server::skim_all() {
  constexpr std::uint64_t ticks_between = 10;
  int looks = 64;  // that may turn out to be for nothing
  const auto wanted = [&](void* what) {
    if (door_of(what) != nullptr) return true;
    ServerConnection* const connection = connection_of(what);
    if (connection == nullptr || !may_read_ahead(*connection)) return false;
    if (connection->deferred.empty() || connection->awaited != 0) return true;
    return pool_.tick() - connection->looked >= ticks_between && looks-- > 0;
  };
  for (const WorkerPool::Ready& each : pool_.take_over(wanted)) {
    if (Door* const door = door_of(each.what)) {
      accept_all(*door);
    } else {
      skim(*connection_of(each.what), each.since);
    }
  }
}

/** `since`: when the connection was ready, for it keeps its place. */
void Server::skim(ServerConnection& connection, Clock::time_point since) {
  const auto keep = connection.shared_from_this();
  connection.attended.exchange(false);  // what the previous reader did happened before
  try {
    if (!connection.greeted && !greet(connection)) return;
    if (!read_ahead(connection)) return;
  } catch (const std::exception& error) {
    refuse(connection, reason_of(error));
    return;
  }
  let_go(connection, since);
}

}  // namespace shinar::wire
