#include "core/part.hpp"

#include <algorithm>
#include <numeric>

namespace shinar::par {

Part Part::whole(std::int64_t begin, std::int64_t end) {
  const std::int64_t length = std::max<std::int64_t>(end - begin, 1);
  return {begin, std::max(begin, end), length, length};
}

std::int64_t Part::position(std::int64_t index) const {
  const std::int64_t behind = std::clamp(index, begin, end) - begin;
  return behind / period * block + std::min(behind % period, block);
}

std::int64_t Part::index(std::int64_t position) const {
  return begin + position / block * period + position % block;
}

std::int64_t Part::block_at(std::int64_t index) const {
  if (index <= begin) return begin;
  const std::int64_t number = (index - begin) / period;
  const std::int64_t first = begin + number * period;
  if (index - first < block) return std::min(first, end);
  return end - first <= period ? end : first + period;
}

std::int64_t Overlap::size() const {
  std::int64_t once = 0;
  std::int64_t total = 0;
  for (const Run& run : runs) once += run.length * run.times;
  for (const Run& run : rest) total += run.length * run.times;
  return once * times + total;
}

namespace {

void add(std::vector<Run>& runs, Run run) {
  if (run.length == run.step) {
    run.length *= run.times;
    run.times = 1;
  }
  const bool follows = !runs.empty() && runs.back().times == 1 && run.times == 1 &&
                       runs.back().at + runs.back().length == run.at;
  if (follows) {
    runs.back().length += run.length;
  } else {
    runs.push_back(run);
  }
}

// The blocks of `fine` in [begin, end), which is within a block of the other part: the first may
// have begun before, and the last may go on.
void add_blocks(std::vector<Run>& runs, const Part& of, const Part& fine, std::int64_t begin,
                std::int64_t end) {
  std::int64_t first = fine.block_at(begin);
  if (first < begin) {
    const std::int64_t to = std::min(fine.block_end(first), end);
    add(runs, {of.position(begin), to - begin, 1, 0});
    first = to < end ? fine.block_at(to) : end;
  }
  if (first >= end) return;
  const std::int64_t times =
      end - first < fine.block ? 0 : (end - first - fine.block) / fine.period + 1;
  if (times > 0) {
    const std::int64_t step = &of == &fine ? fine.block : fine.period;
    add(runs, {of.position(first), fine.block, times, step});
  }
  const std::int64_t last = first + times * fine.period;
  if (last < end) add(runs, {of.position(last), end - last, 1, 0});
}

// Those within [begin, end).
std::vector<Run> runs_between(const Part& of, const Part& with, std::int64_t begin,
                              std::int64_t end) {
  const Part& coarse = of.block < with.block ? with : of;
  const Part& fine = of.block < with.block ? of : with;
  std::vector<Run> result;
  for (std::int64_t index = begin; index < end;) {
    const std::int64_t first = coarse.block_at(index);
    const std::int64_t from = std::max({first, fine.block_at(index), index});
    if (from >= end) break;
    const std::int64_t to = std::min(coarse.block_end(first), end);
    if (from < to) add_blocks(result, of, fine, from, to);
    index = std::max(from, to);
  }
  return result;
}

}  // namespace

std::int64_t common_period(std::int64_t a, std::int64_t b, std::int64_t most) {
  std::int64_t result = 0;
  const std::int64_t times = b / std::gcd(a, b);
  return __builtin_mul_overflow(a, times, &result) ? most : std::min(result, most);
}

Overlap overlap(const Part& of, const Part& with) {
  const std::int64_t begin = std::max(of.begin, with.begin);
  const std::int64_t end = std::min(of.end, with.end);
  Overlap result;
  if (begin >= end) return result;
  const std::int64_t period =
      common_period(of.is_whole() ? 1 : of.period, with.is_whole() ? 1 : with.period, end - begin);
  const std::int64_t times = (end - begin) / period;
  if (times == 1) {
    result.rest = runs_between(of, with, begin, end);
    return result;
  }
  result.runs = runs_between(of, with, begin, begin + period);
  if (result.runs.empty()) return result;
  result.times = times;
  result.step = of.is_whole() ? period : period / of.period * of.block;
  if (result.runs.size() == 1 && result.runs[0].times == 1) {
    // The repetition of one run is one run.
    const Run run = result.runs[0];
    add(result.rest, {run.at, run.length, times, result.step});
    result.times = 0;
    result.runs.clear();
  }
  for (const Run& run : runs_between(of, with, begin + times * period, end)) add(result.rest, run);
  return result;
}

}  // namespace shinar::par
