/**
 * Calls that must not overtake each other: those of one thread of the peer (a lane) on one object.
 *
 * The first call of a lane and object runs, those that come meanwhile are kept, and whoever has run
 * one runs the next. Any thread.
 */
#ifndef SIMHANDLE_LANES_HPP
#define SIMHANDLE_LANES_HPP

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "incoming_call.hpp"

namespace simhandle {

class Lanes {
 public:
  /** Lane and object of a call. */
  using Key = std::pair<std::uint16_t, std::string>;

  /** True: run it, then ask next(). False: it was taken over and is run by and by. */
  bool enter(const Key& key, IncomingCall& call) {
    const std::lock_guard lock(mutex_);
    const auto [at, is_first] = waiting_.try_emplace(key);
    if (!is_first) at->second.push_back(std::move(call));
    return is_first;
  }

  /** A call has ended: the next to be run, if there is one. */
  std::optional<IncomingCall> next(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto at = waiting_.find(key);
    if (at->second.empty()) {
      waiting_.erase(at);
      return std::nullopt;
    }
    std::optional<IncomingCall> call(std::move(at->second.front()));
    at->second.pop_front();
    return call;
  }

  /** Takes out a call that has not begun. */
  std::optional<IncomingCall> cancel(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    for (auto& [key, calls] : waiting_) {
      for (auto each = calls.begin(); each != calls.end(); ++each) {
        if (each->message.header.request != id || id == 0) continue;
        std::optional<IncomingCall> call(std::move(*each));
        calls.erase(each);
        return call;
      }
    }
    return std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::deque<IncomingCall>> waiting_;  ///< an entry for each that runs
};

}  // namespace simhandle
#endif
