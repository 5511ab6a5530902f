/**
 * What a thread knows about the calls it is in: those it runs for peers, and the order in which
 * its own have to be run.
 */
#ifndef SHINAR_CORE_RUNNING_CALL_HPP
#define SHINAR_CORE_RUNNING_CALL_HPP

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "forking.hpp"
#include "id128.hpp"
#include "incoming_call.hpp"
#include "of_thread.hpp"

namespace shinar::wire {

class Link;
class Worker;

/**
 * Calls of one thread that nobody waits for are overtaken by none of its later ones on the same
 * object: from the first such call to a callee on, the thread's calls to it take one link and carry
 * a lane. When that link has broken they take another, and the callee is told which were left: what
 * comes over them too late is not run. What is nested in a call of a peer has an order of its own,
 * as it must not wait for what surrounds it.
 */
class CallOrder {
 public:
  static CallOrder& of_this_thread();

  bool empty() const { return links_.empty(); }
  /** The link that calls to the callee have to take, or NULL: any. */
  std::shared_ptr<Link> link_to(std::uint64_t callee) const {
    const Entry* const entry = find(callee);
    return entry == nullptr ? nullptr : entry->link.lock();
  }
  /** True if calls to the callee have to keep their order. */
  bool rules(std::uint64_t callee) const { return find(callee) != nullptr; }
  /** From now on calls to the callee take this link. `number`: the link's; 0: the callee need not
   *  hear that it was left. */
  void set_link(std::uint64_t callee, const std::shared_ptr<Link>& link, std::uint64_t number) {
    if (const Entry* const entry = find(callee)) leave(callee, entry->number);
    std::erase_if(links_, [callee](const Entry& each) {
      return each.callee == callee || (each.number == 0 && each.link.expired());
    });
    links_.push_back({callee, link, number});
  }
  std::uint16_t lane() {
    static std::atomic<std::uint16_t> last{0};
    while (lane_ == 0) lane_ = static_cast<std::uint16_t>(last.fetch_add(1) + 1);
    return lane_;
  }

  /** The link with this number has broken, with calls of this thread on their way. */
  void leave(std::uint64_t callee, std::uint64_t number) {
    constexpr std::size_t most = 64;  // the oldest will hardly have anything left to be read
    if (number == 0 || std::ranges::find(left_, Left{callee, number}) != left_.end()) return;
    if (left_.size() == most) left_.erase(left_.begin());
    left_.push_back({callee, number});
  }
  /** False: the callee has been told of all links that were left, as a rule because none was. */
  bool has_left() const { return !left_.empty(); }
  /** The numbers of the links that the callee has to be told of. */
  std::vector<std::uint64_t> left(std::uint64_t callee) const {
    std::vector<std::uint64_t> numbers;
    for (const Left& each : left_) {
      if (each.callee == callee) numbers.push_back(each.number);
    }
    return numbers;
  }
  /** The callee knows. */
  void told(std::uint64_t callee) {
    std::erase_if(left_, [callee](const Left& each) { return each.callee == callee; });
  }

 private:
  struct Entry {
    std::uint64_t callee;  ///< Callee::serial
    std::weak_ptr<Link> link;
    std::uint64_t number;
  };
  struct Left {
    std::uint64_t callee, number;
    bool operator==(const Left&) const = default;
  };

  const Entry* find(std::uint64_t callee) const {
    const auto at = std::ranges::find(links_, callee, &Entry::callee);
    return at == links_.end() ? nullptr : &*at;
  }

  std::vector<Entry> links_;
  std::vector<Left> left_;
  std::uint16_t lane_ = 0;
};

class Crew;
class RunningCall;
class Standby;
class SuspendedWait;

/** The link that a thread called through last: found again without a lock. */
struct RecentLink {
  std::uint64_t callee = 0;  ///< Callee::serial; 0: there is none
  Generation generation;
  std::weak_ptr<Link> link;
};

/**
 * The chain of what a thread calls outside of calls of peers while nonblocking calls of it are on
 * their way: what one of them wants another one may hold, at which the thread could not get.
 */
struct OutermostChain {
  ChainId id{};
  std::atomic<std::uint32_t> pending{0};  ///< nonblocking calls whose answers have not been taken
  /** One of them was given up, and may still be run: what begins now is of another chain, or it
   *  would pass what that one holds, and be given up with it. */
  std::atomic<bool> is_given_up{false};

