#include "thread_demand.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <string>

namespace shinar::wire {
namespace {

/** Nanoseconds that the thread has run, or has been ready to; as Linux counts them. */
std::optional<std::uint64_t> time_wanted(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/schedstat";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char text[64];
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return std::nullopt;
  text[size] = '\0';
  std::uint64_t ran = 0, waited = 0;
  if (std::sscanf(text, "%" SCNu64 " %" SCNu64, &ran, &waited) != 2) return std::nullopt;
  return ran + waited;
}

}  // namespace

bool ThreadDemand::computes(pid_t thread, Clock::time_point now) {
  constexpr std::chrono::milliseconds interval(10);
  constexpr std::chrono::milliseconds first_interval(1);
  if (last_ && now - last_->time < (last_->is_first ? first_interval : interval)) {
    return last_->computes;
  }
  const auto wanted = time_wanted(thread);
  if (!wanted) return false;
  bool computes = true;  // until it is known
  if (last_) {
    const auto passed = std::chrono::nanoseconds(now - last_->time).count();
    computes = 2 * (*wanted - last_->wanted) > static_cast<std::uint64_t>(passed);
  }
  last_ = Sample{now, *wanted, computes, !last_};
  return computes;
}

}  // namespace shinar::wire
