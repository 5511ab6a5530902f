// Which indices of one axis a rank has. Indices count from 0.
#pragma once

#include <cstdint>
#include <vector>

namespace shinar::par {

// The indices i in [begin, end) with (i - begin) % period < block: blocks of equal length at equal
// distances, the last of which may be cut off.
struct Part {
  std::int64_t begin = 0;
  std::int64_t end = 0;  // at least begin
  std::int64_t block = 1;
  std::int64_t period = 1;  // at least block

  // [begin, end) without gaps.
  static Part whole(std::int64_t begin, std::int64_t end);

  std::int64_t size() const { return end <= begin ? 0 : position(end); }
  // How many of its indices are below this one.
  std::int64_t position(std::int64_t index) const;
  // The index at a position.
  std::int64_t index(std::int64_t position) const;
  // Where the first of its blocks begins that ends behind an index; `end` if there is none.
  std::int64_t block_at(std::int64_t index) const;
  bool is_whole() const { return block == period; }
  // The end of the block that begins there.
  std::int64_t block_end(std::int64_t first) const {
    return end - first < block ? end : first + block;
  }
};

// Positions in a part: `length` next to each other from `at` on, `times` times, each time `step`
// further.
struct Run {
  std::int64_t at;
  std::int64_t length;
  std::int64_t times;
  std::int64_t step;
};

// The indices that a part shares with another one, in ascending order, as positions in the first:
// `runs`, `times` times, each time `step` further, and then `rest`. What two parts with periods
// share has a period, so this is short where there are many blocks.
struct Overlap {
  std::vector<Run> runs;
  std::int64_t times = 0;
  std::int64_t step = 0;
  std::vector<Run> rest;

  std::int64_t size() const;

  // visit(first, count, step): positions at equal distances.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    const auto visit_run = [&](std::int64_t at, const Run& run) {
      if (run.length == 1) return visit(at, run.times, run.step);
      for (std::int64_t n = 0; n < run.times; ++n) visit(at + n * run.step, run.length, 1);
    };
    for (std::int64_t n = 0; n < times; ++n) {
      for (const Run& run : runs) visit_run(run.at + n * step, run);
    }
    for (const Run& run : rest) visit_run(run.at, run);
  }
};

Overlap overlap(const Part& of, const Part& with);

// After so many indices two periods begin anew together; `most` if that is later.
std::int64_t common_period(std::int64_t a, std::int64_t b, std::int64_t most);

}  // namespace shinar::par
