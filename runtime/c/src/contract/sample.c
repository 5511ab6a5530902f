/*
 * sample.c: sidl.EnforceFreq.
 *
 * Each thread keeps account of the time that it has spent in methods and in checking, without
 * locks; what a single clause or method takes on average is known to all threads.
 */
#include "contract/sample.h"

#include <math.h>
#include <stdbool.h>
#include <time.h>

#include "object/policy.h"

struct account {
  uint64_t checking; /* ns */
  uint64_t methods;  /* ns, without the checks of calls within them */
  uint64_t calls;
  uint64_t random;
};
static _Thread_local struct account account;

uint64_t sample_now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

static uint64_t read(const uint64_t* counter) {
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static void add(uint64_t* counter, uint64_t amount) {
  __atomic_store_n(counter, read(counter) + amount, __ATOMIC_RELAXED);
}

/* xorshift64* */
static uint64_t next_random(void) {
  uint64_t x = account.random != 0 ? account.random : sample_now() ^ (uint64_t)(uintptr_t)&account;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  account.random = x;
  return x * UINT64_C(0x2545F4914F6CDD1D);
}

static uint64_t mixed(uint64_t x) {
  x ^= x >> 33;
  x *= UINT64_C(0xff51afd7ed558ccd);
  x ^= x >> 33;
  x *= UINT64_C(0xc4ceb9fe1a85ec53);
  return x ^ x >> 33;
}

/* ---- what is due ----------------------------------------------------------------------------- */

static double average(const struct sidl_contract_state* state) {
  const uint64_t timed = read(&state->timed);
  return timed == 0 ? 0 : (double)read(&state->nanoseconds) / (double)timed;
}

/* Whether this thread stays within the limit if it spends so much time more. */
static bool fits(const struct policy* policy, double nanoseconds) {
  const double work =
      (double)account.methods + policy->average_per_call * 1e9 * (double)account.calls;
  return (double)account.checking + nanoseconds <= policy->overhead_limit * work;
}

static bool is_warm(const struct policy* policy, double nanoseconds) {
  const double t = nanoseconds * 1e-9;
  const double total = (double)account.methods * 1e-9;
  return total <= 0 || exp(t / total) / sqrt(total) >= policy->anneal_limit;
}

static bool is_due(const struct policy* policy, const struct sidl_contract* contract,
                   const struct sidl_contract_state* state, uint64_t number) {
  const uint64_t interval = policy->interval > 0 ? (uint64_t)policy->interval : 1;
  const double estimate = average(state);
  switch (policy->frequency) {
    case sidl_EnforceFreq_PERIODIC:
      return number % interval == 0;
    case sidl_EnforceFreq_RANDOM:
      return number % interval == mixed(number / interval + (uint64_t)(uintptr_t)state) % interval;
    case sidl_EnforceFreq_ADAPTFIT:
      return fits(policy, estimate);
    case sidl_EnforceFreq_ADAPTTIMING:
      return estimate <= policy->overhead_limit * average(&contract->states[0]);
    case sidl_EnforceFreq_SIMANNEAL:
      return fits(policy, estimate) || (is_warm(policy, estimate) && next_random() >> 63 != 0);
    default:
      return true;
  }
}

sidl_bool sidl_check_is_due(struct sidl_check* check, const struct sidl_contract* contract,
                            uint32_t position) {
  struct sidl_contract_state* const state = &contract->states[position + 1];
  const uint64_t number = read(&state->calls);
  add(&state->calls, 1);
  if (!is_due(policy_now(), contract, state, number)) return FALSE;
  if ((check->mode & sidl_check_timed) != 0) check->began = sample_now();
  return TRUE;
}

/* ---- time ------------------------------------------------------------------------------------ */

void sidl_check_took(struct sidl_check* check, struct sidl_contract_state* state) {
  const uint64_t taken = sample_now() - check->began;
  account.checking += taken;
  add(&state->nanoseconds, taken);
  add(&state->timed, 1);
}

void sample_call(struct sidl_check* check) {
  check->checking = account.checking;
  check->began = sample_now();
}

void sample_result(struct sidl_check* check) {
  struct sidl_contract_state* const state = &check->contract->states[0];
  const uint64_t nested = account.checking - check->checking;
  const uint64_t whole = sample_now() - check->began;
  const uint64_t taken = whole > nested ? whole - nested : 0;
  account.methods += taken;
  ++account.calls;
  add(&state->nanoseconds, taken);
  add(&state->timed, 1);
}
