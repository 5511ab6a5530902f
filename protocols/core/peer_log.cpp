#include "peer_log.hpp"

#include <algorithm>
#include <mutex>

namespace shinar::wire {
namespace {

/** What lines of each kind are about. */
constexpr std::array<const char*, PeerLog::kinds> subjects = {
    "refused connections",
    "connections without a handshake",
    "lost connections",
    "connections closed for an error",
    "answers that could not be sent",
    "clients that are gone",
    "one-way calls that failed",
    "calls that wait for long",
    "connections made for clients",
};

}  // namespace

void PeerLog::add(Kind kind, const std::string& line, Clock::time_point now) {
  std::string before;
  bool is_shown = false;
  {
    const std::lock_guard lock(mutex_);
    Interval& current = intervals_[static_cast<std::size_t>(kind)];
    if (current.lines == 0 || now - current.begin >= interval) {
      before = close(kind, now);
      current = {now, 0};
    }
    is_shown = ++current.lines <= most;
  }
  if (!before.empty()) write_(before);
  if (is_shown) write_(line);
}

void PeerLog::tick(Clock::time_point now) {
  for (std::size_t i = 0; i < kinds; ++i) {
    std::string line;
    {
      const std::lock_guard lock(mutex_);
      if (intervals_[i].lines == 0 || now - intervals_[i].begin < interval) continue;
      line = close(static_cast<Kind>(i), now);
    }
    if (!line.empty()) write_(line);
  }
}

void PeerLog::finish(Clock::time_point now) {
  for (std::size_t i = 0; i < kinds; ++i) {
    std::string line;
    {
      const std::lock_guard lock(mutex_);
      line = close(static_cast<Kind>(i), now);
    }
    if (!line.empty()) write_(line);
  }
}

/** Ends the interval; returns the line about what was left out, or nothing. Under the lock. */
std::string PeerLog::close(Kind kind, Clock::time_point now) {
  using std::chrono::duration_cast;
  using std::chrono::seconds;
  const Interval over = std::exchange(intervals_[static_cast<std::size_t>(kind)], {});
  if (over.left_out() == 0) return {};
  const auto length = std::max(duration_cast<seconds>(now - over.begin), seconds(1));
  return std::string(subjects[static_cast<std::size_t>(kind)]) + ": and " +
         std::to_string(over.left_out()) + " more like these in the last " +
         std::to_string(length.count()) + " s";
}

}  // namespace shinar::wire
