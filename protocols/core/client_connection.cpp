#include "client_connection.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "callee.hpp"
#include "cargo.hpp"
#include "crew.hpp"
#include "decoder.hpp"
#include "exports.hpp"
#include "lookout.hpp"
#include "thread_end.hpp"

namespace shinar::wire {

using std::chrono::milliseconds;

namespace {

Error no_answer_to_pings() {
  return Error(Failure::unexpected_close, "the server does not answer keepalives",
               Fate::may_have_executed, ETIMEDOUT);
}

}  // namespace

/**
 * How the leader waits: it spins, then sleeps in recv, with pings and the deadline in between. If
 * other threads may hand it a call to run, it polls for that, too.
 */
class ClientConnection::Wait final : public Reading {
 public:
  Wait(ClientConnection& connection, Waiter& waiter, Deadline deadline, Lookout* lookout)
      : connection_(connection),
        event_(waiter.expects_calls || (lookout != nullptr && lookout->expects_calls())
                   ? &waiter.event
                   : nullptr),
        deadline_(deadline),
        lookout_(lookout),
        polls_(deadline || lookout != nullptr || event_ != nullptr) {
    // A thread that looks up now and then goes on with the silence that it has listened to.
    const bool goes_on = lookout != nullptr && std::exchange(lookout->has_led, true);
    if (!goes_on) connection.quiet_since_.reset();
  }
  enum class Patience { none, no_wait, full };
  /** `no_wait` takes what is available, `none` only what has been received already. */
  Wait(ClientConnection& connection, Patience patience)
      : connection_(connection), patience_(patience) {}

  bool deadline_passed() const { return deadline_passed_; }
  /** With no_wait: it stopped although there may be more to read. */
  bool has_had_its_turn() const { return looks_ > receives_in_a_turn; }

  Next next(bool frame_start) override {
    const bool is_first = !std::exchange(has_tried_, true);
    if (patience_ != Patience::full) return is_first && may_look() ? Next::look : stop(EAGAIN);
    if (!polls_) {
      if (is_first) return frame_start ? Next::wait : Next::sleep;
      return errno == EINTR || connection_.endure_silence() ? Next::sleep : stop(errno);
    }
    if (is_first && frame_start && ++looks_ % receives_in_a_turn != 0) return Next::spin;
    return wait_for_more(frame_start) ? Next::look : stop(errno);
  }
  std::shared_ptr<Landing> landing(const FrameHeader& header) override {
    return connection_.landing_of(header);
  }
  void came(ssize_t) override {
    connection_.misses_ = 0;
    connection_.quiet_since_.reset();
    has_tried_ = false;
  }

 private:
  bool may_look() { return patience_ == Patience::no_wait && looks_++ < receives_in_a_turn; }
  Next stop(int why) {
    has_tried_ = false;
    errno = why;
    return Next::stop;
  }

  /**
   * Waits until there is something to read; false if the deadline passed, the peer is dead or the
   * thread has something else to do (calls of its chain wait until the end of a frame).
   */
  bool wait_for_more(bool frame_start) {
    const bool listens = event_ != nullptr && frame_start;
    const int wake_fd = listens ? event_->descriptor() : -1;
    Deadline& quiet_since = connection_.quiet_since_;
    const bool cannot_be_woken = listens && wake_fd < 0;  // the process is out of descriptors
    for (;;) {
      const auto now = Clock::now();
      if (!quiet_since) quiet_since = now;
      auto patience = std::chrono::ceil<milliseconds>(*quiet_since + connection_.interval_ - now);
      if (deadline_) {
        const auto left = std::chrono::ceil<milliseconds>(*deadline_ - now);
        deadline_passed_ = left.count() <= 0;
        patience = std::min(patience, left);
      }
      if (deadline_passed_ || has_work(frame_start)) {
        errno = EAGAIN;
        return false;
      }
      if (now - *quiet_since >= connection_.interval_) {
        quiet_since = now;
        if (!connection_.endure_silence()) return false;
        continue;
      }
      if (lookout_ != nullptr) patience = std::min(patience, lookout_->patience());
      if (cannot_be_woken) patience = std::min(patience, Standby::look);
      const Channel::Ready ready = connection_.channel->await(true, false, wake_fd, patience);
      if (ready.readable) return true;
      if (ready.other) event_->clear_descriptor();
      if (ready.interrupted && lookout_ != nullptr) lookout_->interruption.hurry();
    }
  }

