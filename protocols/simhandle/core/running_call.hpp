/**
 * What a thread knows about the calls it is in: those it runs for peers, and the order in which
 * its own have to be run.
 */
#ifndef SIMHANDLE_RUNNING_CALL_HPP
#define SIMHANDLE_RUNNING_CALL_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace simhandle {

class Link;
class Worker;

/**
 * Calls of one thread that nobody waits for are overtaken by none of its later ones on the same
 * object: from the first such call to a callee on, the thread's calls to it take one link and carry
 * a lane. What is nested in a call of a peer has an order of its own, as it must not wait for what
 * surrounds it.
 */
class CallOrder {
 public:
  static CallOrder& of_this_thread() { return current == nullptr ? base() : *current; }

  bool empty() const { return links_.empty(); }
  /** The link that calls to the callee have to take, or NULL: any. */
  std::shared_ptr<Link> link_to(std::uint64_t callee) const {
    for (const auto& [to, link] : links_) {
      if (to == callee) return link.lock();
    }
    return nullptr;
  }
  void set_link(std::uint64_t callee, const std::shared_ptr<Link>& link) {
    std::erase_if(links_, [callee](const auto& each) {
      return each.first == callee || each.second.expired();
    });
    links_.emplace_back(callee, link);
  }
  std::uint16_t lane() {
    static std::atomic<std::uint16_t> last{0};
    while (lane_ == 0) lane_ = static_cast<std::uint16_t>(last.fetch_add(1) + 1);
    return lane_;
  }

 private:
  friend class RunningCall;
  static CallOrder& base() {
    static thread_local CallOrder order;
    return order;
  }
  static inline thread_local CallOrder* current = nullptr;

  std::vector<std::pair<std::uint64_t, std::weak_ptr<Link>>> links_;  ///< by Callee::serial
  std::uint16_t lane_ = 0;
};

/** A call of a peer that this thread runs, from construction to destruction. */
class RunningCall {
 public:
  /** `worker`: the server's, if one runs it that may own the connection's reading. */
  RunningCall(Link& link, std::uint64_t id, Worker* worker = nullptr)
      : link_(link),
        id_(id),
        worker_(worker),
        outer_(std::exchange(innermost_, this)),
        outer_order_(std::exchange(CallOrder::current, &order_)) {}
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
  ~RunningCall() {
    innermost_ = outer_;
    CallOrder::current = outer_order_;
  }

  static RunningCall* innermost() { return innermost_; }
  RunningCall* outer() const { return outer_; }
  Link& link() const { return link_; }
  std::uint64_t id() const { return id_; }
  Worker* worker() const { return worker_; }

 private:
  static inline thread_local RunningCall* innermost_ = nullptr;

  Link& link_;
  const std::uint64_t id_;
  Worker* const worker_;
  RunningCall* const outer_;
  CallOrder order_;
  CallOrder* const outer_order_;
};

}  // namespace simhandle
#endif
