#include "object/policy.h"

#include <stdlib.h>

#include "base/atomic.h"
#include "base/fork.h"
#include "base/text.h"
#include "object/enforced.h"

static const struct policy none = {.contracts = sidl_ContractClass_ALLCLASSES,
                                   .frequency = sidl_EnforceFreq_NEVER};
static const struct policy* current = &none;

/* Policies that were set; never freed, as calls may be using them. */
struct known_policy {
  struct policy policy;
  const struct known_policy* next;
};
static const struct known_policy* known;
TABLE_LOCK(lock);
static bool is_traced;

const struct policy* policy_now(void) {
  return atomic_load_acquire(&current);
}

bool policy_is_initial(void) {
  return policy_now() == &none;
}

struct policy policy_get(void) {
  return *policy_now();
}

/* The kinds of clauses that belong to a class of contracts. */
static uint32_t kinds_of(enum sidl_ContractClass__enum contracts) {
  switch (contracts) {
    case sidl_ContractClass_CONSTANT:
      return sidl_clause_constant;
    case sidl_ContractClass_CUBIC:
      return sidl_clause_cubic;
    case sidl_ContractClass_INVARIANTS:
      return sidl_clause_invariant;
    case sidl_ContractClass_INVPOST:
      return sidl_clause_invariant | sidl_clause_ensure;
    case sidl_ContractClass_INVPRE:
      return sidl_clause_invariant | sidl_clause_require;
    case sidl_ContractClass_LINEAR:
      return sidl_clause_linear;
    case sidl_ContractClass_METHODCALLS:
      return sidl_clause_calls;
    case sidl_ContractClass_POSTCONDS:
      return sidl_clause_ensure;
    case sidl_ContractClass_PRECONDS:
      return sidl_clause_require;
    case sidl_ContractClass_PREPOST:
      return sidl_clause_require | sidl_clause_ensure;
    case sidl_ContractClass_QUADRATIC:
      return sidl_clause_quadratic;
    case sidl_ContractClass_QUARTIC:
      return sidl_clause_quartic;
    case sidl_ContractClass_QUINTIC:
      return sidl_clause_quintic;
    case sidl_ContractClass_RESULTS:
      return sidl_clause_result;
    case sidl_ContractClass_SEPTIC:
      return sidl_clause_septic;
    case sidl_ContractClass_SEXTIC:
      return sidl_clause_sextic;
    case sidl_ContractClass_SIMPLEEXPRS:
      return sidl_clause_simple;
    default:
      return sidl_clause_require | sidl_clause_ensure | sidl_clause_invariant;
  }
}

static uint32_t mode_of(const struct policy* policy) {
  const uint32_t traced = __atomic_load_n(&is_traced, __ATOMIC_RELAXED) ? sidl_check_traced : 0;
  const uint32_t kinds = kinds_of(policy->contracts) | traced;
  switch (policy->frequency) {
    case sidl_EnforceFreq_NEVER:
      return 0;
    case sidl_EnforceFreq_ALWAYS:
      return kinds;
    case sidl_EnforceFreq_PERIODIC:
    case sidl_EnforceFreq_RANDOM:
      return kinds | sidl_check_sampled;
    default:
      return kinds | sidl_check_sampled | sidl_check_timed;
  }
}

bool policy_set(const struct policy* policy) {
  struct known_policy* const copy = malloc(sizeof *copy);
  if (copy == NULL) return false;
  pthread_mutex_lock(&lock);
  *copy = (struct known_policy){*policy, known};
  known = copy;
  atomic_store_release(&current, &copy->policy);
  pthread_mutex_unlock(&lock);
  enforced_set_modes(mode_of(policy), mode_of(policy));
  return true;
}

void policy_set_traced(bool is_wanted) {
  __atomic_store_n(&is_traced, is_wanted, __ATOMIC_RELAXED);
  const struct policy* const policy = policy_now();
  const struct policy all = {.frequency = sidl_EnforceFreq_ALWAYS};
  enforced_set_modes(mode_of(policy), mode_of(policy_is_initial() ? &all : policy));
}

struct words {
  const char* full;
  const char* brief;
};

static const struct words contract_words[] = {
    [sidl_ContractClass_ALLCLASSES] = {"ALLCLASSES", "All"},
    [sidl_ContractClass_CONSTANT] = {"CONSTANT", "Const"},
    [sidl_ContractClass_CUBIC] = {"CUBIC", "Cubic"},
    [sidl_ContractClass_INVARIANTS] = {"INVARIANTS", "Inv"},
    [sidl_ContractClass_INVPOST] = {"INVPOST", "InvPost"},
    [sidl_ContractClass_INVPRE] = {"INVPRE", "InvPre"},
    [sidl_ContractClass_LINEAR] = {"LINEAR", "Lin"},
    [sidl_ContractClass_METHODCALLS] = {"METHODCALLS", "Call"},
    [sidl_ContractClass_POSTCONDS] = {"POSTCONDS", "Post"},
    [sidl_ContractClass_PRECONDS] = {"PRECONDS", "Pre"},
    [sidl_ContractClass_PREPOST] = {"PREPOST", "PrePost"},
    [sidl_ContractClass_QUADRATIC] = {"QUADRATIC", "Quad"},
    [sidl_ContractClass_QUARTIC] = {"QUARTIC", "Quart"},
    [sidl_ContractClass_QUINTIC] = {"QUINTIC", "Quint"},
    [sidl_ContractClass_RESULTS] = {"RESULTS", "Res"},
    [sidl_ContractClass_SEPTIC] = {"SEPTIC", "Sept"},
    [sidl_ContractClass_SEXTIC] = {"SEXTIC", "Sext"},
    [sidl_ContractClass_SIMPLEEXPRS] = {"SIMPLEEXPRS", "Simple"},
};

static const struct words frequency_words[] = {
    [sidl_EnforceFreq_NEVER] = {"NEVER", "Nev"},
    [sidl_EnforceFreq_ALWAYS] = {"ALWAYS", "Alw"},
    [sidl_EnforceFreq_ADAPTFIT] = {"ADAPTFIT", "AF"},
    [sidl_EnforceFreq_ADAPTTIMING] = {"ADAPTTIMING", "AT"},
    [sidl_EnforceFreq_PERIODIC] = {"PERIODIC", "Per"},
    [sidl_EnforceFreq_RANDOM] = {"RANDOM", "Ran"},
    [sidl_EnforceFreq_SIMANNEAL] = {"SIMANNEAL", "SA"},
};

const char* policy_objection(const struct policy* policy) {
  const bool counts = policy->frequency == sidl_EnforceFreq_PERIODIC ||
                      policy->frequency == sidl_EnforceFreq_RANDOM;
  if (policy->contracts < 0 || policy->contracts > sidl_ContractClass_SIMPLEEXPRS) {
    return "unknown contract class";
  }
  if (policy->frequency < 0 || policy->frequency > sidl_EnforceFreq_SIMANNEAL) {
    return "unknown frequency";
  }
  if (counts && policy->interval < 1) return "the interval must be at least 1";
  if (!(policy->overhead_limit >= 0) || !(policy->average_per_call >= 0) ||
      !(policy->anneal_limit >= 0)) {
    return "a limit or a time is negative or not a number";
  }
  return NULL;
}

char* policy_name(const struct policy* policy, bool is_short) {
  const struct words* const contracts = &contract_words[policy->contracts];
  const struct words* const frequency = &frequency_words[policy->frequency];
  return is_short ? text_format("%s-%s", contracts->brief, frequency->brief)
                  : text_format("%s, %s", contracts->full, frequency->full);
}
