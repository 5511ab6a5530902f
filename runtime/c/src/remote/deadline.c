#include "remote/deadline.h"

#include <errno.h>
#include <time.h>

#include "object/throw.h"
#include "remote/proxy.h"
#include "sidl_rmi_Invocation.h"
#include "sidl_rmi_RequestFate.h"
#include "sidl_rmi_TimeOutException_IOR.h"
#include "sidl_settings.h"

enum { NANOSECONDS = 1000000 }; /* per millisecond */

/* A point in time that is never reached, in nanoseconds as now() counts. */
#define NEVER INT64_MAX

int32_t deadline_in_use;
static int64_t of_process; /* accessed atomically */

static _Thread_local int64_t of_thread = NO_DEADLINE;
/* The deadline of the caller whose method this thread runs. */
static _Thread_local int64_t inherited = NEVER;

__attribute__((constructor)) static void read_environment(void) {
  const uint64_t milliseconds = sidl_setting_value(sidl_setting_RMI_DEADLINE_MS);
  if (milliseconds > 0) deadline_set_process((int64_t)milliseconds);
}

static void begin_use(void) {
  __atomic_store_n(&deadline_in_use, 1, __ATOMIC_RELAXED);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 * NANOSECONDS + time.tv_nsec;
}

/* ---- thread, object, process -------------------------------------------------------------------
 */

int64_t deadline_of_thread(void) {
  return of_thread;
}

void deadline_set_thread(int64_t milliseconds) {
  begin_use();
  of_thread = milliseconds;
}

int64_t deadline_of_object(const void* object) {
  const struct proxy_tail* const proxy = proxy_tail(object);
  return proxy == NULL ? NO_DEADLINE : __atomic_load_n(&proxy->deadline, __ATOMIC_RELAXED);
}

void deadline_set_object(void* object, int64_t milliseconds) {
  struct proxy_tail* const proxy = proxy_tail(object);
  if (proxy == NULL) return;
  begin_use();
  __atomic_store_n(&proxy->deadline, milliseconds, __ATOMIC_RELAXED);
}

int64_t deadline_of_process(void) {
  return __atomic_load_n(&of_process, __ATOMIC_RELAXED);
}

void deadline_set_process(int64_t milliseconds) {
  begin_use();
  __atomic_store_n(&of_process, milliseconds, __ATOMIC_RELAXED);
}

/* ---- calls -------------------------------------------------------------------------------------
 */

/* The deadline set for calls through `proxy`; 0: none. */
static int64_t chosen(const void* proxy) {
  if (of_thread != NO_DEADLINE) return of_thread;
  const int64_t own = deadline_of_object(proxy);
  return own != NO_DEADLINE ? own : deadline_of_process();
}

/* Milliseconds left, rounded up. Negative: the deadline has passed. */
static int64_t left(int64_t until) {
  const int64_t nanoseconds = until - now();
  return nanoseconds <= 0 ? -1 : (nanoseconds - 1) / NANOSECONDS + 1;
}

bool deadline_find(const void* proxy, int64_t* milliseconds,
                   struct sidl_BaseInterface__object** _ex) {
  *milliseconds = chosen(proxy);
  if (inherited != NEVER) {
    const int64_t rest = left(inherited);
    if (rest < 0) {
      sidl_rmi_throw(&sidl_rmi_TimeOutException__info,
                     "not sent: the deadline of the call that this thread is running has passed",
                     ETIMEDOUT, sidl_rmi_RequestFate_notSent, __FILE__, __LINE__, __func__, _ex);
      return false;
    }
    if (*milliseconds == 0 || rest < *milliseconds) *milliseconds = rest;
  }
  *_ex = NULL;
  return true;
}

int64_t deadline_of_sending(const void* proxy) {
  const int64_t milliseconds = chosen(proxy);
  if (inherited == NEVER) return milliseconds;
  const int64_t rest = left(inherited);
  if (rest < 0) return 1;
  return milliseconds == 0 || rest < milliseconds ? rest : milliseconds;
}

int64_t sidl_deadline_of_request(struct sidl_BaseInterface__object** _ex) {
  int64_t milliseconds = 0;
  return deadline_find(NULL, &milliseconds, _ex) ? milliseconds : 0;
}

bool deadline_give(const void* proxy, struct sidl_rmi_Invocation__object* invocation,
                   struct sidl_BaseInterface__object** _ex) {
  int64_t milliseconds = 0;
  if (!deadline_find(proxy, &milliseconds, _ex)) return false;
  if (milliseconds > 0) sidl_rmi_Invocation_setDeadline(invocation, milliseconds, _ex);
  return *_ex == NULL;
}

/* ---- methods that run for another process ------------------------------------------------------
 */

int64_t deadline_enter(void) {
  if (!deadline_is_used()) return NO_DEADLINE;
  const int64_t previous = of_thread;
  of_thread = NO_DEADLINE;
  return previous;
}

void deadline_leave(int64_t previous) {
  if (deadline_is_used()) of_thread = previous;
}

int64_t sidl_deadline_inherit(int64_t milliseconds_left) {
  const int64_t previous = deadline_is_used() ? inherited : NEVER;
  if (milliseconds_left >= 0) {
    begin_use();
    const int64_t start = now();
    const int64_t most = (NEVER - 1 - start) / NANOSECONDS;
    inherited = milliseconds_left < most ? start + milliseconds_left * NANOSECONDS : NEVER;
  } else if (previous != NEVER) {
    inherited = NEVER;
  }
  return previous;
}

void sidl_deadline_restore(int64_t previous) {
  if (deadline_is_used()) inherited = previous;
}
