/* policy.h: which contracts this process checks, and how often: the state of sidl.EnfPolicy. */
#ifndef OBJECT_POLICY_H
#define OBJECT_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "sidl_ContractClass.h"
#include "sidl_EnforceFreq.h"

#pragma GCC visibility push(hidden)

struct policy {
  enum sidl_ContractClass__enum contracts;
  enum sidl_EnforceFreq__enum frequency;
  int32_t interval;
  double overhead_limit;
  double average_per_call;
  double anneal_limit;
};

/* The policy in force. */
struct policy policy_get(void);
const struct policy* policy_now(void);        /* the same, which stays as it is */
bool policy_is_initial(void);                 /* nobody has set one */
bool policy_set(const struct policy* policy); /* false: no memory */

/* Whether calls that are checked are written down, too. */
void policy_set_traced(bool is_traced);

/* What is invalid about a policy, or NULL. */
const char* policy_objection(const struct policy* policy);

/* "PRECONDS, ALWAYS", or short, "Pre-Alw"; free. NULL: no memory. */
char* policy_name(const struct policy* policy, bool is_short);

#pragma GCC visibility pop
#endif
