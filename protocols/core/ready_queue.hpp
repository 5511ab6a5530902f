/**
 * What waits for a worker, fairly: each tenant has a line, the lines take turns, and one that comes
 * after a pause goes first, so that who asks for little does not wait behind who asks for much.
 * (Deficit round robin with new flows first, as in fq_codel: RFC 8290, section 4.)
 */
#ifndef SHINAR_CORE_READY_QUEUE_HPP
#define SHINAR_CORE_READY_QUEUE_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace shinar::wire {

class Pollable;

/** An entry that waits for a worker. */
struct Ready {
  Pollable* what;
  std::chrono::steady_clock::time_point since;
};

/** One tenant's; outlives its entries. */
class ReadyLine {
 public:
  ReadyLine() = default;
  ReadyLine(const ReadyLine&) = delete;
  ReadyLine& operator=(const ReadyLine&) = delete;
  ~ReadyLine() = default;

  std::atomic<unsigned> weight{1};  ///< how many turns it has before the next line has one

 private:
  friend class ReadyQueue;
  std::deque<Ready> entries_;    ///< by ascending time
  std::uint64_t last_turn_ = 0;  ///< when it had one
  unsigned turns_left_ = 0;      ///< until the next line has one
};

/** Guarded by its owner. */
class ReadyQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void add(ReadyLine& line, const Ready& ready) {
    if (line.entries_.empty()) enter(line);
    auto& entries = line.entries_;
    entries.insert(std::ranges::upper_bound(entries, ready.since, {}, &Ready::since), ready);
    ++size_;
  }

  /** The next one; there is one. */
  Ready take() {
    const bool is_new = !new_.empty();
    std::deque<ReadyLine*>& from = is_new ? new_ : old_;
    ReadyLine& line = *from.front();
    const Ready ready = line.entries_.front();
    line.entries_.pop_front();
    --size_;
    line.last_turn_ = ++turns_;
    if (line.turns_left_ == 0)
      line.turns_left_ = std::max(1u, line.weight.load(std::memory_order_relaxed));
    --line.turns_left_;
    if (line.entries_.empty() || line.turns_left_ == 0) {
      from.pop_front();
      line.turns_left_ = 0;
      if (!line.entries_.empty()) old_.push_back(&line);
    }
    return ready;
  }

  template <class Action>
  void for_each(Action action) const {
    for (const auto* lines : {&new_, &old_}) {
      for (const ReadyLine* line : *lines) std::ranges::for_each(line->entries_, action);
    }
  }
  /** Removes those for which `wanted` is true. */
  template <class Predicate>
  void remove_if(Predicate wanted) {
    for (auto* lines : {&new_, &old_}) {
      for (ReadyLine* line : *lines) size_ -= std::erase_if(line->entries_, wanted);
      std::erase_if(*lines, [](const ReadyLine* line) { return line->entries_.empty(); });
    }
  }

 private:
  /** First, unless it has just had its turn: then behind those that have waited since. */
  void enter(ReadyLine& line) {
    line.turns_left_ = 0;
    const bool has_paused = turns_ - line.last_turn_ >= old_.size();
    (has_paused ? new_ : old_).push_back(&line);
  }

  std::deque<ReadyLine*> new_, old_;  ///< none without entries
  std::size_t size_ = 0;
  std::uint64_t turns_ = 0;
};

}  // namespace shinar::wire
#endif
