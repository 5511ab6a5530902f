/*
 * fork.h: locks that are free in a forked child.
 *
 * TABLE_LOCK(name); defines a static mutex under which no user's method may be called and no other
 * lock taken, so that all of them can be taken before a fork, in any order.
 */
#ifndef BASE_FORK_H
#define BASE_FORK_H

#include <pthread.h>

#include "sidl_process.h"

struct table_lock {
  pthread_mutex_t* mutex;
  struct table_lock* next;
};

#pragma GCC visibility push(hidden)

/* From now on the mutex is locked before a fork and unlocked afterwards. */
void fork_guard(struct table_lock* lock);

#pragma GCC visibility pop

#define FORK_GUARD(name, mutex)                                 \
  static struct table_lock name = {mutex, 0};                   \
  __attribute__((constructor)) static void name##_begin(void) { \
    fork_guard(&name);                                          \
  }                                                             \
  struct table_lock

#define TABLE_LOCK(name)                                   \
  static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER; \
  FORK_GUARD(name##_at_fork, &name)

#endif
