/**
 * What waits for a worker, fairly: each tenant has a line, and the next one is of the line for
 * which workers have worked least, by time and weight. Who asks for little does not wait behind who
 * asks for much. (Start-time fair queueing: a line that comes after a pause has no more claims than
 * those that waited.)
 */
#ifndef SHINAR_CORE_READY_QUEUE_HPP
#define SHINAR_CORE_READY_QUEUE_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "fifo.hpp"

namespace shinar::wire {

class Pollable;
class ReadyLine;

/** An entry that waits for a worker. */
struct Ready {
  Pollable* what;
  std::chrono::steady_clock::time_point since;
  std::shared_ptr<ReadyLine> line;  ///< in which it waits; NULL while it does, as that owns it
};

/** One tenant's, which keeps it as long as there are entries. */
class ReadyLine : public std::enable_shared_from_this<ReadyLine> {
 public:
  ReadyLine() = default;
  ReadyLine(const ReadyLine&) = delete;
  ReadyLine& operator=(const ReadyLine&) = delete;
  ~ReadyLine() = default;

  std::atomic<unsigned> weight{1};   ///< its part beside that of others; at least 1
  std::atomic<unsigned> waiting{0};  ///< workers that work for it, and wait for peers

  /** Workers that work for it, and do not wait. */
  unsigned served() const {
    const unsigned waits = waiting.load(std::memory_order_relaxed);
    return served_ > waits ? served_ - waits : 0;
  }
  /** True if something of what was done for it lately took a worker long. */
  bool takes_long() const { return long_turn_ >= std::chrono::microseconds(100); }

 private:
  friend class ReadyQueue;
  Fifo<Ready> entries_;                    ///< by ascending time
  std::chrono::nanoseconds worked_{0};     ///< for it, divided by its weight
  std::chrono::nanoseconds long_turn_{0};  ///< the longest, less the longer ago it was
  std::uint64_t entered_ = 0;              ///< the earlier, the smaller
  unsigned served_ = 0;                    ///< workers that work for it
};

/** Guarded by its owner. */
class ReadyQueue {
 public:
  using Clock = std::chrono::steady_clock;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /** The line that has the next turn, of those for which this is true; NULL: of none. */
  template <class Predicate>
  ReadyLine* next(Predicate may_have) const {
    const auto at =
        std::ranges::find_if(lines_, [&](const ReadyLine* line) { return may_have(*line); });
    return at == lines_.end() ? nullptr : *at;
  }

  void add(Ready ready) {
    const std::shared_ptr<ReadyLine> keep = std::move(ready.line);
    ReadyLine& line = *keep;
    const bool enters = line.entries_.empty();
    const auto at = std::ranges::upper_bound(line.entries_, ready.since, {}, &Ready::since);
    line.entries_.insert(at, std::move(ready));
    ++size_;
    if (!enters) return;
    line.worked_ = std::max(line.worked_, least_);
    enter(line);
  }

  /** The next one of a line that waits, which must be told when the worker is done. */
  Ready take(ReadyLine& line) {
    least_ = std::max(least_, line.worked_);
    ++line.served_;
    Ready ready = std::move(line.entries_.front());
    ready.line = line.shared_from_this();
    line.entries_.pop_front();
    --size_;
    if (line.entries_.empty()) lines_.erase(&line);
    return ready;
  }
  /** A worker is done with what it has taken. */
  void done(ReadyLine& line, std::chrono::nanoseconds worked) {
    const bool waits = !line.entries_.empty();
    if (waits) lines_.erase(&line);
    --line.served_;
    line.long_turn_ = std::max(worked, line.long_turn_ * 63 / 64);
    line.worked_ += worked / std::max(1u, line.weight.load(std::memory_order_relaxed));
    if (waits) enter(line);
  }

  template <class Action>
  void for_each(Action action) const {
    for (const ReadyLine* line : lines_) std::ranges::for_each(line->entries_, action);
  }
  /** Removes those for which `wanted` is true. */
  template <class Predicate>
  void remove_if(Predicate wanted) {
    for (ReadyLine* line : lines_) {
      size_ -= line->entries_.erase_if([&](const Ready& each) { return wanted(*line, each); });
    }
    std::erase_if(lines_, [](const ReadyLine* line) { return line->entries_.empty(); });
  }

 private:
  struct HasLess {
    bool operator()(const ReadyLine* a, const ReadyLine* b) const {
      return std::tie(a->worked_, a->entered_) < std::tie(b->worked_, b->entered_);
    }
  };

  void enter(ReadyLine& line) {
    line.entered_ = ++entered_;
    lines_.insert(&line);
  }

  std::set<ReadyLine*, HasLess> lines_;  ///< none without entries
  std::size_t size_ = 0;
  std::uint64_t entered_ = 0;          ///< as often a line has
  std::chrono::nanoseconds least_{0};  ///< of the line that was taken from last
};

}  // namespace shinar::wire
#endif
