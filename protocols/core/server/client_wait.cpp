#include "core/server/client_wait.hpp"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "core/running_call.hpp"
#include "core/server/brief_reading.hpp"
#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"
#include "core/thread_end.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/** Longest sleep of a waiting thread between its checks. */
constexpr milliseconds look_interval{100};
/** The same, of one whose client has been too fast. */
constexpr milliseconds pace_interval{10};

/** The worker, if this thread runs a call that it read from this connection, else NULL. */
Worker* worker_of(const RunningCall* running, const Link& link) {
  return running != nullptr && &running->link() == &link ? running->worker() : nullptr;
}

}  // namespace

ClientPatience::ClientPatience(ServerConnection& connection)
    : connection_(connection), heard_(connection.reader.heard()) {}

void ClientPatience::look() {
  const auto now = Clock::now();
  const std::uint32_t heard = connection_.reader.heard();
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

/** Counts a thread as waiting for the client, with the server and the connection. */
class ClientWait::Counted {
 public:
  explicit Counted(ServerConnection& connection) : connection_(connection) {
    connection_.server.waiting.fetch_add(1);
    connection_.awaited_.fetch_add(1);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() {
    connection_.awaited_.fetch_sub(1);
    connection_.server.waiting.fetch_sub(1);  // the last access to the server
  }

 private:
  ServerConnection& connection_;
};

void ClientWait::await(ServerConnection& connection, Waiter& waiter, Deadline deadline) {
  const PolledEvent polled(waiter.event);
  std::optional<Cancelling> not_now;  // a worker must restore its state before it may be cancelled
  if (CallsOfThread::here().is_of_runtime) not_now.emplace(PTHREAD_CANCEL_DISABLE);
  {
    std::optional<Counted> counted;
    {
      std::unique_lock lock(connection.state_);
      if (connection.is_concluded(waiter)) {
        connection.conclude(waiter, lock);
        return;
      }
      counted.emplace(connection);  // locked, so that stop() waits for it
    }
    connection.reader.unthrottle();
    ClientWait(connection, waiter, deadline).run();
  }
  std::unique_lock lock(connection.state_);
  connection.conclude(waiter, lock);
}

ClientWait::ClientWait(ServerConnection& connection, Waiter& waiter, Deadline deadline)
    : connection_(connection),
      waiter_(waiter),
      deadline_(deadline),
      running_(RunningCall::innermost()),
      worker_(worker_of(running_, connection)),
      reads_(worker_ != nullptr && connection.server.pool.end(*worker_)),
      patience_(connection) {
  connection_.replies.flush();  // answers held back for batching
  wait_.emplace();
  if (running_ != nullptr) standby_.emplace(waiter);
}

/** Runs something, during which the thread does not count as waiting. */
template <class Action>
void ClientWait::meanwhile(Action action) {
  wait_->end();
  if (standby_) standby_->pause();
  if (worker_ != nullptr) connection_.server.pool.resume(*worker_, connection_, reads_);
  {
    const SuspendedWait suspended(connection_, waiter_);
    action();
  }
  if (worker_ != nullptr) reads_ = connection_.server.pool.end(*worker_);
  if (standby_) standby_->resume();
  wait_->begin();
}

/** Waits until the answer is there, or cannot come any more. */
void ClientWait::run() {
  std::unique_lock lock(connection_.state_);
  bool leaves = false;
  while (!leaves && !connection_.is_concluded(waiter_) &&
         (!deadline_ || Clock::now() < *deadline_)) {
    if (slow_down(lock) || run_nested(lock)) continue;
    waiter_.event.clear(Waiter::called);  // no nested call is left, but perhaps one of the chain
    const bool has_work = standby_ && standby_->has_work();
    const bool is_interruption_due = interruption_.is_due();
    ServerConnection::suspend(waiter_);
    waiter_.listens = !has_work && !is_interruption_due;
    lock.unlock();
    if (has_work) {
      run_chain();
    } else if (is_interruption_due) {
      leaves = is_interrupted();
    } else {
      auto until = Clock::now() + look_interval;
      if (deadline_) until = std::min(until, *deadline_);
      wait_until(until);
      if (!is_too_fast()) patience_.look();  // else nothing may have been read
    }
    lock.lock();
  }
  lock.unlock();
  if (worker_ != nullptr) connection_.server.pool.resume(*worker_, connection_, reads_);
  if (leaves) throw Interrupted(Fate::may_have_executed);
}

/** What the quota says of a second holds within calls, too. */
bool ClientWait::is_too_fast() const {
  return connection_.party->is_limited() && !connection_.party->keeps_pace();
}

/** Waits a little before a call is run for a client that was too fast; false if there is none. */
bool ClientWait::slow_down(std::unique_lock<Link::StateMutex>& lock) {
  const bool has_work = standby_ && standby_->has_work() && !standby_->is_given_up();
  if ((waiter_.nested.empty() && !has_work) || !is_too_fast()) return false;
  waiter_.event.clear(Waiter::called);
  ServerConnection::suspend(waiter_);
  lock.unlock();
  sleep_until(Clock::now() + pace_interval);
  lock.lock();
  return true;
}

/** Runs a call nested in what the thread waits for; false if there is none. */
bool ClientWait::run_nested(std::unique_lock<Link::StateMutex>& lock) {
  if (waiter_.nested.empty()) return false;
  IncomingCall call = std::move(waiter_.nested.front());
  waiter_.nested.erase(waiter_.nested.begin());
  ServerConnection::suspend(waiter_);
  lock.unlock();
  if (connection_.party->is_limited()) connection_.party->charge_call();
  meanwhile([&] { connection_.calls.run_nested(worker_, call); });
  lock.lock();
  return true;
}

/**
 * Runs a call of the chain; or cancels what this thread waits for if its own caller has given up.
 */
void ClientWait::run_chain() {
  // Calls that have come for the chain would be cancelled as well.
  if (standby_->is_given_up()) {
    connection_.cancel(waiter_, RunningCall::given_up);
  } else if (auto call = standby_->take()) {
    if (connection_.party->is_limited()) connection_.party->charge_call();
    meanwhile([&] { call->link->run_here(call->call); });
  }
}

/** Handles an interruption (Ctrl-C), if any; true if the thread shall leave its wait. */
bool ClientWait::is_interrupted() {
  bool has_come = false;
  meanwhile([&] { has_come = interruption_.has_come(); });
  if (has_come && waiter_.is_ticket) return true;
  if (has_come) connection_.cancel(waiter_, Interrupted::text);
  return false;
}

void ClientWait::wait_until(Clock::time_point until) {
  if (reads_ && !is_too_fast()) {
    reads_ = read_until(until);
  } else {
    sleep_until(reads_ ? std::min(until, Clock::now() + pace_interval) : until);
  }
}

/**
 * A connection that waits for its tenant's share is watched by nobody, and the answer comes over
 * it: this thread has it read. Returns when it shall look again.
 */
ClientWait::Clock::time_point ClientWait::glance_at_held() {
  constexpr milliseconds glance{2};
  const bool has_been_told = waiter_.event.is_set(~std::uint32_t{0});
  if (!has_been_told && connection_.reader.admission.is_in_line()) {
    pollfd something{connection_.channel->descriptor(), POLLIN, 0};
    if (::poll(&something, 1, static_cast<int>(glance.count())) <= 0) return {};
    if (!is_too_fast()) connection_.reader.unthrottle();
  }
  return Clock::now() + glance;
}

/** Or until the answer is there, or something to run. */
void ClientWait::sleep_until(Clock::time_point until) {
  if (!reads_ && connection_.party->is_limited()) until = std::min(until, glance_at_held());
  const bool delivered = (waiter_.event.wait(until) & Waiter::delivered) != 0;
  if (delivered && !waiter_.is_ticket) waiter_.done = true;
}

/** Reads until then; false if this thread is not the reader any more. */
bool ClientWait::read_until(Clock::time_point until) {
  ConnectionReader& reader = connection_.reader;
  if (connection_.replies.is_full()) {
    // Read nothing more that needs an answer until the backlog is below the limit.
    waiter_.event.wait(until);
    return true;
  }
  if (reader.has_deferred()) {
    // Other readers deferred calls; the worker that runs them continues to read.
    reader.let_go();
    return false;
  }
  ReceiveBuffer& buffer = worker_->buffer;
  BriefReading reading(connection_, waiter_.event, until);
  reader.go_on_with(buffer);
  try {
    Message message;
    while (!waiter_.done && !waiter_.event.is_set(Waiter::called) &&
           !(standby_ && standby_->has_work()) && !is_too_fast()) {
      const auto status = connection_.channel->next(reading, buffer, message);
      if (status == Channel::Status::nothing) break;
      if (status != Channel::Status::message) {
        reader.close();
        return false;
      }
      switch (reader.sort(message, &waiter_)) {
        case ConnectionReader::Sorted::handled:
          break;
        case ConnectionReader::Sorted::deferred:
          // An unrelated call, which may take long: the worker that runs it continues to read.
          reader.keep(buffer);
          reader.let_go();
          return false;
        case ConnectionReader::Sorted::closed:
          return false;
      }
    }
  } catch (const std::exception& error) {
    reader.refuse(reason_of(error));
    return false;
  }
  reader.keep(buffer);
  return true;
}

}  // namespace shinar::wire
