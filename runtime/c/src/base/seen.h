/*
 * seen.h: pairs of addresses that a walk has come by. A walk over types that may mention each other
 * ends because it passes each once.
 */
#ifndef BASE_SEEN_H
#define BASE_SEEN_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Begins as all zero. */
struct seen {
  const void** pairs;
  size_t count;
  bool failed; /* out of memory: not all has been passed */
};

/* Whether this is not the first time; also true if memory is exhausted, so that the walk ends. */
bool seen_before(struct seen* seen, const void* a, const void* b);

void seen_free(struct seen* seen);

#pragma GCC visibility pop
#endif
