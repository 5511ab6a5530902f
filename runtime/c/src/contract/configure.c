/* configure.c: a policy in words, as SIDL_CONTRACTS and tools give it. */
#include <stdlib.h>
#include <string.h>

#include "object/policy.h"
#include "object/throw.h"
#include "sidl_PreViolation_IOR.h"
#include "sidl_contract.h"

struct word {
  const char* text;
  int value;
};

static const struct word class_words[] = {
    {"all", sidl_ContractClass_ALLCLASSES},  {"pre", sidl_ContractClass_PRECONDS},
    {"post", sidl_ContractClass_POSTCONDS},  {"inv", sidl_ContractClass_INVARIANTS},
    {"prepost", sidl_ContractClass_PREPOST}, {"invpre", sidl_ContractClass_INVPRE},
    {"invpost", sidl_ContractClass_INVPOST}, {"calls", sidl_ContractClass_METHODCALLS},
    {"results", sidl_ContractClass_RESULTS}, {"simple", sidl_ContractClass_SIMPLEEXPRS},
    {"none", sidl_ContractClass_ALLCLASSES}, {"constant", sidl_ContractClass_CONSTANT},
    {"linear", sidl_ContractClass_LINEAR},   {"quadratic", sidl_ContractClass_QUADRATIC},
    {"cubic", sidl_ContractClass_CUBIC},     {"quartic", sidl_ContractClass_QUARTIC},
    {"quintic", sidl_ContractClass_QUINTIC}, {"sextic", sidl_ContractClass_SEXTIC},
    {"septic", sidl_ContractClass_SEPTIC},
};
static const struct word frequency_words[] = {
    {"always", sidl_EnforceFreq_ALWAYS},           {"periodic", sidl_EnforceFreq_PERIODIC},
    {"random", sidl_EnforceFreq_RANDOM},           {"adaptfit", sidl_EnforceFreq_ADAPTFIT},
    {"adapttiming", sidl_EnforceFreq_ADAPTTIMING}, {"simanneal", sidl_EnforceFreq_SIMANNEAL},
};

/* The value of the first `length` characters; -1: there is no such word. */
static int value_of(const struct word* words, size_t count, const char* text, size_t length) {
  for (size_t i = 0; i < count; ++i) {
    if (strncmp(words[i].text, text, length) == 0 && words[i].text[length] == '\0') {
      return words[i].value;
    }
  }
  return -1;
}

/* The number behind a frequency: an interval, or a limit. */
static bool read_number(const char* text, struct policy* policy) {
  char* end;
  const double number = strtod(text, &end);
  if (end == text || *end != '\0' || !(number >= 0) || number > INT32_MAX) return false;
  policy->interval = (int32_t)number;
  policy->overhead_limit = number;
  return true;
}

static bool read_policy(const char* text, struct policy* policy) {
  const size_t length = strcspn(text, ",");
  const int contracts =
      value_of(class_words, sizeof class_words / sizeof *class_words, text, length);
  if (contracts < 0) return false;
  policy->contracts = (enum sidl_ContractClass__enum)contracts;
  policy->frequency = sidl_EnforceFreq_ALWAYS;
  policy->interval = 1;
  if (text[length] == '\0') {
    if (strcmp(text, "none") == 0) policy->frequency = sidl_EnforceFreq_NEVER;
    return true;
  }
  const char* const often = text + length + 1;
  const size_t end = strcspn(often, ",");
  const int frequency =
      value_of(frequency_words, sizeof frequency_words / sizeof *frequency_words, often, end);
  if (frequency < 0) return false;
  policy->frequency = (enum sidl_EnforceFreq__enum)frequency;
  return often[end] == '\0' || read_number(often + end + 1, policy);
}

void sidl_contracts_configure(const char* source, const char* text,
                              struct sidl_BaseInterface__object** _ex) {
  struct policy policy = {.contracts = sidl_ContractClass_ALLCLASSES};
  *_ex = NULL;
  const bool is_policy = read_policy(text, &policy);
  const char* const objection = is_policy ? policy_objection(&policy) : NULL;
  if (!is_policy) {
    THROW(
        _ex, sidl_PreViolation,
        "%s: \"%s\" does not say which contracts are to be enforced: all, pre, post, inv, prepost, "
        "invpre, invpost, calls, results, simple or none, and perhaps, after a comma, how often: "
        "always, periodic, random, adaptfit, adapttiming or simanneal, and the interval or limit, "
        "as in \"pre,periodic,100\"",
        source, text);
  } else if (objection != NULL) {
    THROW(_ex, sidl_PreViolation, "%s: \"%s\": %s", source, text, objection);
  } else if (!policy_set(&policy)) {
    throw_memory(_ex);
  }
}
