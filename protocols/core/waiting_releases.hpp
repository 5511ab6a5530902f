/**
 * Releases of one session that came before something that was sent before them.
 *
 * Each waits in the queue of one connection that has not been read far enough, ordered by position,
 * and moves on to that of the next when it has: a frame that is read costs what it lets go, and
 * what waits costs nothing. A peer may name positions that never come, so that what waits is
 * limited in number and in bytes. Guarded by whoever owns it.
 */
#ifndef SHINAR_CORE_WAITING_RELEASES_HPP
#define SHINAR_CORE_WAITING_RELEASES_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "stream.hpp"

namespace shinar::wire {

class WaitingReleases {
 public:
  /** `most_references`: what a session may hold, of which the limits depend. */
  explicit WaitingReleases(std::uint32_t most_references);
  WaitingReleases(const WaitingReleases&) = delete;
  WaitingReleases& operator=(const WaitingReleases&) = delete;

  using Due = std::vector<References>;

  /** Keeps it until all is read that it follows. Throws Error: too many wait. */
  [[nodiscard]] Due add(References what, Streams::Places after);
  /** What need wait no more, now that the connection was read further, or has ended. */
  [[nodiscard]] Due go_on(const Stream& stream);
  /** Forgets all; returns what there was, which may be much: it is destroyed without a lock. */
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

  const std::uint64_t most_;
  const std::uint64_t most_bytes_;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::map<const Stream*, Queue> queues_;
};

}  // namespace shinar::wire
#endif
