/*
 * tally.h: counts calls of peers, failures, and a histogram of their times.
 *
 * Counting takes one atomic addition in a cache line that few threads share, and two clock reads;
 * no locks.
 */
#ifndef REMOTE_TALLY_H
#define REMOTE_TALLY_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Class i counts calls that took less than 2^i µs and do not belong to a lower class. */
enum { TALLY_CLASSES = 32 };

struct tally {
  uint64_t calls;
  uint64_t errors;
  uint64_t by_time[TALLY_CLASSES]; /* the last one has no upper limit */
};

/* The time at which a call begins, to be passed to tally_end when it is answered. */
uint64_t tally_begin(void);
void tally_end(uint64_t begun);

/* Counts a call answered with an exception. */
void tally_error(void);

/* The current sums. */
struct tally tally_read(void);

#pragma GCC visibility pop
#endif
