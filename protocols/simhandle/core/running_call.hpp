/**
 * What a thread knows about the calls it is in: those it runs for peers, and the order in which
 * its own have to be run.
 */
#ifndef SIMHANDLE_RUNNING_CALL_HPP
#define SIMHANDLE_RUNNING_CALL_HPP

#include <algorithm>
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
  /** From now on calls to the callee take this link. `number`: the link's. */
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

class RunningCall;

/** Where a thread is. */
struct CallsOfThread {
  CallOrder outermost_order;
  CallOrder* order = &outermost_order;
  RunningCall* innermost = nullptr;  ///< of the calls that it runs

  // Not inlined: each use would look the thread's up again.
  [[gnu::noinline]] static CallsOfThread& here() {
    static thread_local CallsOfThread calls;
    return calls;
  }
};

inline CallOrder& CallOrder::of_this_thread() {
  return *CallsOfThread::here().order;
}

/** A call of a peer that this thread runs, from construction to destruction. */
class RunningCall {
 public:
  /** `worker`: the server's, if one runs it that may own the connection's reading. */
  RunningCall(Link& link, std::uint64_t id, Worker* worker = nullptr)
      : link_(link),
        id_(id),
        worker_(worker),
        thread_(CallsOfThread::here()),
        outer_(std::exchange(thread_.innermost, this)),
        outer_order_(std::exchange(thread_.order, &order_)) {}
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
  ~RunningCall() {
    thread_.innermost = outer_;
    thread_.order = outer_order_;
  }

  static RunningCall* innermost() { return CallsOfThread::here().innermost; }
  RunningCall* outer() const { return outer_; }
  Link& link() const { return link_; }
  std::uint64_t id() const { return id_; }
  Worker* worker() const { return worker_; }

 private:
  Link& link_;
  const std::uint64_t id_;
  Worker* const worker_;
  CallsOfThread& thread_;
  RunningCall* const outer_;
  CallOrder order_;
  CallOrder* const outer_order_;
};

}  // namespace simhandle
#endif
