/*
 * fork.h: locks that a forked child finds open.
 *
 * TABLE_LOCK(name); defines a static mutex under which nothing of others is called: no method of a
 * user, no other lock. So all of them can be taken before a fork, in any order.
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

/* From now on the mutex is taken before a fork and given back afterwards. */
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
