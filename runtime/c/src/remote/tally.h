/*
 * tally.h: how many calls peers have made, how many of them failed, how long they took.
 *
 * Counting takes one atomic addition in a cache line that few threads share, and two looks at the
 * clock; nothing is locked.
 */
#ifndef REMOTE_TALLY_H
#define REMOTE_TALLY_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Class i holds the calls that took less than 2^i µs, and not less than those of class i - 1. */
enum { TALLY_CLASSES = 32 };

struct tally {
  uint64_t calls;
  uint64_t errors;
  uint64_t by_time[TALLY_CLASSES]; /* the last one has no upper end */
};

/* When a call begins; goes into tally_end when it is answered. */
uint64_t tally_begin(void);
void tally_end(uint64_t begun);

/* A call was answered by an exception. */
void tally_error(void);

/* The sums of this moment. */
struct tally tally_read(void);

#pragma GCC visibility pop
#endif
