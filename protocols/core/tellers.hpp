/**
 * Tells observers that their calls are over: see PendingCall::observe.
 *
 * Who finds that a call is over is often the reader of a connection, and may hold locks; observers
 * are users' code and may take long. So they are handed over to a few threads. One of these always
 * waits for the next, unless as many as there may be are held up by observers; it also ends the
 * observed calls whose deadlines pass. The threads start with the first observer. Any thread.
 */
#ifndef SHINAR_CORE_TELLERS_HPP
#define SHINAR_CORE_TELLERS_HPP

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "checked_mutex.hpp"

namespace shinar::wire {

class ObservedCall;

/** One observer of one call. Destroyed without locks: its end may run users' code. */
struct Observer {
  std::function<void()> over;  ///< called once; throws nothing
  std::shared_ptr<void> call;  ///< which its owner may drop before
};

class Tellers {
 public:
  using Clock = std::chrono::steady_clock;

  Tellers() = default;
  Tellers(const Tellers&) = delete;
  Tellers& operator=(const Tellers&) = delete;
  /** Tells what is to be told, and ends the threads. */
  ~Tellers();

  /** Makes sure that there is a thread. Throws Error. */
  void start();

  /** Observers that take longer than others at the same time hold up the rest. */
  static constexpr std::size_t most_threads = 4;

 private:
  friend class ObservedCall;
  using Lock = std::unique_lock<CheckedMutex<"Tellers">>;
  void run();
  bool await_work(Lock& lock);
  void keep_one_waiting() noexcept;
  void leave() noexcept;
  std::optional<std::thread> take_thread();

  CheckedMutex<"Tellers"> mutex_;  ///< guards the following, and observed calls
  CheckedCondition work_;
  std::list<Observer> to_tell_;
  std::multimap<Clock::time_point, ObservedCall*> deadlines_;
  std::vector<std::thread> threads_;
  std::size_t waiting_ = 0;
  bool stopping_ = false;
};

/** A ticket's call that is observed. */
class ObservedCall {
 public:
  using Deadline = std::optional<Tellers::Clock::time_point>;

  /** `count`, and `also` unless NULL, include the observed calls of a link that are not over. */
  ObservedCall(Tellers& tellers, Deadline deadline, std::atomic<int>& count,
               std::atomic<int>* also);
  ObservedCall(const ObservedCall&) = delete;
  ObservedCall& operator=(const ObservedCall&) = delete;
  ~ObservedCall();

  /** Takes the one in the list, to be told when the call is over; false if it is. */
  bool add(std::list<Observer>& observer);
  /** The call is over. Only the first time counts. */
  void end() noexcept;

 private:
  friend class Tellers;
  void end_locked() noexcept;

  Tellers& tellers_;
  std::atomic<int>& count_;
  std::atomic<int>* const also_;
  std::list<Observer> observers_;
  std::multimap<Tellers::Clock::time_point, ObservedCall*>::iterator timer_;
  bool is_over_ = false;
};

}  // namespace shinar::wire
#endif
