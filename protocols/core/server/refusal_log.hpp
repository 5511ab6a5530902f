/**
 * The lines about clients that a server refuses: at most some a second, because anybody can cause
 * them, as fast as he likes. Any thread.
 */
#ifndef SHINAR_CORE_SERVER_REFUSAL_LOG_HPP
#define SHINAR_CORE_SERVER_REFUSAL_LOG_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/host.hpp"

namespace shinar::wire {

class RefusalLog {
 public:
  explicit RefusalLog(Host& host) : host_(host) {}

  static constexpr unsigned most_lines = 20;  ///< a second

  void log(const std::string& line) {
    using Seconds = std::chrono::seconds;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const std::int64_t second = std::chrono::duration_cast<Seconds>(now).count();
    std::int64_t known = second_;
    if (known != second && second_.compare_exchange_strong(known, second)) lines_ = 0;
    if (lines_.fetch_add(1) >= most_lines) {
      left_out_.fetch_add(1);
      return;
    }
    const std::uint64_t more = left_out_.exchange(0);
    host_.log(more == 0 ? line
                        : line + " (" + std::to_string(more) + " more, which were not logged)");
  }

 private:
  Host& host_;
  std::atomic<std::int64_t> second_{0};
  std::atomic<unsigned> lines_{0};
  std::atomic<std::uint64_t> left_out_{0};
};

}  // namespace shinar::wire
#endif
