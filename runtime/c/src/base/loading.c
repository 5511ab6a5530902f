/*
 * loading.c: keeps forks and loading of libraries apart.
 *
 * Mutual exclusion of threads that load, which may be many, and one that forks. As initialisation
 * code may wait for the thread that forks, waits have a time-out.
 */
#include "base/loading.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "sidl_process.h"

enum { PATIENCE = 5 }; /* seconds */

static const pthread_mutex_t open_mutex = PTHREAD_MUTEX_INITIALIZER;
static const pthread_cond_t open_gate = PTHREAD_COND_INITIALIZER;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the counts */
static pthread_cond_t gate = PTHREAD_COND_INITIALIZER;
static int loads;
static int forks;

static __thread int own_loads;
static __thread int own_forks;

/* With the lock: waits until no other thread forks, nor loads if `no_loads`. */
static void wait_for_others(bool no_loads) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += PATIENCE;
  while ((forks > own_forks || (no_loads && loads > own_loads)) &&
         pthread_cond_timedwait(&gate, &lock, &until) == 0) {
    continue;
  }
}

static void leave(int* all, int* own) {
  --*own;
  pthread_mutex_lock(&lock);
  --*all;
  pthread_cond_broadcast(&gate);
  pthread_mutex_unlock(&lock);
}

void sidl_begin_loading(void) {
  pthread_mutex_lock(&lock);
  if (own_loads == 0) wait_for_others(false);
  ++loads;
  pthread_mutex_unlock(&lock);
  ++own_loads;
}

void sidl_end_loading(void) {
  leave(&loads, &own_loads);
}

void sidl_await_loading(void) {
  if (own_forks > 0) return;
  pthread_mutex_lock(&lock);
  wait_for_others(true);
  ++forks;
  pthread_mutex_unlock(&lock);
  ++own_forks;
}

void loading_after_fork(void) {
  leave(&forks, &own_forks);
}

void loading_begin_as_child(void) {
  memcpy(&lock, &open_mutex, sizeof lock);
  memcpy(&gate, &open_gate, sizeof gate);
  loads = own_loads;
  forks = own_forks = 0;
}
