/* One measurement of a call in process: a function that makes n calls. */
#ifndef BENCH_INPROC_H
#define BENCH_INPROC_H

#include <stdint.h>

/* Doubles in the arrays that are passed: their number must not matter. */
#define ARRAY_LENGTH 1000
#define LARGE_ARRAY_LENGTH (1 << 20)

#ifdef __cplusplus
extern "C" {
#endif

struct measurement {
  const char* name;      /* "c_cxx.noop", or "yardstick.pointer.noop" */
  const char* yardstick; /* name of another measurement, or NULL for a yardstick */
  void (*run)(int64_t calls);
  int64_t calls; /* in one sample */
};

/** A result nobody reads, so that no loop can be dropped. */
extern volatile int64_t inproc_sink;

/** The measurements whose caller is written in C; the list ends with a NULL name. */
const struct measurement* inproc_from_c(void);

#ifdef __cplusplus
}
#endif

#endif
