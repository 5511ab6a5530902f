#include "tellers.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "error.hpp"
#include "running_call.hpp"
#include "thread_end.hpp"

namespace shinar::wire {

Tellers::~Tellers() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
    work_.notify_all();
  }
  while (std::optional<std::thread> thread = take_thread()) thread->join();
}

/** Takes one out to join it. */
std::optional<std::thread> Tellers::take_thread() {
  const Lock lock(mutex_);
  if (threads_.empty()) return std::nullopt;
  std::optional<std::thread> thread(std::move(threads_.back()));
  threads_.pop_back();
  return thread;
}

void Tellers::start() {
  const Lock lock(mutex_);
  if (!threads_.empty()) return;
  try {
    threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
    throw no_more_threads(Failure::protocol, "nobody could tell that a call is over");
  }
}

void Tellers::run() {
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  CallsOfThread::here().is_of_runtime = true;
  Lock lock(mutex_);
  while (await_work(lock)) {
    std::list<Observer> next;
    next.splice(next.end(), to_tell_, to_tell_.begin());
    keep_one_waiting();
    lock.unlock();
    if_thread_ends([this] { leave(); },
                   [&] {
                     assert_no_lock_held("an observer");
                     next.front().over();
                     next.clear();
                   });
    lock.lock();
  }
}

/** Until there is somebody to tell; false if there will be nobody any more. Under the lock. */
bool Tellers::await_work(Lock& lock) {
  ++waiting_;
  while (to_tell_.empty() && !stopping_) {
    if (deadlines_.empty()) {
      work_.wait(lock);
    } else if (const auto due = deadlines_.begin()->first; Clock::now() < due) {
      work_.wait_until(lock, due);
    } else {
      deadlines_.begin()->second->end_locked();
    }
  }
  --waiting_;
  return !to_tell_.empty();
}

/** Before the thread runs an observer. Under the lock. */
void Tellers::keep_one_waiting() noexcept {
  if (waiting_ != 0 || stopping_ || threads_.size() >= most_threads) return;
  try {
    threads_.emplace_back([this] { run(); });
  } catch (const std::exception&) {
    // Out of threads or memory: an observer that takes long holds up the others.
  }
}

/** The thread was ended by an observer. */
void Tellers::leave() noexcept {
  const Lock lock(mutex_);
  if (stopping_) return;  // it is, or will be, joined
  const auto own = std::ranges::find(threads_, std::this_thread::get_id(), &std::thread::get_id);
  own->detach();
  threads_.erase(own);
  keep_one_waiting();
}

ObservedCall::ObservedCall(Tellers& tellers, Deadline deadline, std::atomic<int>& count,
                           std::atomic<int>* also)
    : tellers_(tellers), count_(count), also_(also), timer_(tellers.deadlines_.end()) {
  const Tellers::Lock lock(tellers_.mutex_);
  if (deadline) timer_ = tellers_.deadlines_.emplace(*deadline, this);
  if (deadline && timer_ == tellers_.deadlines_.begin()) tellers_.work_.notify_one();
  count_.fetch_add(1);
  if (also_ != nullptr) also_->fetch_add(1);
}

/** Not yet over: it was not observed after all. */
ObservedCall::~ObservedCall() {
  end();
}

bool ObservedCall::add(std::list<Observer>& observer) {
  const Tellers::Lock lock(tellers_.mutex_);
  if (is_over_) return false;
  observers_.splice(observers_.end(), observer);
  return true;
}

void ObservedCall::end() noexcept {
  const Tellers::Lock lock(tellers_.mutex_);
  end_locked();
}

/** Under the lock, after which it may be gone. */
void ObservedCall::end_locked() noexcept {
  if (std::exchange(is_over_, true)) return;
  count_.fetch_sub(1);
  if (also_ != nullptr) also_->fetch_sub(1);
  if (timer_ != tellers_.deadlines_.end()) tellers_.deadlines_.erase(timer_);
  if (observers_.empty()) return;
  tellers_.to_tell_.splice(tellers_.to_tell_.end(), observers_);
  tellers_.work_.notify_one();
}

}  // namespace shinar::wire
