/*
 * enforcement.c: switches hooks and contracts in objects and classes.
 */
#include "object/class.h"
#include "object/object.h"
#include "object/statistics.h"
#include "object/throw.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_protocol.h"

static void set_flag(int32_t* flags, int32_t flag, sidl_bool enable) {
  if (enable) {
    __atomic_fetch_or(flags, flag, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_and(flags, ~flag, __ATOMIC_RELAXED);
  }
}

/* Calls through a proxy are checked in the object's own process. */
static void set_object(void* obj, int32_t flag, sidl_bool enable,
                       struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (sidl_is_remote(obj)) {
    THROW(_ex, sidl_NotImplementedException,
          "hooks and contracts of a remote object can only be switched in its own process");
    return;
  }
  set_flag(&object_of(obj)->d_flags, flag, enable);
}

static void set_class(const struct sidl_type_info* type, int32_t flag, sidl_bool enable,
                      struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  struct sidl_class* const class = class_of_type(type, _ex);
  if (class != NULL) set_flag(&class->enforcement, flag, enable);
}

void sidl_set_hooks(void* obj, sidl_bool enable, struct sidl_BaseInterface__object** _ex) {
  set_object(obj, sidl_enforce_hooks, enable, _ex);
}

void sidl_set_hooks_static(const struct sidl_type_info* type, sidl_bool enable,
                           struct sidl_BaseInterface__object** _ex) {
  set_class(type, sidl_enforce_hooks, enable, _ex);
}

/* Without checks nothing is counted or estimated, so the other arguments are not used. */
void sidl_set_contracts(void* obj, sidl_bool enable, const char* file, sidl_bool reset,
                        struct sidl_BaseInterface__object** _ex) {
  (void)file;
  (void)reset;
  set_object(obj, sidl_enforce_contracts, enable, _ex);
}

void sidl_set_contracts_static(const struct sidl_type_info* type, sidl_bool enable,
                               const char* file, sidl_bool reset,
                               struct sidl_BaseInterface__object** _ex) {
  (void)file;
  (void)reset;
  set_class(type, sidl_enforce_contracts, enable, _ex);
}

void sidl_dump_stats(void* obj, const char* filename, const char* prefix,
                     struct sidl_BaseInterface__object** _ex) {
  statistics_append(filename, prefix, sidl_object_type(obj)->name, _ex);
}

void sidl_dump_stats_static(const struct sidl_type_info* type, const char* filename,
                            const char* prefix, struct sidl_BaseInterface__object** _ex) {
  statistics_append(filename, prefix, type->name, _ex);
}
