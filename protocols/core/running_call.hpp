/**
 * What a thread knows about its calls: those it runs for peers, and the order its own have to keep.
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

#include "chain_id.hpp"
#include "forking.hpp"
#include "incoming_call.hpp"
#include "of_thread.hpp"

namespace shinar::wire {

class Link;
class Worker;

/**
 * One-way and nonblocking calls of a thread are not overtaken by its later calls on the same
 * object: from the first such call to a callee on, the thread's calls to it take one link and carry
 * a caller strand. If that link breaks they take another one, and the callee is told which ones
 * were abandoned: calls read from those later are not run. Calls made while running a call of a
 * peer have an order of their own, as they must not wait for what surrounds them.
 */
class CallOrder {
 public:
  static CallOrder& of_this_thread();

  bool empty() const { return links_.empty(); }
  /** The link that calls to the callee have to take; NULL: any. */
  std::shared_ptr<Link> link_to(std::uint64_t callee) const {
    const Entry* const entry = find(callee);
    return entry == nullptr ? nullptr : entry->link.lock();
  }
  /** True if calls to the callee have to keep their order. */
  bool rules(std::uint64_t callee) const { return find(callee) != nullptr; }
  /**
   * From now on calls to the callee take this link. `number`: the link's; 0: the callee need not be
   * told if it is abandoned.
   */
  void set_link(std::uint64_t callee, const std::shared_ptr<Link>& link, std::uint64_t number) {
    if (const Entry* const entry = find(callee)) leave(callee, entry->number);
    std::erase_if(links_, [callee](const Entry& each) {
      return each.callee == callee || (each.number == 0 && each.link.expired());
    });
    links_.push_back({callee, link, number});
  }
  std::uint16_t caller_strand() {
    static std::atomic<std::uint16_t> last{0};
    while (caller_strand_ == 0) caller_strand_ = static_cast<std::uint16_t>(last.fetch_add(1) + 1);
    return caller_strand_;
  }

  /** The link with this number has broken with calls of this thread in transit. */
  void leave(std::uint64_t callee, std::uint64_t number) {
    constexpr std::size_t most = 64;  // by then the oldest will have been read to its end
    if (number == 0 || std::ranges::find(left_, Left{callee, number}) != left_.end()) return;
    if (left_.size() == most) left_.erase(left_.begin());
    left_.push_back({callee, number});
  }
  /** True if a callee has to be told of abandoned links. */
  bool has_left() const { return !left_.empty(); }
  /** The numbers of the abandoned links the callee has to be told of. */
  std::vector<std::uint64_t> left(std::uint64_t callee) const {
    std::vector<std::uint64_t> numbers;
    for (const Left& each : left_) {
      if (each.callee == callee) numbers.push_back(each.number);
    }
    return numbers;
  }
  /** The callee has been told. */
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
  std::uint16_t caller_strand_ = 0;
};

class Crew;
class RunningCall;
class Standby;
class SuspendedWait;

/** The link of a thread's last call, found again without a lock. */
struct RecentLink {
  std::uint64_t callee = 0;  ///< Callee::serial; 0: none
  Generation generation;
  std::weak_ptr<Link> link;
};

/**
 * The chain of a thread's calls outside calls of peers while nonblocking calls of it are pending: a
 * later call may need an object that a pending one holds while the thread waits.
 */
struct OutermostChain {
  ChainId id{};
  std::atomic<std::uint32_t> pending{0};  ///< nonblocking calls whose answers have not been taken
  /**
   * One of them was given up and may still run. New calls begin another chain: in the same one they
   * could enter the objects it holds, and would be given up with it.
   */
  std::atomic<bool> is_given_up{false};

  bool goes_on() const { return pending != 0 && !is_given_up; }
};

/** Counts a pending call of a chain until it is settled or dropped. Any thread. */
class PendingInChain {
 public:
  /** NULL: not part of such a chain. */
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

/** The state of a thread's calls. A forked child resets it: forget_calls_of_parent(). */
struct CallsOfThread {
  CallOrder outermost_order;
  CallOrder* order = &outermost_order;
  RunningCall* innermost = nullptr;  ///< of the calls it runs
  Crew* crew = nullptr;              ///< it belongs to, or NULL
  bool is_of_runtime = false;        ///< a thread of the library, cancellable only in methods
  RecentLink recent;
  std::shared_ptr<OutermostChain> outermost_chain;  ///< NULL: no nonblocking call was made
  Standby* standby = nullptr;                       ///< if it waits while it runs a call
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
   * `call`: the call with request id `id`. `worker`: the server's worker that runs it and may be
   * the connection's reader, or NULL.
   */
  RunningCall(Link& link, std::uint64_t id, const IncomingCall& call, Worker* worker = nullptr)
      : link_(link),
        id_(id),
        call_(call),
        worker_(worker),
        thread_(CallsOfThread::here()),
        outer_(std::exchange(thread_.innermost, this)),
        depth_(outer_ == nullptr ? 1 : outer_->depth_ + 1),
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
  /** How many nested calls of peers the thread runs, this one included. */
  std::uint32_t depth() const { return depth_; }
  Link& link() const { return link_; }
  std::uint64_t id() const { return id_; }
  const IncomingCall& call() const { return call_; }
  Worker* worker() const { return worker_; }

  /**
   * The chain the call is part of, begun now if there was none. From here to the end of the call
   * the chain is in work. Called by its thread.
   */
  const ChainId& chain();
  /** That of a nonblocking or one-way call made in its course, as others may be made beside it. */
  const ChainId& begin_branch();
  /** The caller has given the call up. */
  bool is_given_up() const;

  /** The same for this call or any that it is made in the course of. */
  bool is_within_given_up() const {
    const RunningCall* each = this;
    while (each != nullptr && (is_beside(*each) || !each->is_given_up())) each = each->outer_;
    return each != nullptr;
  }
  static constexpr const char* given_up =
      "the call that made it was cancelled, or its caller is gone";
  /**
   * Throws Error if a call this thread runs was given up, so that it should make no further calls.
   */
  static void check_wanted();

  /**
   * The counter of waiting threads for this thread: that of the session whose call is outermost.
   * NULL: none.
   */
  std::atomic<std::uint32_t>* waits() const { return waits_; }
  void set_waits(std::atomic<std::uint32_t>* waits) { waits_ = waits; }

  /** The object strand it has entered: see ObjectStrands. NULL: none. */
  const void* strand() const { return strand_; }
  void set_strand(const void* strand) { strand_ = strand; }
  /** True if a surrounding call has entered the strand, so that this one may run in it as well. */
  bool is_within(const void* strand) const {
    const RunningCall* around = outer_;
    while (around != nullptr && around->strand_ != strand) around = around->outer_;
    return around != nullptr;
  }

 private:
  void end_chain() noexcept;
  /** True if they are of different branches of a chain, though the same thread runs both. */
  bool is_beside(const RunningCall& other) const {
    return chain_ && other.chain_ && chain_->is_beside(*other.chain_);
  }

  Link& link_;
  const std::uint64_t id_;
  const IncomingCall& call_;
  Worker* const worker_;
  const void* strand_ = nullptr;
  std::optional<ChainId> chain_;
  std::optional<ChainId> branch_;  ///< of the last nonblocking call made in its course
  bool began_chain_ = false;       ///< no surrounding call is part of the chain
  CallsOfThread& thread_;
  RunningCall* const outer_;
  const std::uint32_t depth_;
  std::atomic<std::uint32_t>* waits_;
  CallOrder order_;
  CallOrder* const outer_order_;
};

}  // namespace shinar::wire
#endif
