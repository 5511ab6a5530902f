/*
 * enforcement.c: switches hooks and contracts in objects and classes.
 */
#include "base/atomic.h"
#include "object/class.h"
#include "object/enforced.h"
#include "object/object.h"
#include "object/statistics.h"
#include "object/throw.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_protocol.h"

static void set_hooks(int32_t* flags, sidl_bool enable) {
  if (enable) {
    __atomic_fetch_or(flags, sidl_enforce_hooks, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_and(flags, ~sidl_enforce_hooks, __ATOMIC_RELAXED);
  }
}

/* Calls through a proxy are checked in the object's own process. */
static bool is_local(void* obj, struct sidl_BaseInterface__object** _ex) {
  if (!sidl_is_remote(obj)) return true;
  THROW(_ex, sidl_NotImplementedException,
        "hooks and contracts of a remote object can only be switched in its own process");
  return false;
}

void sidl_set_hooks(void* obj, sidl_bool enable, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (is_local(obj, _ex)) set_hooks(&object_of(obj)->d_flags, enable);
}

void sidl_set_hooks_static(const struct sidl_type_info* type, sidl_bool enable,
                           struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  struct sidl_class* const class = class_of_type(type, _ex);
  if (class != NULL) set_hooks(&class->enforcement, enable);
}

sidl_bool sidl_has_static_hooks(const struct sidl_type_info* type) {
  const struct sidl_class* const class = atomic_load_acquire(&type->cache->implementation);
  return class != NULL &&
         (__atomic_load_n(&class->enforcement, __ATOMIC_RELAXED) & sidl_enforce_hooks) != 0;
}

/* Costs are measured, so there is no need for a file of estimates. */
void sidl_set_contracts(void* obj, sidl_bool enable, const char* file, sidl_bool reset,
                        struct sidl_BaseInterface__object** _ex) {
  (void)file;
  *_ex = NULL;
  if (!is_local(obj, _ex)) return;
  enforced_switch_object(object_of(obj), enable != 0);
  if (reset) statistics_clear(sidl_object_type(obj));
}

void sidl_set_contracts_static(const struct sidl_type_info* type, sidl_bool enable,
                               const char* file, sidl_bool reset,
                               struct sidl_BaseInterface__object** _ex) {
  (void)file;
  *_ex = NULL;
  struct sidl_class* const class = class_of_type(type, _ex);
  if (class == NULL) return;
  enforced_switch_statics(class, enable != 0);
  if (reset) statistics_clear(type);
}

void sidl_dump_stats(void* obj, const char* filename, const char* prefix,
                     struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = sidl_object_type(obj);
  statistics_append(filename, prefix, type->name, type, _ex);
}

void sidl_dump_stats_static(const struct sidl_type_info* type, const char* filename,
                            const char* prefix, struct sidl_BaseInterface__object** _ex) {
  statistics_append(filename, prefix, type->name, type, _ex);
}
