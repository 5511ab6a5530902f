// Threads of a process that wait for each other. One that runs a call of a peer lets others run
// meanwhile, as if it waited for the peer: calls back to it, for instance.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace shinar::par {

class Monitor {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Outcome {
    Ready,
    Late,    // the time is over
    GivenUp  // the caller of the thread's call has given it up, or a signal handler wants the
             // thread
  };

  // This thread runs a call of a peer.
  static bool is_of_peer();
  // A signal handler wants this thread.
  static bool is_interrupted();

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
  // All waiting threads look again. With the lock.
  void wake();
  // Waits until ready(), which is called with the lock, and is true still when it returns. The lock
  // is released meanwhile.
  template <typename Ready>
  Outcome wait(std::unique_lock<std::mutex>& lock, Clock::time_point until, Ready ready);

 private:
  // A thread that waits.
  class Sleeper {
   public:
    Sleeper(Monitor& monitor, std::unique_lock<std::mutex>& lock);
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;
    ~Sleeper();
    // Sleeps until woken, or a moment. False if the thread is to give up.
    bool sleep(Clock::time_point until);
    void wake();

   private:
    Monitor& monitor_;
    std::unique_lock<std::mutex>& lock_;
    void* standby_;  // null: the thread runs no call of a peer
    std::condition_variable condition_;
  };

  std::mutex mutex_;
  std::vector<Sleeper*> sleepers_;
};

template <typename Ready>
Monitor::Outcome Monitor::wait(std::unique_lock<std::mutex>& lock, Clock::time_point until,
                               Ready ready) {
  // The lock is released when a sleeper comes and goes: only after that does ready() count.
  while (!ready()) {
    if (Clock::now() >= until) return Outcome::Late;
    bool goes_on = true;
    {
      Sleeper sleeper(*this, lock);
      while (goes_on && !ready() && Clock::now() < until) goes_on = sleeper.sleep(until);
    }
    if (!goes_on) return Outcome::GivenUp;
  }
  return Outcome::Ready;
}

}  // namespace shinar::par
