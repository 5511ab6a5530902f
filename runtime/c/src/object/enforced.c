#include "object/enforced.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "object/class.h"
#include "object/object.h"
#include "object/plan.h"
#include "object/policy.h"
#include "object/throw.h"

/* Some object has been switched on; beside enum sidl_enforcement in sidl_class.enforcement. */
enum { SOME_OBJECT = 8 };
enum { ALL_KINDS = sidl_clause_require | sidl_clause_ensure | sidl_clause_invariant };

uint32_t sidl_contracts_usual;
uint32_t sidl_contracts_wanted = ALL_KINDS;

void* const* enforced_plain_epv(const struct sidl_class* class) {
  return class->enforced_epv == NULL ? class->epv
                                     : (void* const*)class->enforced_epv + class->info->slot_count;
}

/* ---- making tables --------------------------------------------------------------------------- */

static void** copy_of(const void* table, size_t slots) {
  void** const copy = malloc(slots * sizeof *copy);
  if (copy != NULL) memcpy(copy, table, slots * sizeof *copy);
  return copy;
}

/* `plain`, with the functions of `checking` where there are any; and behind that, `plain`. */
static void** both(const void* plain, const void* checking, size_t slots) {
  void** const result = malloc(2 * slots * sizeof *result);
  void* const* const functions = checking;
  if (result == NULL) return NULL;
  memcpy(result, plain, slots * sizeof *result);
  memcpy(result + slots, plain, slots * sizeof *result);
  for (size_t s = 0; functions != NULL && s < slots; ++s) {
    if (functions[s] != NULL) result[s] = functions[s];
  }
  return result;
}

/* Callers keep the table of static methods, which is const memory of the library: it is replaced by
 * one that can change before the first of them gets it. */
static bool prepare_statics(struct sidl_class* class, const struct sidl_contracts* contracts) {
  const size_t count = class->info->static_count;
  if (contracts->static_epv == NULL || class->static_epv == NULL) return true;
  void** const current = copy_of(class->static_epv, count);
  void** const checked = both(class->static_epv, contracts->static_epv, count);
  if (current == NULL || checked == NULL) {
    free(current);
    free(checked);
    return false;
  }
  *contracts->unchecked_static = checked + count;
  class->static_epv = current;
  class->enforced_static_epv = checked;
  return true;
}

/* What the environment wants of programs that say nothing themselves; false with *_ex set. */
static bool read_environment(struct sidl_BaseInterface__object** _ex) {
  const char* const text = getenv("SIDL_CONTRACTS");
  if (text == NULL || *text == '\0' || !policy_is_initial()) return true;
  struct sidl_BaseInterface__object* ex = NULL;
  sidl_contracts_configure("SIDL_CONTRACTS", text, &ex);
  if (ex == NULL) return true;
  *_ex = ex;
  return false;
}

bool enforced_prepare(struct sidl_class* class, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_contracts* const contracts = class->contracts;
  if (contracts == NULL) return true;
  if (!read_environment(_ex)) return false;
  void** const checked = both(class->epv, contracts->epv, class->info->slot_count);
  if (checked == NULL || !prepare_statics(class, contracts)) {
    free(checked);
    throw_memory(_ex);
    return false;
  }
  *contracts->unchecked = checked + class->info->slot_count;
  class->enforced_epv = checked;
  return true;
}

/* ---- putting them in place ------------------------------------------------------------------- */

/* Objects call these functions meanwhile. */
static void set_functions(void** to, void* const* from, size_t slots) {
  for (size_t s = 0; s < slots; ++s) __atomic_store_n(&to[s], from[s], __ATOMIC_RELAXED);
}

static void set_facets(const struct sidl_class* class, void* const* from) {
  const struct sidl_type_info* const info = class->info;
  for (uint16_t i = 0; i < info->facet_count; ++i) {
    const struct sidl_facet* const facet = &info->facets[i];
    void** const epv = (void**)class->plan->values[facet->offset / sizeof(object_word)];
    for (uint16_t s = 0; s < facet->type->slot_count; ++s) {
      __atomic_store_n(&epv[s], from[facet->slots[s]], __ATOMIC_RELAXED);
    }
  }
}

void enforced_update(struct sidl_class* class) {
  if (class->enforced_epv == NULL) return;
  const int32_t flags = class->enforcement;
  const bool checks =
      sidl_contracts_usual != 0 || (sidl_contracts_wanted != 0 && (flags & SOME_OBJECT) != 0);
  void* const* const functions = checks ? class->enforced_epv : enforced_plain_epv(class);
  set_functions(class->epv, functions, class->info->slot_count);
  set_facets(class, functions);
  if (class->enforced_static_epv == NULL) return;
  const uint16_t count = class->info->static_count;
  void* const* const statics = class->enforced_static_epv;
  set_functions((void**)class->static_epv,
                sidl_contracts_mode(flags) != 0 ? statics : statics + count, count);
}

static void update(const struct sidl_class* class, void* data) {
  (void)data;
  enforced_update((struct sidl_class*)class);
}

void enforced_set_modes(uint32_t usual, uint32_t wanted) {
  class_lock();
  __atomic_store_n(&sidl_contracts_usual, usual, __ATOMIC_RELAXED);
  __atomic_store_n(&sidl_contracts_wanted, wanted, __ATOMIC_RELAXED);
  class_each(update, NULL);
  class_unlock();
}

/* ---- switching ------------------------------------------------------------------------------- */

static void set_flags(int32_t* flags, bool enable) {
  const int32_t on = enable ? sidl_enforce_contracts : sidl_enforce_no_contracts;
  const int32_t off = enable ? sidl_enforce_no_contracts : sidl_enforce_contracts;
  __atomic_fetch_or(flags, on, __ATOMIC_RELAXED);
  __atomic_fetch_and(flags, ~off, __ATOMIC_RELAXED);
}

void enforced_switch_object(struct sidl_object* object, bool enable) {
  struct sidl_class* const class = (struct sidl_class*)object->d_class;
  set_flags(&object->d_flags, enable);
  if (!enable || class->enforced_epv == NULL) return;
  class_lock();
  __atomic_fetch_or(&class->enforcement, SOME_OBJECT, __ATOMIC_RELAXED);
  enforced_update(class);
  class_unlock();
}

void enforced_switch_statics(struct sidl_class* class, bool enable) {
  class_lock();
  set_flags(&class->enforcement, enable);
  enforced_update(class);
  class_unlock();
}
