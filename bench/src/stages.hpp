// What the program and the objects of bench-patterns share: a stage's work, and what messages say.
#ifndef BENCH_STAGES_HPP
#define BENCH_STAGES_HPP

#include <cstdint>
#include <stdexcept>
#include <string>

namespace bench {

// Each round waits for the one before; the result is kept, so that none is left out.
inline void work(std::int64_t rounds) {
  static thread_local volatile double result = 1;
  double x = result;
  for (std::int64_t i = 0; i < rounds; ++i) x = x * 0.999999 + 1e-6;
  result = x;
}

// What rank `rank` sends after stage `stage` - 1, for stage `stage`.
inline double value_of(int rank, int stage) {
  return rank * 4294967296.0 + stage;
}

inline void check(double value, int rank, int stage) {
  if (value == value_of(rank, stage)) return;
  throw std::runtime_error("stage " + std::to_string(stage) + " wants " +
                           std::to_string(value_of(rank, stage)) + " of rank " +
                           std::to_string(rank) + ", and got " + std::to_string(value));
}

}  // namespace bench
#endif
