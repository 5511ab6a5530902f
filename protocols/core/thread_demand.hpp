/**
 * Whether a thread wants a core, or waits for something else. One thread judges it.
 */
#ifndef SHINAR_CORE_THREAD_DEMAND_HPP
#define SHINAR_CORE_THREAD_DEMAND_HPP

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>

namespace shinar::wire {

class ThreadDemand {
 public:
  using Clock = std::chrono::steady_clock;

  /** Since this was asked last, at `now`: false if that is not known yet, or the system does not
   * say. */
  bool computes(pid_t thread, Clock::time_point now);
  /** Forgets what it knows: another piece of work begins. */
  void forget() { last_.reset(); }

 private:
  struct Sample {
    Clock::time_point time;
    std::uint64_t wanted;  ///< nanoseconds it has had a core, or waited for one
    bool computes;
    bool is_first;  ///< nothing to compare it with
  };
  std::optional<Sample> last_;
};

}  // namespace shinar::wire
#endif
