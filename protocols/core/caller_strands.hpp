/**
 * Calls that must not overtake each other: those of one thread of the peer on one object.
 *
 * The first call of such a strand runs, and those that arrive meanwhile are queued. The thread that
 * has run one runs the next, even if that came over another connection: a caller whose connection
 * broke continues over another one, and its calls are queued behind its earlier ones. Any thread.
 */
#ifndef SHINAR_CORE_CALLER_STRANDS_HPP
#define SHINAR_CORE_CALLER_STRANDS_HPP

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chain.hpp"
#include "checked_mutex.hpp"

namespace shinar::wire {

class CallerStrands {
 public:
  /** The caller's strand number, as in the frame, and the object. */
  using Key = std::pair<std::uint16_t, std::string>;

  using Waiting = QueuedCall;

  /** What to do with a call: run it and then ask next(); nothing, it is queued; drop it. */
  enum class Turn { now, later, never };

  Turn enter(const Key& key, IncomingCall& call, Link& link) {
    const std::lock_guard lock(mutex_);
    if (link.abandoned) return Turn::never;
    const auto [at, is_first] = waiting_.try_emplace(key);
    call.caller_strand = key;
    if (is_first) return Turn::now;
    at->second.push_back({std::move(call), link.shared_from_this()});
    return Turn::later;
  }

  /** False, and the call is unchanged, if others have to run before it, or it is to be dropped. */
  bool enter_if_free(const Key& key, IncomingCall& call, const Link& link) {
    const std::lock_guard lock(mutex_);
    if (link.abandoned || !waiting_.try_emplace(key).second) return false;
    call.caller_strand = key;
    return true;
  }

  /** A call has ended; returns the next one to run, if any. */
  std::optional<Waiting> next(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto at = waiting_.find(key);
    if (at->second.empty()) {
      waiting_.erase(at);
      return std::nullopt;
    }
    std::optional<Waiting> next(std::move(at->second.front()));
    at->second.pop_front();
    return next;
  }

  /** The peer continues over another connection: calls not read from this one yet are dropped. */
  void abandon(Link& link) {
    const std::lock_guard lock(mutex_);
    link.abandoned = true;
  }

  /** Removes a call that has not begun. */
  std::optional<IncomingCall> cancel(const Link& link, std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    for (auto& [key, calls] : waiting_) {
      for (auto each = calls.begin(); each != calls.end(); ++each) {
        if (each->link.get() != &link || each->call.message.header.request != id || id == 0) {
          continue;
        }
        std::optional<IncomingCall> call(std::move(each->call));
        calls.erase(each);
        return call;
      }
    }
    return std::nullopt;
  }

  /** Takes all that wait, at the end, when no thread is left that would run them. */
  std::vector<Waiting> take_all() {
    std::vector<Waiting> taken;
    const std::lock_guard lock(mutex_);
    for (auto& [key, calls] : waiting_) {
      std::ranges::move(calls, std::back_inserter(taken));
      calls.clear();
    }
    return taken;
  }

  /** Calls action for each queue, under the lock. */
  template <class Action>
  void for_each_queue(Action action) {
    const std::lock_guard lock(mutex_);
    for (auto& [key, calls] : waiting_) action(calls);
  }

 private:
  CheckedMutex<"CallerStrands"> mutex_;
  std::map<Key, std::deque<Waiting>> waiting_;  ///< an entry for each strand with a running call
};

}  // namespace shinar::wire
#endif
