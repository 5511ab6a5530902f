/* configure.c: a policy in words, as SIDL_CONTRACTS and tools give it. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "object/policy.h"
#include "object/throw.h"
#include "sidl_PreViolation_IOR.h"
#include "sidl_contract.h"

struct word {
  const char* text;
  int value;
};

static const struct word class_words[] = {
    {"all", sidl_ContractClass_ALLCLASSES},      {"pre", sidl_ContractClass_PRECONDS},
    {"post", sidl_ContractClass_POSTCONDS},      {"inv", sidl_ContractClass_INVARIANTS},
    {"prepost", sidl_ContractClass_PREPOST},     {"invpre", sidl_ContractClass_INVPRE},
    {"invpost", sidl_ContractClass_INVPOST},     {"calls", sidl_ContractClass_METHODCALLS},
    {"results", sidl_ContractClass_RESULTS},     {"simple", sidl_ContractClass_SIMPLEEXPRS},
    {"constant", sidl_ContractClass_CONSTANT},   {"linear", sidl_ContractClass_LINEAR},
    {"quadratic", sidl_ContractClass_QUADRATIC}, {"cubic", sidl_ContractClass_CUBIC},
    {"quartic", sidl_ContractClass_QUARTIC},     {"quintic", sidl_ContractClass_QUINTIC},
    {"sextic", sidl_ContractClass_SEXTIC},       {"septic", sidl_ContractClass_SEPTIC},
    {"none", sidl_ContractClass_ALLCLASSES},
};
static const struct word frequency_words[] = {
    {"always", sidl_EnforceFreq_ALWAYS},           {"periodic", sidl_EnforceFreq_PERIODIC},
    {"random", sidl_EnforceFreq_RANDOM},           {"adaptfit", sidl_EnforceFreq_ADAPTFIT},
    {"adapttiming", sidl_EnforceFreq_ADAPTTIMING}, {"simanneal", sidl_EnforceFreq_SIMANNEAL},
};
enum {
  CLASS_WORDS = sizeof class_words / sizeof *class_words,
  FREQUENCY_WORDS = sizeof frequency_words / sizeof *frequency_words,
};

/* Said of what is no policy at all, before the words there are. */
static const char no_policy[] = "does not say which contracts are to be enforced";

/* The value of the first `length` characters; -1: there is no such word. */
static int value_of(const struct word* words, size_t count, const char* text, size_t length) {
  for (size_t i = 0; i < count; ++i) {
    if (strncmp(words[i].text, text, length) == 0 && words[i].text[length] == '\0') {
      return words[i].value;
    }
  }
  return -1;
}

/* The number behind a frequency: an interval, or a limit. Returns what is wrong with it, or NULL.
 */
static const char* read_number(const char* text, struct policy* policy) {
  const bool counts = policy->frequency == sidl_EnforceFreq_PERIODIC ||
                      policy->frequency == sidl_EnforceFreq_RANDOM;
  char* end;
  const double number = strtod(text, &end);
  if (end == text || *end != '\0' || !(number >= 0) || number > INT32_MAX) return no_policy;
  if (counts && number != (int32_t)number) return "the interval must be a whole number";
  policy->interval = (int32_t)number;
  policy->overhead_limit = number;
  return NULL;
}

/* What is behind the first comma. */
static const char* read_frequency(const char* text, struct policy* policy) {
  const size_t end = strcspn(text, ",");
  const int frequency = value_of(frequency_words, FREQUENCY_WORDS, text, end);
  if (frequency < 0) return no_policy;
  policy->frequency = (enum sidl_EnforceFreq__enum)frequency;
  const bool is_always = frequency == sidl_EnforceFreq_ALWAYS;
  if (text[end] == '\0') {
    return is_always ? NULL : "the interval or limit is missing, as in \"pre,periodic,100\"";
  }
  return is_always ? "no number belongs to \"always\"" : read_number(text + end + 1, policy);
}

/* Returns what is wrong with it, or NULL. */
static const char* read_policy(const char* text, struct policy* policy) {
  const size_t length = strcspn(text, ",");
  const int contracts = value_of(class_words, CLASS_WORDS, text, length);
  if (contracts < 0) return no_policy;
  const bool is_none = strncmp(text, "none", length) == 0;
  policy->contracts = (enum sidl_ContractClass__enum)contracts;
  policy->frequency = is_none ? sidl_EnforceFreq_NEVER : sidl_EnforceFreq_ALWAYS;
  policy->interval = 1;
  const char* wrong = NULL;
  if (text[length] != '\0') {
    wrong = is_none ? "how often belongs to contracts that are checked"
                    : read_frequency(text + length + 1, policy);
  }
  return wrong == NULL ? policy_objection(policy) : wrong;
}

/* "all, pre or none"; free. NULL: no memory. */
static char* list_of(const struct word* words, size_t count) {
  struct text text = {0};
  for (size_t i = 0; i < count; ++i) {
    const char* const separator = i == 0 ? "" : i + 1 < count ? ", " : " or ";
    if (!text_append_format(&text, "%s%s", separator, words[i].text)) {
      text_free(&text);
      return NULL;
    }
  }
  return text.chars;
}

static void refuse(const char* source, const char* text, struct sidl_BaseInterface__object** _ex) {
  char* const classes = list_of(class_words, CLASS_WORDS);
  char* const frequencies = list_of(frequency_words, FREQUENCY_WORDS);
  if (classes == NULL || frequencies == NULL) {
    throw_memory(_ex);
  } else {
    THROW(_ex, sidl_PreViolation,
          "%s: \"%s\" %s: %s, and perhaps, after a comma, how often: %s, and the interval or "
          "limit, as in \"pre,periodic,100\"",
          source, text, no_policy, classes, frequencies);
  }
  free(classes);
  free(frequencies);
}

void sidl_contracts_configure(const char* source, const char* text,
                              struct sidl_BaseInterface__object** _ex) {
  struct policy policy = {.contracts = sidl_ContractClass_ALLCLASSES};
  *_ex = NULL;
  const char* const wrong = read_policy(text, &policy);
  if (wrong == no_policy) {
    refuse(source, text, _ex);
  } else if (wrong != NULL) {
    THROW(_ex, sidl_PreViolation, "%s: \"%s\": %s", source, text, wrong);
  } else if (!policy_set(&policy)) {
    throw_memory(_ex);
  }
}
