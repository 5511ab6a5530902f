/*
 * deadline.h: how long calls to other processes may take: the state of sidl.rmi.Deadline.
 *
 * In milliseconds; 0 means no limit, NO_DEADLINE inherits from the next level: thread, object,
 * process. The rest of the deadline of a running method's caller limits all of them.
 */
#ifndef REMOTE_DEADLINE_H
#define REMOTE_DEADLINE_H

#include <stdbool.h>

#include "sidl_protocol.h"

struct sidl_rmi_Invocation__object;

#pragma GCC visibility push(hidden)

#define NO_DEADLINE INT64_C(-1)

/* False until a deadline is set for the first time in this process. Accessed atomically. */
extern int32_t deadline_in_use;

int64_t deadline_of_thread(void);
int64_t deadline_of_object(const void* object);
int64_t deadline_of_process(void);
void deadline_set_thread(int64_t milliseconds);
void deadline_set_object(void* object, int64_t milliseconds);
void deadline_set_process(int64_t milliseconds);

/*
 * The deadline of a call through `proxy` in milliseconds; 0: none. False with *_ex set if it has
 * passed.
 */
bool deadline_find(const void* proxy, int64_t* milliseconds,
                   struct sidl_BaseInterface__object** _ex);

/* The time that a oneway call has to be sent, for which the caller waits; nothing limits the
 * method. 0: any. */
int64_t deadline_of_sending(const void* proxy);

/*
 * Sets the deadline of a call through `proxy`, if any. False with *_ex set if it has passed or the
 * protocol refuses.
 */
bool deadline_give(const void* proxy, struct sidl_rmi_Invocation__object* invocation,
                   struct sidl_BaseInterface__object** _ex);

/* Costs one read in programs that set no deadlines. */
static inline bool deadline_is_used(void) {
  return __atomic_load_n(&deadline_in_use, __ATOMIC_RELAXED) != 0;
}

static inline bool deadline_apply(const void* proxy, struct sidl_rmi_Invocation__object* invocation,
                                  struct sidl_BaseInterface__object** _ex) {
  if (!deadline_is_used()) return true;
  return deadline_give(proxy, invocation, _ex);
}

/* Enclose a method that runs for another process, which gets a thread deadline of its own. */
int64_t deadline_enter(void);
void deadline_leave(int64_t previous);

#pragma GCC visibility pop
#endif
