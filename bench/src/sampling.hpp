// How a time is taken that many calls have each.
#ifndef BENCH_SAMPLING_HPP
#define BENCH_SAMPLING_HPP

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

inline double median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Median time of a call in microseconds, over as many calls as fit into `seconds`; at least five.
inline double sample(const std::function<void()>& call, double seconds) {
  std::vector<double> times;
  const auto start = Clock::now();
  auto before = start;
  while (times.size() < 5 || before - start < std::chrono::duration<double>(seconds)) {
    call();
    const auto after = Clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(after - before).count());
    before = after;
  }
  return median(times);
}

}  // namespace bench
#endif
