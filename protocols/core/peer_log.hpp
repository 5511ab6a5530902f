/**
 * Lines of a log about what peers do, who may do it any number of times: of each kind the first
 * ones are logged at once, the others counted, and their number is logged when the interval is
 * over.
 */
#ifndef SHINAR_CORE_PEER_LOG_HPP
#define SHINAR_CORE_PEER_LOG_HPP

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "checked_mutex.hpp"

namespace shinar::wire {

/** Any thread. */
class PeerLog {
 public:
  using Clock = std::chrono::steady_clock;
  using Writer = std::function<void(const std::string& line)>;

  enum class Kind : std::uint8_t {
    refused,      ///< a handshake
    silent,       ///< no handshake in time
    broken,       ///< a connection was lost within a message
    violated,     ///< a connection was closed because of what came over it
    unanswered,   ///< a client does not take its answers
    lease,        ///< a client is gone, and its references are
    failed_call,  ///< a one-way call failed
    long_wait,    ///< a call has waited for others for long
    connecting,   ///< a connection is made to where a peer has sent this process
  };
  static constexpr std::size_t kinds = 9;

  /** Lines of a kind that are logged in an interval. */
  static constexpr std::uint64_t most = 10;
  static constexpr std::chrono::seconds interval{10};

  /** `write`: called without locks. */
  explicit PeerLog(Writer write) : write_(std::move(write)) {}
  PeerLog(const PeerLog&) = delete;
  PeerLog& operator=(const PeerLog&) = delete;

  void add(Kind kind, const std::string& line, Clock::time_point now = Clock::now());
  /** Logs how many lines were left out in intervals that are over. To be called now and then. */
  void tick(Clock::time_point now = Clock::now());
  /** The same for all intervals: there will be no tick. */
  void finish(Clock::time_point now = Clock::now());

 private:
  struct Interval {
    Clock::time_point begin{};
    std::uint64_t lines = 0;
    std::uint64_t left_out() const { return lines > most ? lines - most : 0; }
  };

  std::string close(Kind kind, Clock::time_point now);

  const Writer write_;
  CheckedMutex<"PeerLog"> mutex_;
  std::array<Interval, kinds> intervals_{};
};

}  // namespace shinar::wire
#endif
