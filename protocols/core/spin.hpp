/**
 * Adaptive spinning: how long to poll a channel before sleeping on it.
 *
 * A sleeping thread takes tens of microseconds to wake up on a virtual machine; a peer on another
 * core answers in a few. On the same core a spin gains nothing, even though it yields between
 * attempts; one that ends with a yield by which another thread got the core therefore counts as
 * failed. The window doubles when a spin succeeds within it and halves when it fails;
 * when it has shrunk to nothing, spinning is retried now and then, with exponential backoff. One
 * per waiting thread or connection; one thread at a time.
 */
#ifndef SHINAR_CORE_SPIN_HPP
#define SHINAR_CORE_SPIN_HPP

#include <sched.h>
#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <utility>

namespace shinar::wire {

/** Cores that this process may use. */
unsigned usable_cores();

class Spin {
 public:
  explicit Spin(std::uint32_t longest_us) : longest_(longest_us) {}

  /** To be asked before each receive(). */
  bool wants_to_spin() {
    if (window_ != 0) return true;
    if (longest_ == 0 || --pause_left_ != 0) return false;
    window_ = longest_;
    return true;
  }

  /**
   * Repeats receive_now, which works as recv with MSG_DONTWAIT, for up to the window; EAGAIN if
   * nothing came.
   */
  template <class Receive>
  ssize_t receive(const Receive& receive_now) {
    if (spinners.fetch_add(1, std::memory_order_relaxed) >= usable_cores()) {
      spinners.fetch_sub(1, std::memory_order_relaxed);
      errno = EAGAIN;
      return -1;
    }
    const ssize_t got = poll(receive_now);
    spinners.fetch_sub(1, std::memory_order_relaxed);
    return got;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint32_t shortest = 8;
  static constexpr std::uint32_t first_pause = 64;
  static constexpr std::uint32_t longest_pause = 8192;
  /** A yield that takes longer let another thread run, or the peer on the same core. */
  static constexpr std::chrono::microseconds hand_over{2};

  /**
   * Threads of this process that spin at the moment; more than there are cores would slow each
   * other down.
   */
  static inline std::atomic<unsigned> spinners{0};

  template <class Receive>
  ssize_t poll(const Receive& receive_now) {
    ssize_t got = receive_now();
    if (got >= 0 || errno != EAGAIN) {
      succeeded();
      return got;
    }
    auto now = Clock::now();
    const auto until = now + std::chrono::microseconds(window_);
    do {
      const auto before = std::exchange(now, yielded());
      got = receive_now();
      if (got >= 0 || errno != EAGAIN) {
        // Where threads share the core a sleeping one would have been woken sooner: some schedulers
        // let who yields go on for long.
        const int err = errno;
        if (now - before < hand_over && now < until) {
          succeeded();
        } else {
          failed();
        }
        errno = err;
        return got;
      }
    } while (now < until);
    failed();
    errno = EAGAIN;
    return -1;
  }

  static Clock::time_point yielded() {
    ::sched_yield();
    return Clock::now();
  }

  void succeeded() {
    window_ = std::min(window_ * 2, longest_);
    pause_ = first_pause;
  }
  void failed() {
    window_ /= 2;
    if (trial_failed_or_short()) {
      window_ = 0;
      pause_ = std::min(pause_ * 2, longest_pause);
      pause_left_ = pause_;
    }
  }
  bool trial_failed_or_short() const { return window_ < shortest || pause_ > first_pause; }

  const std::uint32_t longest_;
  std::uint32_t window_ = 0;
  std::uint32_t pause_ = first_pause;
  std::uint32_t pause_left_ = 4;  ///< the first attempt comes early
};

}  // namespace shinar::wire
#endif
