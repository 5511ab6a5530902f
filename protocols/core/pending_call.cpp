#include "pending_call.hpp"

#include <chrono>

#include "chain.hpp"
#include "exports.hpp"
#include "interruption.hpp"
#include "wait_in_call.hpp"

namespace shinar::wire {

PendingCall::PendingCall(std::shared_ptr<Link> link, const Request& request, CallText text)
    : link_(std::move(link)),
      deadline_(request.deadline),
      text_(std::move(text)),
      in_chain_(request.is_outermost ? CallsOfThread::here().outermost_chain : nullptr) {
  waiter_.held = request.held;
  link_->begin(request, waiter_);
}

PendingCall::~PendingCall() {
  if (!is_of_this_process()) {
    leave_behind(link_);
    static_cast<void>(waiter_.observed.release());  // its lock is the parent's
    return;
  }
  link_->leave(waiter_);
  if (!settled_) link_->in_use.fetch_sub(1);
}

/** While it lives this thread is the one that waits; the lock is released meanwhile. */
class PendingCall::Turn {
 public:
  Turn(PendingCall& call, Lock& lock)
      : call_(call), lock_(lock), outer_(std::exchange(call.waits_, std::this_thread::get_id())) {
    lock_.unlock();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    lock_.lock();
    call_.waits_ = outer_;
    call_.has_waited_.notify_all();
    for (WaitInCall* const each : call_.in_line_) each->wake();
  }

 private:
  PendingCall& call_;
  Lock& lock_;
  const std::thread::id outer_;  ///< this thread or none
};

/** While it lives, the thread is woken when its turn may have come. Without the mutex. */
class PendingCall::InLine {
 public:
  InLine(PendingCall& call, WaitInCall& wait) : call_(call), wait_(wait) {
    const Lock lock(call_.mutex_);
    call_.in_line_.push_back(&wait_);
  }
  InLine(const InLine&) = delete;
  InLine& operator=(const InLine&) = delete;
  ~InLine() {
    const Lock lock(call_.mutex_);
    std::erase(call_.in_line_, &wait_);
  }

 private:
  PendingCall& call_;
  WaitInCall& wait_;
};

/** No other thread waits for the answer, or it is settled. Under the mutex. */
bool PendingCall::is_free() const {
  return settled_ || waits_ == std::thread::id() || waits_ == std::this_thread::get_id();
}

/**
 * Waits until no other thread waits for the answer, which may take as long as the call, or settles
 * the call in place of that thread. Under the mutex.
 */
void PendingCall::await_turn(Lock& lock) {
  while (RunningCall::innermost() != nullptr && !is_free()) {
    lock.unlock();
    await_turn_in_call();
    lock.lock();
  }
  Interruption interruption;
  while (!is_free() && !settle_beside(lock)) {
    if (has_waited_.wait_for(lock, Interruption::look, [this] { return is_free(); })) return;
    if (!interruption.may_come()) continue;
    lock.unlock();
    if (interruption.has_come()) throw Interrupted(Fate::may_have_executed);
    lock.lock();
  }
}

/** The other thread cannot run calls of this one's chain, so this one waits on standby itself. */
void PendingCall::await_turn_in_call() {
  WaitInCall wait;
  const InLine in_line(*this, wait);
  Interruption interruption;
  const auto is_free_now = [this] {
    Lock lock(mutex_);
    return is_free() || settle_beside(lock);
  };
  while (!is_free_now()) {
    if (!wait.wait(WaitInCall::Clock::now() + Interruption::look)) {
      link_->cancel(waiter_, RunningCall::given_up);
    }
    if (!interruption.is_due()) continue;
    bool has_come = false;
    wait.run_meanwhile([&] { has_come = interruption.has_come(); });
    if (has_come) throw Interrupted(Fate::may_have_executed);
  }
}

/** Under the mutex. */
void PendingCall::settle(Lock& lock) {
  await_turn(lock);
  if (settled_) return;
  std::optional<Error> error;
  {
    const Turn turn(*this, lock);
    try {
      link_->await(waiter_, deadline_);
    } catch (const Interrupted&) {
      throw;  // the wait is over, the call is not
    } catch (const Error& thrown) {
      error = thrown;
    }
  }
  end(lock, std::move(error));
}

/**
 * Settles the call if it is over, though another thread waits for it: that one may run a call of
 * its chain that waits for this thread. Under the mutex.
 */
bool PendingCall::settle_beside(Lock& lock) {
  std::optional<Error> error;
  lock.unlock();
  try {
    if (!link_->conclude_if_over(waiter_, deadline_)) return lock.lock(), false;
  } catch (const Error& thrown) {
    error = thrown;
  }
  lock.lock();
  end(lock, std::move(error));
  return true;
}

/** There is an answer or an error, unless another thread has seen to it. Under the mutex. */
void PendingCall::end(Lock& lock, std::optional<Error> error) {
  if (settled_) return;
  if (!error && waiter_.held != nullptr) {
    auto held = std::exchange(waiter_.held, nullptr);
    lock.unlock();  // it may be the last reference
    held.reset();
    lock.lock();
    if (settled_) return;
  }
  try {
    if (!error && message_.type() == FrameType::error) throw decode_error(message_);
  } catch (const Error& thrown) {
    error = thrown;
  }
  if (error) error_ = text_.explain(*error);
  settled_ = true;
  error_ ? in_chain_.give_up() : in_chain_.end();
  link_->in_use.fetch_sub(1);
}

void PendingCall::wait() {
  if (!is_of_this_process()) return;
  Lock lock(mutex_);
  settle(lock);
}

/** A thread that polls is waiting, too: the answer may depend on a call that only it can run. */
void PendingCall::look_in_call() {
  WaitInCall wait;
  if (!wait.look()) link_->cancel(waiter_, RunningCall::given_up);
}

bool PendingCall::is_over() {
  if (settled_ || waiter_.cancelled || !is_of_this_process()) return true;
  if (RunningCall::innermost() != nullptr) look_in_call();
  Lock lock(mutex_);
  if (settled_) return true;
  if (!is_free()) return settle_beside(lock);
  bool is_over = false;
  {
    const Turn turn(*this, lock);
    is_over = link_->is_over(waiter_, deadline_);
  }
  if (is_over) settle(lock);
  return is_over;
}

void PendingCall::observe(Exports& exports, std::function<void()> over) {
  std::list<Observer> observer;
  observer.push_back({std::move(over), shared_from_this()});
  if (!add(exports, observer)) observer.front().over();
}

/** False if the call is over. */
bool PendingCall::add(Exports& exports, std::list<Observer>& observer) {
  if (settled_ || !is_of_this_process()) return false;
  exports.tellers().start();
  auto counted = std::make_unique<ObservedCall>(exports.tellers(), deadline_, link_->observed,
                                                link_->awaited_count());
  link_->attend_to_observed(exports);
  return link_->observe(waiter_, counted, observer);
}

bool PendingCall::cancel() {
  if (settled_ || !is_of_this_process() || !link_->cancel(waiter_)) return false;
  const Lock lock(mutex_);
  in_chain_.give_up();
  return true;
}

Message& PendingCall::answer() {
  wait();
  if (!settled_ && !waiter_.done) {
    throw text_.explain(Error(Failure::unexpected_close,
                              "the call was made by the parent process, which gets its answer",
                              Fate::may_have_executed));
  }
  if (error_) throw *error_;
  return message_;
}

}  // namespace shinar::wire