  bool goes_on() const { return pending != 0 && !is_given_up; }
};

/** A nonblocking call of a chain, until it is settled or dropped. Any thread. */
class PendingInChain {
 public:
  /** NULL: it is part of none of these. */
  explicit PendingInChain(std::shared_ptr<OutermostChain> chain) : chain_(std::move(chain)) {
    if (chain_ != nullptr) chain_->pending.fetch_add(1, std::memory_order_relaxed);
  }
  PendingInChain(const PendingInChain&) = delete;
  PendingInChain& operator=(const PendingInChain&) = delete;
  ~PendingInChain() { end(); }
  void give_up() {
    if (chain_ != nullptr) chain_->is_given_up = true;
    end();
  }
  void end() {
    if (chain_ != nullptr) chain_->pending.fetch_sub(1, std::memory_order_relaxed);
    chain_.reset();
  }

 private:
  std::shared_ptr<OutermostChain> chain_;
};

/** Where a thread is. In a forked child it is nowhere: forget_calls_of_parent(). */
struct CallsOfThread {
  CallOrder outermost_order;
  CallOrder* order = &outermost_order;
  RunningCall* innermost = nullptr;  ///< of the calls that it runs
  Crew* crew = nullptr;              ///< that it is one of, or NULL
  bool is_of_runtime = false;        ///< it is ours, and can be cancelled only in methods
  RecentLink recent;
  std::shared_ptr<OutermostChain> outermost_chain;  ///< NULL: there was no nonblocking call
  Standby* standby = nullptr;                       ///< if it waits in the course of one of them
  SuspendedWait* suspended = nullptr;               ///< innermost

  static CallsOfThread& here() { return OfThread<CallsOfThread>::get(); }
};

inline CallOrder& CallOrder::of_this_thread() {
  return *CallsOfThread::here().order;
}

/** A call of a peer that this thread runs, from construction to destruction. */
class RunningCall {
 public:
  /**
   * `call`: what is run, with `id`. `worker`: the server's, if one runs it that may own the
   * connection's reading.
   */
  RunningCall(Link& link, std::uint64_t id, const IncomingCall& call, Worker* worker = nullptr)
      : link_(link),
        id_(id),
        call_(call),
        worker_(worker),
        thread_(CallsOfThread::here()),
        outer_(std::exchange(thread_.innermost, this)),
        depth_(outer_ == nullptr ? 1 : outer_->depth_ + 1),
        is_waited_for_(call.message.type() != FrameType::oneway),
        waits_(outer_ == nullptr ? nullptr : outer_->waits_),
        outer_order_(std::exchange(thread_.order, &order_)) {
    if (thread_.is_of_runtime) ::pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
  }
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
  ~RunningCall() {
    if (thread_.is_of_runtime) ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
    if (began_chain_) end_chain();
    thread_.innermost = outer_;
    thread_.order = outer_order_;
  }

  static RunningCall* innermost() { return CallsOfThread::here().innermost; }
  RunningCall* outer() const { return outer_; }
  /** How many calls of peers the thread is in, this one included. */
  std::uint32_t depth() const { return depth_; }
  Link& link() const { return link_; }
  std::uint64_t id() const { return id_; }
  const IncomingCall& call() const { return call_; }
  Worker* worker() const { return worker_; }

  /**
   * The chain of calls of which it is part: begun now, if there was none. From here on to the end
   * of the call the chain is in work. Its thread.
   */
  const ChainId& chain();
  /** The caller waits for it no more. */
  bool is_given_up() const;

  /** That, or that of a call around it. */
  bool is_within_given_up() const {
    const RunningCall* each = this;
    while (each != nullptr && !each->is_given_up()) each = each->outer_;
    return each != nullptr;
  }
  static constexpr const char* given_up =
      "the call that made it was cancelled, or its caller is gone";
  /** Throws Error if nobody wants what this thread is about to ask of a peer. */
  static void check_wanted();

  /**
   * Where the thread is counted while it waits for a peer: with the session whose call was its
   * first. NULL: nowhere.
   */
  std::atomic<std::uint32_t>* waits() const { return waits_; }
  void set_waits(std::atomic<std::uint32_t>* waits) { waits_ = waits; }

  /** The strand that it has entered: see Strands. NULL: none. */
  const void* strand() const { return strand_; }
  void set_strand(const void* strand) { strand_ = strand; }
  /** True if a call around this one has entered the strand: then this one is in as well. */
  bool is_within(const void* strand) const {
    const RunningCall* around = outer_;
    while (around != nullptr && around->strand_ != strand) around = around->outer_;
    return around != nullptr;
  }

 private:
  void end_chain() noexcept;

  Link& link_;
  const std::uint64_t id_;
  const IncomingCall& call_;
  Worker* const worker_;
  const void* strand_ = nullptr;
  std::optional<ChainId> chain_;
  bool began_chain_ = false;  ///< no call around it is part of the chain
  CallsOfThread& thread_;
  RunningCall* const outer_;
  const std::uint32_t depth_;
  const bool is_waited_for_;  ///< kept, as the host may take the message away
  std::atomic<std::uint32_t>* waits_;
  CallOrder order_;
  CallOrder* const outer_order_;
};

}  // namespace shinar::wire
#endif
