/**
 * One identity among a server's clients: what it may do, and what all its connections use together.
 * Those who have proved nothing are one party.
 */
#ifndef SHINAR_CORE_PARTY_HPP
#define SHINAR_CORE_PARTY_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "checked_mutex.hpp"
#include "error.hpp"
#include "identity.hpp"
#include "policy.hpp"
#include "tenant.hpp"

namespace shinar::wire {

/** More than the quota of a role allows. */
class BeyondQuota final : public Error {
 public:
  /** `what`: "holds 5 objects". */
  BeyondQuota(const Identity& who, const std::string& what, const Role& role, const char* quota)
      : Error(Failure::not_allowed, text_of(who) + " " + what + ", as many as it may (quota '" +
                                        quota + "' of role '" + role.name +
                                        "' of the server's policy)"),
        rule_("role '" + role.name + "': quota '" + quota + "'") {}
  /** For the audit log. */
  const std::string& rule() const { return rule_; }

 private:
  std::string rule_;
};

/** Any thread. */
class Party final : public Tenant {
 public:
  explicit Party(Identity who)
      : Tenant(nullptr, who.is_individual() ? times_of_one : times_of_group),
        identity(std::move(who)) {}

  const Identity identity;

  /** False: it may do everything, as the server has no policy. */
  bool is_ruled() const { return is_ruled_.load(std::memory_order_relaxed); }
  /** Changes whenever the policy does. */
  std::uint32_t policy_version() const { return version_.load(std::memory_order_acquire); }
  /** If it is ruled; NULL: it may do nothing. */
  std::shared_ptr<const Role> role() const {
    const std::lock_guard lock(mutex_);
    return role_;
  }
  /** NULL: there is no policy any more. */
  void set_policy(const Policy* policy);
  /** The server ends: calls do not wait for the quota any more, as they do not run either. */
  void lift_limits();
  /** After both: those who wait go on as far as they may. Without locks. */
  void go_by_quota();

  // ---- what its quota says, see Quota -----------------------------------------------------------

  /** Why it has too many connections, the one that was counted last included; empty: it has not. */
  std::string check_connections() const;
  /** Throws Error if it would hold too many objects; else it does. */
  void take_object();
  /** True if calls may have to wait: for others of its calls, or because it was too fast. */
  bool is_limited() const { return is_limited_.load(std::memory_order_relaxed); }
  /** If it is limited: true if a call may begin now. */
  bool may_begin();
  /**
   * If it is limited: it has not been too fast. Calls within others wait for that as well, which
   * time alone puts right, but not for others to end.
   */
  bool keeps_pace();
  /** So many bytes were received, of whatever. */
  void charge_bytes(std::uint64_t bytes);
  /** It has received more than it may at the moment. */
  bool has_no_bytes_left();
  /**
   * False if one of its connections shall not be looked at for this. Now and then one is even so:
   * calls may wait for answers that come over it, and a client that nothing is taken of gives up.
   */
  bool may_be_looked_at();
  /** A call has its turn, or will have it behind one that has. */
  void charge_call();
  /**
   * Before each call, or several that follow each other: counts them among those in work, unless
   * there are as many as may be, as other connections were quicker. end_call() follows.
   */
  bool try_begin_call();
  /** A call that was in work goes on, however many there are. */
  void resume_call() { calls_.fetch_add(1, std::memory_order_relaxed); }
  /** It is over, or waits for other calls. Without locks: another one may begin. */
  void end_call();
  /** Its quota does not let a call of the connection begin, or others have come before it. */
  void hold_for_quota(std::weak_ptr<Held> who, bool first = false) {
    waiting_.enter(std::move(who), first);
  }
  /** Somebody waits for the quota: who comes now is behind them. */
  bool is_waited_for() const { return !waiting_.is_empty(); }
  /**
   * The first of those who wait gets a place, and goes on; false if none waits, or may. Its turn is
   * over when its call begins, or it gives the place back.
   */
  bool let_one_follow();
  void turn_is_over() { turns_.fetch_sub(1, std::memory_order_relaxed); }
  /** It may use as much at once as somebody who comes for the first time. */
  bool is_rested();
  /** A connection has ended, and calls of it are left; and those are over, too. */
  void note_ended() { ended_.fetch_add(1, std::memory_order_relaxed); }
  void note_end_of_ended() { ended_.fetch_sub(1, std::memory_order_relaxed); }
  /** Why it may not connect again before such calls are over; empty: it may. */
  std::string check_ended() const;

 private:
  using Clock = std::chrono::steady_clock;
  void refill(Clock::time_point now);
  bool has_time_left(std::uint64_t turns) const;
  bool lacks_bytes(Clock::time_point now);
  std::atomic<bool> is_ruled_{false};
  std::atomic<std::uint32_t> version_{1};
  mutable CheckedMutex<"Party"> mutex_;
  std::shared_ptr<const Role> role_;
  bool is_lifted_ = false;
  std::atomic<bool> is_limited_{false};
  WaitingLine waiting_;                  ///< for the quota
  std::atomic<std::uint64_t> calls_{0};  ///< that have a QuotaPlace, or are about to begin
  std::atomic<std::uint64_t> turns_{0};  ///< that are not over: what they use is not counted yet
  std::atomic<std::uint64_t> ended_{0};  ///< connections whose calls are left
  // What it may still use at once, at most that of a second; below 0: it has to wait:
  double calls_left_ = 0;
  double bytes_left_ = 0;
  Clock::time_point filled_{};
  Clock::time_point next_look_{};  ///< at one of its connections, though it lacks bytes
};

/** Those of a server. Any thread. */
class Parties {
 public:
  /** Whoever goes and comes back finds what he has left of his quota. */
  std::shared_ptr<Party> of(const Identity& identity);
  /** From now on, for connections that exist as well; NULL: everybody may do everything. */
  void set_policy(std::shared_ptr<const Policy> policy);
  /** After that: connections that wait go on as far as they may. Without locks. */
  void go_by_quotas();
  /** Of all, for good; connections that wait for them go on. Without locks. */
  void lift_limits();

 private:
  CheckedMutex<"Parties"> mutex_;
  std::shared_ptr<const Policy> policy_;
  bool are_lifted_ = false;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<Party>> parties_;
};

}  // namespace shinar::wire
#endif
