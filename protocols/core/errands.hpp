/**
 * Connections that this process makes because a client has named the place, in a reference to an
 * object of a third process: anybody who may call a server can send it anywhere (section 6 of the
 * protocol's page). What leads nowhere must cost others little, as a call that is being taken apart
 * keeps its object.
 *
 * These rules are for places at which no server has ever answered, so that none matters for good
 * ones: a few errands are run at a time; each has a fifth of the time that connecting may take; and
 * after one that was in vain, none is run to that place, nor to new ones for that client's host,
 * for four times as long as it has taken. So a host can hold others up for a fifth of the time.
 */
#ifndef SHINAR_CORE_ERRANDS_HPP
#define SHINAR_CORE_ERRANDS_HPP

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>

#include "checked_mutex.hpp"
#include "error.hpp"
#include "forking.hpp"
#include "link.hpp"
#include "url.hpp"

namespace shinar::wire {

/** Any thread. */
class Errands {
 public:
  using Clock = std::chrono::steady_clock;

  /** Never destroyed, as calls may be made late in exit. */
  static Errands& of_process();

  /** How long one may take of the time that a connection may. */
  static constexpr int share = 5;

  /** At `now`, an errand to `place` for a client at `host` was in vain; it has begun at `begin`. */
  void note_in_vain(const std::string& place, const std::string& host, const std::string& why,
                    Clock::time_point begin, Clock::time_point now);
  /** Throws Error if none may be run at the moment. */
  void check(const std::string& place, const std::string& host, Clock::time_point now);
  /**
   * Waits until fewer than `most` are under way, at most `until`, and counts one more. Throws Error
   * if that takes longer, or the call that this thread runs is given up.
   */
  void begin(unsigned most, Deadline until);
  void end();

  /** Around fork. */
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  struct InVain {
    std::string place, host, why;
    Clock::time_point until;
  };
  static constexpr std::size_t most_remembered = 64;

  void begin_in_child();

  CheckedMutex<"Errands"> mutex_;
  CheckedCondition ended_;
  Generation generation_;
  unsigned under_way_ = 0;
  std::deque<InVain> in_vain_;  ///< the latest last
};

/** One of them, while it lives. */
class Errand {
 public:
  /** On the thread that runs the client's call. Throws Error if it may not be run now. */
  Errand(const Endpoint& to, Deadline until);
  Errand(const Errand&) = delete;
  Errand& operator=(const Errand&) = delete;
  ~Errand();

  /** A policy says where the client may send this process. */
  bool is_ruled() const { return link_.is_ruled(); }

  /** Somebody has answered. */
  void arrived() { has_arrived_ = true; }
  void failed(const char* why) { why_ = why; }

 private:
  const std::string place_;
  const std::string client_;
  const std::string host_;
  Link& link_;
  Errands::Clock::time_point begin_;
  std::string why_ = "it was given up";
  bool has_arrived_ = false;
};

}  // namespace shinar::wire
#endif
