/*
 * deadline.h: how long calls to other processes may take: the state of sidl.rmi.Deadline.
 *
 * Milliseconds, here as there: 0 is "as long as they want", NO_DEADLINE "what the next one says":
 * thread, object, process. What the caller of a running method has left bounds them all.
 */
#ifndef REMOTE_DEADLINE_H
#define REMOTE_DEADLINE_H

#include <stdbool.h>

#include "sidl_protocol.h"

struct sidl_rmi_Invocation__object;

#pragma GCC visibility push(hidden)

#define NO_DEADLINE INT64_C(-1)

/* False only while nobody in this process ever set a deadline. Accessed atomically. */
extern int32_t deadline_in_use;

int64_t deadline_of_thread(void);
int64_t deadline_of_object(const void* object);
int64_t deadline_of_process(void);
void deadline_set_thread(int64_t milliseconds);
void deadline_set_object(void* object, int64_t milliseconds);
void deadline_set_process(int64_t milliseconds);

/*
 * What a call through `proxy` may take, in milliseconds; 0: as long as it wants. False with *_ex
 * set: the time is over.
 */
bool deadline_find(const void* proxy, int64_t* milliseconds,
                   struct sidl_BaseInterface__object** _ex);

/*
 * Gives a call through `proxy` its deadline, if it has one. False with *_ex set: the time is over,
 * or the protocol refuses.
 */
bool deadline_give(const void* proxy, struct sidl_rmi_Invocation__object* invocation,
                   struct sidl_BaseInterface__object** _ex);

/* False costs one read: programs without deadlines need not look for them. */
static inline bool deadline_is_used(void) {
  return __atomic_load_n(&deadline_in_use, __ATOMIC_RELAXED) != 0;
}

static inline bool deadline_apply(const void* proxy, struct sidl_rmi_Invocation__object* invocation,
                                  struct sidl_BaseInterface__object** _ex) {
  if (!deadline_is_used()) return true;
  return deadline_give(proxy, invocation, _ex);
}

/* Around a method that runs for another process: it has a thread's deadline of its own. */
int64_t deadline_enter(void);
void deadline_leave(int64_t previous);

#pragma GCC visibility pop
#endif
