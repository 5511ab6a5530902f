// Deadlines of this thread's calls.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "sidl_protocol.hxx"
#include "sidl_rmi_Deadline.hxx"

namespace shinar::par {

using Clock = std::chrono::steady_clock;

// When a deadline is over, those who have waited take this long to tell each other why.
constexpr std::chrono::milliseconds kTelling{250};

// When what this thread begins now has to end.
inline Clock::time_point deadline_of_thread() {
  const std::chrono::milliseconds left = ::sidl::protocol::deadline_of_request();
  return left.count() == 0 ? Clock::time_point::max() : Clock::now() + left;
}

// Asking or telling a rank that is alive takes less.
inline constexpr std::int64_t kAskingMs = 500;

// The calls of this thread end in time, for as long as it lives; then they have the deadline that
// they had before.
class WithDeadline {
 public:
  WithDeadline() : before_(::sidl::rmi::Deadline::getForThread()) {}
  explicit WithDeadline(std::int64_t ms) : WithDeadline() {
    ::sidl::rmi::Deadline::setForThread(ms);
  }
  WithDeadline(const WithDeadline&) = delete;
  WithDeadline& operator=(const WithDeadline&) = delete;
  ~WithDeadline() { ::sidl::rmi::Deadline::setForThread(before_); }

 private:
  std::int64_t before_;
};

// Several calls that are one for the user: they share its deadline.
class SharedDeadline {
 public:
  Clock::time_point until() const { return until_; }
  // Calls from now on have what is left, and so much more.
  void apply(std::chrono::milliseconds more = {}) const {
    if (until_ == Clock::time_point::max()) return;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ + more - Clock::now());
    ::sidl::rmi::Deadline::setForThread(std::max<std::int64_t>(1, left.count()));
  }
  // So much later.
  Clock::time_point until(std::chrono::milliseconds more) const {
    return until_ == Clock::time_point::max() ? until_ : until_ + more;
  }

 private:
  const WithDeadline restored_;
  const Clock::time_point until_ = deadline_of_thread();
};

}  // namespace shinar::par
