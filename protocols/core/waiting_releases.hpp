/**
 * Releases of one session that arrived before something that was sent before them.
 *
 * Each waits in the queue of one connection that has not been read far enough, ordered by position,
 * and then moves to that of the next: reading a frame costs only the releases it completes. As a
 * peer may name positions that never come, the number and bytes of waiting releases are limited.
 * Guarded by its owner.
 */
#ifndef SHINAR_CORE_WAITING_RELEASES_HPP
#define SHINAR_CORE_WAITING_RELEASES_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "account.hpp"
#include "stream.hpp"

namespace shinar::wire {

class WaitingReleases {
 public:
  /**
   * `most_references`: limit of a session, from which those here are derived. `account`: the
   * session's, which pays for them.
   */
  WaitingReleases(std::uint32_t most_references, Account& account);
  WaitingReleases(const WaitingReleases&) = delete;
  WaitingReleases& operator=(const WaitingReleases&) = delete;

  using Due = std::vector<References>;

  /** Defers the release until all that it follows has been read. Throws Error if too many wait. */
  [[nodiscard]] Due add(References what, Streams::Places after);
  /** Returns what is due now that more of the connection was read, or it has ended. */
  [[nodiscard]] Due go_on(const Stream& stream);
  /** Removes all; returns them to be destroyed without a lock, as there may be many. */
  [[nodiscard]] std::shared_ptr<void> clear();
  std::size_t size() const { return count_; }

 private:
  struct Release {
    References what;
    Streams::Places after;
    std::uint64_t bytes;
  };
  struct Queue {
    std::shared_ptr<Stream> stream;
    std::multimap<std::uint64_t, Release> releases;
  };

  void wait(Release release, Due& due);
  Account& account_;
  const std::uint64_t most_;
  const std::uint64_t most_bytes_;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::map<const Stream*, Queue> queues_;
};

}  // namespace shinar::wire
#endif
