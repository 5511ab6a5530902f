/*
 * check.c: a call while its contract is checked.
 *
 * What a clause calls is not checked itself: each thread knows whether it is evaluating clauses.
 * Invariants are checked when the last method of an object that is in work returns: until then the
 * object may be in the midst of something, on this thread or another.
 */
#include <stdlib.h>
#include <string.h>

#include "array/value.h"
#include "base/atomic.h"
#include "base/reference.h"
#include "contract/note.h"
#include "contract/sample.h"
#include "contract/trace.h"
#include "object/enforced.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_InvViolation_IOR.h"
#include "sidl_PostViolation_IOR.h"
#include "sidl_PreViolation_IOR.h"
#include "sidl_String.h"
#include "sidl_contract.h"

__thread char sidl_contract_evaluating __attribute__((tls_model("initial-exec")));

/* A string, array or object that is released when the call is over. */
struct sidl_check_owned {
  struct sidl_check_owned* next;
  struct sidl_type_ref type;
  void* value;
};

void sidl_check_begin_slowly(struct sidl_check* check, void* self,
                             const struct sidl_contract* contract) {
  check->contract = contract;
  check->object = self == NULL ? NULL : object_of(self);
  check->thrown = NULL;
  check->ignored = NULL;
  check->owned = NULL;
  if ((check->mode & sidl_check_traced) != 0) trace_begin(check);
  if ((contract->flags & sidl_contract_invariants) != 0) enforced_enter(check->object);
  sidl_contract_evaluating = TRUE;
}

/* ---- what clauses call ----------------------------------------------------------------------- */

struct sidl_BaseInterface__object** sidl_check_ex(struct sidl_check* check) {
  if (check->thrown == NULL) return &check->thrown;
  if (check->ignored != NULL) reference_drop(check->ignored);
  check->ignored = NULL;
  return &check->ignored;
}

static void* keep(struct sidl_check* check, uint8_t kind, void* value) {
  if (value == NULL) return NULL;
  struct sidl_check_owned* const owned = malloc(sizeof *owned);
  if (owned == NULL) {
    sidl_check_fault(check, "memory is exhausted");
    struct sidl_type_ref type = {.kind = kind};
    value_destroy(&type, &value);
    return NULL;
  }
  *owned = (struct sidl_check_owned){check->owned, {.kind = kind}, value};
  check->owned = owned;
  return value;
}

const char* sidl_check_string(struct sidl_check* check, char* string) {
  return keep(check, sidl_kind_string, string);
}

void* sidl_check_array(struct sidl_check* check, void* array) {
  return keep(check, sidl_kind_array, array);
}

void* sidl_check_object_result(struct sidl_check* check, void* object) {
  return keep(check, sidl_kind_interface, object);
}

void* sidl_check_cast(struct sidl_check* check, void* object, const struct sidl_type_info* type) {
  return object == NULL
             ? NULL
             : sidl_check_object_result(check, sidl_cast(object, type, sidl_check_ex(check)));
}

static void release(struct sidl_check* check) {
  while (check->owned != NULL) {
    struct sidl_check_owned* const owned = check->owned;
    check->owned = owned->next;
    value_destroy(&owned->type, &owned->value);
    free(owned);
  }
  if (check->thrown != NULL) reference_drop(check->thrown);
  if (check->ignored != NULL) reference_drop(check->ignored);
  check->thrown = check->ignored = NULL;
}

/* ---- the course of a call -------------------------------------------------------------------- */

static const struct sidl_type_info* violation_of(const struct sidl_clause* clause) {
  if ((clause->kind & sidl_clause_require) != 0) return &sidl_PreViolation__info;
  if ((clause->kind & sidl_clause_ensure) != 0) return &sidl_PostViolation__info;
  return &sidl_InvViolation__info;
}

/* Or, if the method threw, adds it to the trace of that exception. */
static void report(struct sidl_check* check, const struct sidl_contract* contract,
                   void* const* args, const void* result, struct sidl_BaseInterface__object** _ex) {
  const bool threw = (check->mode & sidl_check_threw) != 0;
  char* const note = note_of_violation(check, contract, args, result);
  if (note == NULL) {
    if (!threw) throw_memory(_ex);
  } else if (threw) {
    note_in_trace(*_ex, note);
  } else {
    throw_note(violation_of(check->violated), _ex, check->violated->source, check->violated->line,
               contract->type, "%s", note);
  }
  free(note);
}

static void leave(struct sidl_check* check, const struct sidl_contract* contract) {
  if (sidl_check_is_simple(check, contract)) return;
  release(check);
  sidl_contract_evaluating = FALSE;
  if ((contract->flags & sidl_contract_invariants) != 0) enforced_leave(check->object);
}

static void release_outs(const struct sidl_method_info* method, void* const* args, bool are_set) {
  for (int32_t i = 0; method != NULL && i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode != sidl_mode_out) continue;
    if (are_set) {
      value_destroy(&arg->type, args[i]);
    } else {
      value_clear(&arg->type, args[i]);
    }
  }
}

sidl_bool sidl_check_call_slowly(struct sidl_check* check, const struct sidl_contract* contract,
                                 void* const* args, struct sidl_BaseInterface__object** _ex) {
  if (!sidl_check_is_simple(check, contract)) sidl_contract_evaluating = FALSE;
  if ((check->mode & sidl_check_traced) != 0) trace_stage(check, TRACE_METHOD);
  if (check->violated == NULL) {
    if ((check->mode & sidl_check_timed) != 0) sample_call(check);
    return TRUE;
  }
  *_ex = NULL;
  report(check, contract, args, NULL, _ex);
  release_outs(contract->method, args, false);
  if ((check->mode & sidl_check_traced) != 0) trace_refused(check);
  leave(check, contract);
  return FALSE;
}

void sidl_check_result_slowly(struct sidl_check* check) {
  if ((check->mode & sidl_check_timed) != 0) sample_result(check);
  if ((check->mode & sidl_check_traced) != 0) trace_stage(check, TRACE_ENSURE);
  sidl_contract_evaluating = TRUE;
}

sidl_bool sidl_check_object(struct sidl_check* check) {
  if ((check->mode & sidl_check_traced) != 0) trace_stage(check, TRACE_INVARIANT);
  return check->violated == NULL && enforced_is_last(check->object);
}

void sidl_check_end_slowly(struct sidl_check* check, const struct sidl_contract* contract,
                           void* const* args, void* result,
                           struct sidl_BaseInterface__object** _ex) {
  if ((check->mode & sidl_check_traced) != 0) trace_end_call(check);
  if (check->violated != NULL) {
    report(check, contract, args, result, _ex);
    if ((check->mode & sidl_check_threw) == 0) {
      const struct sidl_method_info* const method = contract->method;
      if (result != NULL) value_destroy(&method->result, result);
      release_outs(method, args, true);
    }
  }
  leave(check, contract);
}

/* ---- after construction --------------------------------------------------------------------- */

bool enforced_check_new(const struct sidl_contracts* contracts, struct sidl_object* object,
                        struct sidl_BaseInterface__object** _ex) {
  struct sidl_check check;
  const struct sidl_contract* const invariants = contracts->invariants;
  if (!sidl_check_begin(&check, object, invariants)) return true;
  if (enforced_is_last(object)) contracts->check_invariants(object, &check);
  const bool holds = check.violated == NULL;
  if (!holds) report(&check, invariants, NULL, NULL, _ex);
  leave(&check, invariants);
  return holds;
}