  bool has_work(bool frame_start) const {
    if (frame_start && event_ != nullptr && event_->is_set(Waiter::called)) return true;
    if (lookout_ == nullptr) return false;
    return frame_start ? lookout_->has_work() : lookout_->interruption.is_due();
  }

  ClientConnection& connection_;
  Event* const event_ =
      nullptr;  ///< of the leader, if other threads may notify it; NULL: only itself
  const Deadline deadline_;
  Lookout* const lookout_ = nullptr;
  const bool polls_ = false;  ///< there is more to watch than the channel
  const Patience patience_ = Patience::full;
  bool has_tried_ = false;  ///< since data arrived
  bool deadline_passed_ = false;
  unsigned looks_ = 0;
};

/** An interval has passed without a byte; false if the peer is to be taken for dead. */
bool ClientConnection::endure_silence() {
  if (++misses_ >= keepalive_misses) {
    errno = ETIMEDOUT;
    return false;
  }
  send_bare(FrameType::ping);
  return true;
}

ClientConnection::ClientConnection(std::unique_ptr<Channel> its_channel, const Welcome& welcome,
                                   const Limits& limits, Callee* peer, Exports* exports,
                                   std::shared_ptr<Streams> streams,
                                   std::shared_ptr<Stream> its_stream)
    : Link(std::move(its_channel), std::move(its_stream)),
      interval_(welcome.keepalive_ms),
      owner_(peer == nullptr ? std::weak_ptr<Callee>() : peer->weak_from_this()),
      peer_serial_(peer == nullptr ? 0 : peer->serial),
      server_(welcome.identity),
      exports_(exports),
      streams_(std::move(streams)),
      most_methods_(limits.methods),
      most_calls_(limits.calls_in_work) {
  set_limits(std::max(welcome.inline_bytes, least_inline_bytes), welcome.message_bytes);
  channel->set_patience(interval_, interval_);
}

/** What is unread stays unread. */
ClientConnection::~ClientConnection() {
  if (stream->end()) go_on();
  let_go_of_unanswered();
}

/** Called by the reader: nothing more will be read. */
void ClientConnection::fail_reading(const Error& error) {
  fail(error);
  if (stream->end()) go_on();
}

bool ClientConnection::is_read_to_the_end() {
  {
    const std::lock_guard lock(state_);
    if (!broken_ || leader_) return stream->has_ended();
    leader_ = true;  // the socket was shut down by a thread that did not read
  }
  if (stream->end()) go_on();
  step_down();
  return true;
}

void ClientConnection::report() noexcept {
  if (const auto peer = owner_.lock()) peer->tidy();
}

bool ClientConnection::is_being_read(Exports* watcher) {
  const std::lock_guard lock(state_);
  if (leader_ && watcher != nullptr) would_read_ = watcher;
  return leader_;
}

/** Makes one of the waiting threads, or the watcher, the next leader. Under state_. */
inline void ClientConnection::wake_successor() {
  if (!leader_ && !waiters_.empty()) choose_successor();
}

void ClientConnection::choose_successor() {
  for (Waiter* const each : waiters_) {
    if (!each->listens) continue;
    each->event.notify(Waiter::look);
    return;
  }
  if (would_read_ != nullptr) std::exchange(would_read_, nullptr)->hurry();
}

/**
 * The sender of a small frame takes the lead before it sends, if it is free, to save taking the
 * lock again. (While it sends a big frame, the answers to other calls would not be read.)
 */
void ClientConnection::call(const Request& request, Message& answer) {
  Waiter waiter{answer};
  if (request.held != nullptr) [[unlikely]]
    waiter.held = request.held;
  waiter.landing = request.landing;
  FrameHeader header;
  bool leads = false;
  complete(header, request);
  const Listed listed(*this, waiter);
  {
    const std::lock_guard lock(state_);
    enter(waiter);
    if (header.segments == 0) leads = !std::exchange(leader_, true);
  }
  header.request = waiter.id;
  const auto give_lead_back = [&] {
    if (leads) step_down();
  };
  Lookout lookout(waiter, request.chain != nullptr && !request.is_outermost);
  Lookout* const also = lookout.get();
  if_thread_ends(give_lead_back, [&] {
    try {
      transmit(header, request, leads);
    } catch (const Error& error) {
      give_lead_back();
      leave(waiter, false);
      give_up(error);
    }
    if (leads) lead(waiter, request.deadline, also, request.crew);
  });
  std::unique_lock lock(state_);
  if (leads) leader_ = false;
  if (leads && waiter.done && waiter.nested.empty()) [[likely]] {
    // Fast path of wait(): this thread has read its answer itself.
    waiter.concluded = true;
    take_out(waiter);
    wake_successor();
    return;
  }
  wait(waiter, request.deadline, also, lock);
}

void ClientConnection::await(Waiter& waiter, Deadline deadline) {
  const PolledEvent polled(waiter.event);
  Lookout lookout(waiter, RunningCall::innermost() != nullptr);
  std::unique_lock lock(state_);
  wait(waiter, deadline, lookout.get(), lock);
}

/** Until the call is over. Under state_. */
void ClientConnection::wait(Waiter& waiter, Deadline deadline, Lookout* lookout,
                            std::unique_lock<StateMutex>& lock) {
  bool leads = false;
  const auto leave_the_rest = [&] {
    if (!lock.owns_lock()) lock.lock();
    if (leads) leader_ = false;
    waiter.listens = false;
    wake_successor();
  };
  bool is_delivered = false;
  waiter.until = deadline;
  waiter.listens = true;
  if_thread_ends(leave_the_rest, [&] {
    while (!is_delivered && !is_concluded(waiter)) {
      if (look_around(waiter, lookout, lock)) {
        if (lookout != nullptr && lookout->was_interrupted) return;
        continue;
      }
      leads = !std::exchange(leader_, true);
      if (leads) waiter.event.clear(Waiter::called);  // none; lead() checks the chain's
      lock.unlock();
      if (leads) {
        lead(waiter, deadline, lookout, CallsOfThread::here().crew);
      } else {
        const WaitForPeer waits;
        auto until = deadline;
        if (lookout != nullptr) {
          const auto next_look = Clock::now() + lookout->patience();
          until = deadline ? std::min(*deadline, next_look) : next_look;
        }
        is_delivered = (waiter.event.wait(until) & Waiter::delivered) != 0;
        if (is_delivered) return;
      }
      lock.lock();
      if (std::exchange(leads, false)) leader_ = false;
      if (!is_concluded(waiter) && deadline && Clock::now() >= *deadline) return;
    }
  });
  if (is_delivered) {
    if (!waiter.is_ticket) waiter.done = true;
    return;
  }
  waiter.listens = false;
  wake_successor();
  if (lookout != nullptr && lookout->was_interrupted && !is_concluded(waiter)) {
    throw Interrupted(Fate::may_have_executed);  // the ticket may be waited for again
  }
  end_wait(waiter, lock);
}

/**
 * A late answer may carry references, which are released when it is read. If no thread of the
 * program calls any more, Exports reads it.
 */
void ClientConnection::answer_is_late() noexcept {
  if (exports_ == nullptr || !is_usable()) return;
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  try {
    exports_->look_after(std::static_pointer_cast<ClientConnection>(shared_from_this()));
  } catch (const std::exception&) {
    // The next call reads it, or the end of the connection releases the references.
  }
}

void ClientConnection::attend_to_observed(Exports& exports) {
  exports.look_after(std::static_pointer_cast<ClientConnection>(shared_from_this()));
}

bool ClientConnection::expects_answers() {
  const std::lock_guard lock(state_);
  return asked() != answered_.load(std::memory_order_relaxed);
}

/** Lets other threads read meanwhile. Under state_, which is not held while the action runs. */
template <class Action>
void ClientConnection::run_meanwhile(Waiter& waiter, Lookout* lookout,
                                     std::unique_lock<StateMutex>& lock, Action action) {
  suspend(waiter);
  wake_successor();
  lock.unlock();
  if (lookout != nullptr) lookout->pause();
  {
    const SuspendedWait suspended(*this, waiter);
    action();
  }
  if (lookout != nullptr) lookout->resume();
  lock.lock();
  waiter.listens = true;
}

/**
 * Runs a call of the server nested in the waiter's call, or another call of its chain, or cancels
 * the waiter's call if its answer is not wanted any more. False if there was nothing to do.
 */
bool ClientConnection::look_around(Waiter& waiter, Lookout* lookout,
                                   std::unique_lock<StateMutex>& lock) {
  if (!waiter.nested.empty()) {
    IncomingCall call = std::move(waiter.nested.front());
    waiter.nested.erase(waiter.nested.begin());
    run_meanwhile(waiter, lookout, lock, [&] {
      if (!run(call)) waiter.expects_calls = true;
    });
    return true;
  }
  if (lookout == nullptr || !lookout->has_work()) return false;
  if (lookout->interruption.is_due()) {
    look_for_interruption(waiter, *lookout, lock);
    return true;
  }
  waiter.listens = false;
  lock.unlock();
  std::optional<QueuedCall> call;
  if (lookout->is_given_up()) {
    cancel(waiter,
           RunningCall::given_up);  // calls that have come for the chain would be cancelled as well
  } else {
    call = lookout->take();
  }
  lock.lock();
  waiter.listens = true;
  if (call) run_meanwhile(waiter, lookout, lock, [&] { call->link->run_here(call->call); });
  return true;
}

/** Cancels the waiter's call if the thread was interrupted; for a ticket only ends the wait. */
void ClientConnection::look_for_interruption(Waiter& waiter, Lookout& lookout,
                                             std::unique_lock<StateMutex>& lock) {
  bool has_come = false;
  run_meanwhile(waiter, &lookout, lock, [&] { has_come = lookout.interruption.has_come(); });
  if (!has_come) return;
  lookout.was_interrupted = waiter.is_ticket;
  if (waiter.is_ticket) return;
  lock.unlock();
  cancel(waiter, Interrupted::text);
  lock.lock();
}

/**
 * Reads the socket until the waiter's reply has come or there is no point in waiting on, and then
 * what has been received with it.
 */
void ClientConnection::lead(Waiter& waiter, Deadline deadline, Lookout* lookout, Crew* crew) {
  const WaitForPeer waits(crew);
  Wait wait(*this, waiter, deadline, lookout);
  try {
    // The answer may have been read while the call was being sent.
    constexpr auto notified = Waiter::called | Waiter::delivered;
    while (!waiter.done && !waiter.cancelled && !waiter.event.is_set(notified) &&
           !wait.deadline_passed() && !(lookout != nullptr && lookout->has_work())) {
      // After another call's send failed, the socket is shut down and the next read says so.
      read_one(&waiter, wait);
    }
    if (buffer_.empty()) return;
    Wait at_hand(*this, Wait::Patience::none);
    while (read_one(nullptr, at_hand)) {
    }
    return;
  } catch (const Error& error) {
    fail_reading(error);
  } catch (const std::bad_alloc&) {
    fail_reading(Error(Failure::protocol, "out of memory", Fate::may_have_executed, ENOMEM));
  }
  if (waiter.done) report();  // else the caller's error leads to it
}

/** Reads and handles one frame; false if there is none yet. */
bool ClientConnection::read_one(Waiter* waiter, Wait& wait) {
  if (waiter != nullptr) return read_into(waiter->message, waiter, wait);
  Message nobodys;
  return read_into(nobodys, nullptr, wait);
}

bool ClientConnection::read_into(Message& message, Waiter* waiter, Wait& wait) {
  if (stream->has_ended()) throw Error(Failure::unexpected_close, "the connection has ended");
  switch (channel->next(wait, buffer_, message)) {
    case Channel::Status::message:
      handle(message, waiter);
      return true;
    case Channel::Status::nothing:
      return false;
    case Channel::Status::closed:
      throw Error(Failure::unexpected_close, "the server closed the connection",
                  Fate::may_have_executed);
    case Channel::Status::failed: {
      const int err = errno;
      if (err == ETIMEDOUT) throw no_answer_to_pings();
      throw Error(Failure::unexpected_close,
                  err == 0 ? std::string("the connection ended in the middle of a message")
                           : std::string("the connection was lost: ") + std::strerror(err),
                  Fate::may_have_executed, err);
    }
  }
  return false;
}

void ClientConnection::handle(Message& message, Waiter* self) {
  switch (message.type()) {
    case FrameType::reply:
    case FrameType::exception:
    case FrameType::error:
      if (Cargo::is_in(message)) {
        Cargo::unload(message, exports_ == nullptr ? nullptr : &exports_->host(), owner_.lock());
        if (!is_waited_for(message.header.request, self)) message.cargo->pay_for_return();
      }
      count_read();
      answered_.store(answered_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      deliver(message, self);
      return;
    case FrameType::ping:
      send_bare(FrameType::pong, message.header.request);
      return;
    case FrameType::pong:
      if (message.header.request != 0) stream->confirm(message.header.request);
      return;
    case FrameType::settle:
      settle(message);
      return;
    case FrameType::goodbye:
      read_goodbye(message);
      return;
    default:
      serve(message);
  }
}

void ClientConnection::read_goodbye(Message& message) {
  Decoder decoder(message);
  const bool is_failure = decoder.get<std::uint32_t>() != 0;
  const std::string text(decoder.get_name());
  usable_.store(false, std::memory_order_release);
  if (is_failure)
    throw Error(Failure::protocol, "the server closed the connection: " + in_one_line(text),
                Fate::may_have_executed);
  runs_nothing_more_ = true;
}

bool ClientConnection::become_leader(Exports* watcher) {
  const std::lock_guard lock(state_);
  if (leader_ && watcher != nullptr) would_read_ = watcher;
  return !std::exchange(leader_, true);
}

void ClientConnection::step_down() {
  const std::lock_guard lock(state_);
  leader_ = false;
  wake_successor();
}

bool ClientConnection::refresh() {
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  if (!is_usable() || !become_leader()) return is_usable();
  read_what_came(Room::any);
  step_down();
  return is_usable();
}

/** Read by this thread, or by the current leader, for a limited time. */
void ClientConnection::read_last_words() {
  constexpr milliseconds patience(200);
  constexpr milliseconds interval(1);
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  const auto until = Clock::now() + patience;
  while (is_usable() && Clock::now() < until) {
    if (!become_leader()) {
      std::this_thread::sleep_for(interval);
      continue;
    }
    const bool is_all = read_what_came(Room::any);
    step_down();
    if (is_all) return;
  }
}

bool ClientConnection::service(Exports* watcher) {
  if (!is_to_be_read() || !become_leader(watcher)) return true;
  const bool all = read_what_came(observed == 0 ? Room::calls_in_work : Room::after_goodbye);
  step_down();
  return all;
}

Link::Clock::time_point ClientConnection::keep_alive(Clock::time_point now, bool begins) {
  if (!become_leader()) return now + interval_;
  if (begins || !quiet_since_) quiet_since_ = now;
  if (now - *quiet_since_ >= interval_) {
    quiet_since_ = now;
    if (!endure_silence()) fail_reading(no_answer_to_pings());
  }
  const auto next = *quiet_since_ + interval_;
  step_down();
  return next;
}

/**
 * Called by the leader. Does not wait. False if it stopped early: too many calls in work, or a peer
 * that sends without a pause.
 */
bool ClientConnection::read_what_came(Room room) {
  Wait wait(*this, Wait::Patience::no_wait);
  try {
    const auto has_something = [this] {
      return !buffer_.empty() || channel->await(true, false, -1, milliseconds(0)).readable;
    };
    const auto goes_on = [&] {
      return is_usable() || (room == Room::after_goodbye && !is_broken());
    };
    while (goes_on() && has_something()) {
      if (room == Room::calls_in_work && in_work_ >= most_in_work()) {
        show_life();
        return false;
      }
      if (!read_one(nullptr, wait) && wait.has_had_its_turn()) return false;
    }
  } catch (const Error& error) {
    fail_reading(error);
  } catch (const std::bad_alloc&) {
    fail_reading(Error(Failure::protocol, "out of memory"));
  }
  return true;
}

/** Replaces pongs while the server's pings are not read. */
void ClientConnection::show_life() {
  const auto now = Clock::now();
  if (now - last_sign_ < interval_ / 3) return;
  last_sign_ = now;
  send_bare(FrameType::pong);
}

}  // namespace shinar::wire
