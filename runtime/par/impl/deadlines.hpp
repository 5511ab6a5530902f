// Deadlines of this thread's calls.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "sidl_protocol.hxx"
#include "sidl_rmi_Deadline.hxx"
#include "sidl_rmi_TimeOutException.hxx"

namespace shinar::par {

using Clock = std::chrono::steady_clock;

// When a deadline is over, those who have waited take this long to tell each other why.
constexpr std::chrono::milliseconds kTelling{200};

// When what this thread begins now has to end.
inline Clock::time_point deadline_of_thread() {
  const std::chrono::milliseconds left = ::sidl::protocol::deadline_of_request();
  return left.count() == 0 ? Clock::time_point::max() : Clock::now() + left;
}

inline bool has_passed_deadline() {
  try {
    return deadline_of_thread() <= Clock::now();
  } catch (const ::sidl::rmi::TimeOutException&) {
    return true;
  }
}

// Ranks that are to form a group are waited for this long, unless the thread has a deadline.
constexpr std::chrono::seconds kForming{60};

// A rank that is gone ends a call so much later, although the method may still run on others.
constexpr std::chrono::seconds kParting{2};

// What a process sent before it ended has come so much later than that it has ended.
constexpr std::chrono::seconds kArriving{2};

// Asking or telling a rank that is alive takes less.
inline constexpr std::int64_t kAskingMs = 500;

// What is left until then, of so many milliseconds; something always is.
inline std::int64_t left_ms(Clock::time_point until, std::int64_t most) {
  if (until == Clock::time_point::max()) return most;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return std::clamp<std::int64_t>(left, 20, most);
}
inline std::int64_t asking_ms(Clock::time_point until) {
  return left_ms(until, kAskingMs);
}

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

// The deadline of the call that this thread runs does not end its calls, for as long as it lives.
class WithoutInheritedDeadline {
 public:
  WithoutInheritedDeadline() = default;
  WithoutInheritedDeadline(const WithoutInheritedDeadline&) = delete;
  WithoutInheritedDeadline& operator=(const WithoutInheritedDeadline&) = delete;
  ~WithoutInheritedDeadline() { sidl_deadline_restore(before_); }

 private:
  const std::int64_t before_ = sidl_deadline_inherit(-1);
};

// Several calls that are one for the user: they share its deadline, whoever has set it, and may
// take kTelling longer. Others may wait for this thread's part in them, so that they are made even
// if the deadline has passed.
class SharedDeadline {
 public:
  SharedDeadline() { apply(kTelling); }
  bool has_passed() const { return has_passed_; }
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
  Clock::time_point found() {
    try {
      return deadline_of_thread();
    } catch (const ::sidl::rmi::TimeOutException&) {
      has_passed_ = true;
      return Clock::now();
    }
  }

  const WithDeadline restored_;
  bool has_passed_ = false;
  const Clock::time_point until_ = found();
  const WithoutInheritedDeadline inherited_;
};

}  // namespace shinar::par
