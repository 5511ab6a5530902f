#include "object/policy.h"

#include "base/fork.h"
#include "base/text.h"

TABLE_LOCK(lock);
static struct policy current = {.contracts = sidl_ContractClass_ALLCLASSES,
                                .frequency = sidl_EnforceFreq_NEVER};

struct policy policy_get(void) {
  pthread_mutex_lock(&lock);
  const struct policy policy = current;
  pthread_mutex_unlock(&lock);
  return policy;
}

void policy_set(const struct policy* policy) {
  pthread_mutex_lock(&lock);
  current = *policy;
  pthread_mutex_unlock(&lock);
}

struct words {
  const char* full;
  const char* brief;
};

static const struct words contract_words[] = {
    [sidl_ContractClass_ALLCLASSES] = {"ALLCLASSES", "All"},
    [sidl_ContractClass_INVARIANTS] = {"INVARIANTS", "Inv"},
    [sidl_ContractClass_INVPOST] = {"INVPOST", "InvPost"},
    [sidl_ContractClass_INVPRE] = {"INVPRE", "InvPre"},
    [sidl_ContractClass_METHODCALLS] = {"METHODCALLS", "Call"},
    [sidl_ContractClass_POSTCONDS] = {"POSTCONDS", "Post"},
    [sidl_ContractClass_PRECONDS] = {"PRECONDS", "Pre"},
    [sidl_ContractClass_PREPOST] = {"PREPOST", "PrePost"},
    [sidl_ContractClass_RESULTS] = {"RESULTS", "Res"},
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
