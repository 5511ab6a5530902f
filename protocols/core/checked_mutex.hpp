/**
 * Mutexes that check lock order, and that no lock is held when users' code runs.
 *
 * No method, no destructor of an object and no exception payload's code ever runs under a lock of
 * this library: it might take the same lock, or wait for a thread that does. And no thread waits
 * for a lock while it holds one that comes later in the order of README.md. Both hold by
 * construction. Builds without NDEBUG and those with sanitizers also check them: each thread
 * records the locks it holds, and the process aborts where such code begins under one
 * (assert_no_lock_held), or where the order is violated. In other builds a CheckedMutex is a plain
 * std::mutex without checks.
 */
#ifndef SHINAR_CORE_CHECKED_MUTEX_HPP
#define SHINAR_CORE_CHECKED_MUTEX_HPP

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <ctime>
#include <mutex>

#ifndef SHINAR_LOCKS_ARE_CHECKED  // set for transports of users, who build them as they like
#if !defined(NDEBUG) || defined(SHINAR_CHECK_LOCKS)
#define SHINAR_LOCKS_ARE_CHECKED 1
#else
#define SHINAR_LOCKS_ARE_CHECKED 0
#endif
#endif

namespace shinar::wire {

#if defined __SANITIZE_THREAD__
#define SHINAR_SEES_CLOCKLOCK false
#elif defined __has_feature
#define SHINAR_SEES_CLOCKLOCK !__has_feature(thread_sanitizer)
#else
#define SHINAR_SEES_CLOCKLOCK true
#endif

/** Waits for the mutex until a point in time, which std::mutex cannot; false if it was in vain. */
inline bool lock_until(std::mutex& mutex, std::chrono::steady_clock::time_point until) {
  // ThreadSanitizer knows only the function that goes by the time of day.
  constexpr clockid_t clock = SHINAR_SEES_CLOCKLOCK ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  const auto left = std::chrono::nanoseconds(until - std::chrono::steady_clock::now());
  timespec time{};
  ::clock_gettime(clock, &time);
  const auto at = std::chrono::nanoseconds(time.tv_nsec) + std::max(left, decltype(left)::zero());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
  time.tv_sec += seconds.count();
  time.tv_nsec = static_cast<long>(std::chrono::nanoseconds(at - seconds).count());
#if SHINAR_SEES_CLOCKLOCK
  return ::pthread_mutex_clocklock(mutex.native_handle(), clock, &time) == 0;
#else
  return ::pthread_mutex_timedlock(mutex.native_handle(), &time) == 0;
#endif
}

/** The name of a lock: a string literal. */
template <std::size_t size>
struct LockName {
  char text[size];
  consteval LockName(const char (&literal)[size]) {
    for (std::size_t i = 0; i < size; ++i) text[i] = literal[i];
  }
};

#if SHINAR_LOCKS_ARE_CHECKED

/** Aborts if this thread holds a lock that must not be held while it waits for `name`. */
void check_lock_order(const char* name) noexcept;
/**
 * This thread has acquired, or released, a lock. `name` identifies the kind of lock and is not
 * copied.
 */
void note_lock_taken(const char* name) noexcept;
void note_lock_given_up(const char* name) noexcept;
/** Aborts if this thread holds any lock. `what`: what is about to happen, as a noun phrase. */
void assert_no_lock_held(const char* what) noexcept;

class CheckedCondition;

template <LockName name>
class CheckedMutex {
 public:
  void lock() {
    check_lock_order(name.text);
    mutex_.lock();
    note_lock_taken(name.text);
  }
  bool try_lock() {
    const bool is_taken = mutex_.try_lock();
    if (is_taken) note_lock_taken(name.text);
    return is_taken;
  }
  void unlock() {
    note_lock_given_up(name.text);
    mutex_.unlock();
  }

 private:
  friend class CheckedCondition;
  template <LockName its_name>
  friend bool lock_until(CheckedMutex<its_name>& mutex,
                         std::chrono::steady_clock::time_point until);
  template <LockName its_name>
  friend void lock_one_of_many(CheckedMutex<its_name>& mutex);
  std::mutex mutex_;
};

template <LockName name>
bool lock_until(CheckedMutex<name>& mutex, std::chrono::steady_clock::time_point until) {
  check_lock_order(name.text);
  const bool is_taken = lock_until(mutex.mutex_, until);
  if (is_taken) note_lock_taken(name.text);
  return is_taken;
}

/** Locks one of several mutexes of the same kind. All threads must take them in the same order. */
template <LockName name>
void lock_one_of_many(CheckedMutex<name>& mutex) {
  mutex.mutex_.lock();
  note_lock_taken(name.text);
}

/**
 * A std::condition_variable for CheckedMutexes; while a thread waits it is not recorded as a
 * holder.
 */
class CheckedCondition {
 public:
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

  template <LockName name, class... Rest>
  auto wait(std::unique_lock<CheckedMutex<name>>& lock, Rest... rest) {
    const Waiting<name> waiting(lock);
    return condition_.wait(waiting.inner, rest...);
  }
  template <LockName name, class... Rest>
  auto wait_for(std::unique_lock<CheckedMutex<name>>& lock, Rest... rest) {
    const Waiting<name> waiting(lock);
    return condition_.wait_for(waiting.inner, rest...);
  }
  template <LockName name, class... Rest>
  auto wait_until(std::unique_lock<CheckedMutex<name>>& lock, Rest... rest) {
    const Waiting<name> waiting(lock);
    return condition_.wait_until(waiting.inner, rest...);
  }

 private:
  /**
   * Predicates are evaluated under the lock, but run no users' code, so recording is suspended
   * meanwhile.
   */
  template <LockName name>
  struct Waiting {
    explicit Waiting(std::unique_lock<CheckedMutex<name>>& lock)
        : inner(lock.mutex()->mutex_, std::adopt_lock) {
      note_lock_given_up(name.text);
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() {
      inner.release();
      note_lock_taken(name.text);
    }
    mutable std::unique_lock<std::mutex> inner;
  };

  std::condition_variable condition_;
};

#else

inline void assert_no_lock_held(const char* /*what*/) noexcept {}

inline void lock_one_of_many(std::mutex& mutex) {
  mutex.lock();
}

template <LockName name>
using CheckedMutex = std::mutex;
using CheckedCondition = std::condition_variable;

#endif

}  // namespace shinar::wire
#endif
