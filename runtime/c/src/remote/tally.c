#include "remote/tally.h"

#include <stddef.h>
#include <time.h>

enum { STRIPES = 16 };

/* Threads are distributed over stripes, so that they rarely write to the same cache lines. */
struct stripe {
  _Alignas(64) uint64_t by_time[TALLY_CLASSES];
  uint64_t errors;
};

static struct stripe stripes[STRIPES];
static uint32_t threads;

static struct stripe* mine(void) {
  static _Thread_local struct stripe* stripe;
  if (stripe == NULL) {
    stripe = &stripes[__atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % STRIPES];
  }
  return stripe;
}

uint64_t tally_begin(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

void tally_end(uint64_t begun) {
  const uint64_t microseconds = (tally_begin() - begun) / 1000;
  const int class = microseconds == 0 ? 0 : 64 - __builtin_clzll(microseconds);
  const int last = TALLY_CLASSES - 1;
  __atomic_fetch_add(&mine()->by_time[class < last ? class : last], 1, __ATOMIC_RELAXED);
}

void tally_error(void) {
  __atomic_fetch_add(&mine()->errors, 1, __ATOMIC_RELAXED);
}

struct tally tally_read(void) {
  struct tally sum = {0};
  for (int s = 0; s < STRIPES; ++s) {
    sum.errors += __atomic_load_n(&stripes[s].errors, __ATOMIC_RELAXED);
    for (int i = 0; i < TALLY_CLASSES; ++i) {
      const uint64_t count = __atomic_load_n(&stripes[s].by_time[i], __ATOMIC_RELAXED);
      sum.by_time[i] += count;
      sum.calls += count;
    }
  }
  return sum;
}
