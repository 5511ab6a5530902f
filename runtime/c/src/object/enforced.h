/*
 * enforced.h: classes with contracts.
 *
 * While nothing enforces them, their objects call the methods directly; when that changes, the
 * functions in the EPVs of the class change, for all objects at once (sidl_class.enforced_epv).
 */
#ifndef OBJECT_ENFORCED_H
#define OBJECT_ENFORCED_H

#include <stdbool.h>

#include "sidl_contract.h"
#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* The functions of a ready class that check nothing; children inherit these. */
void* const* enforced_plain_epv(const struct sidl_class* class);

/* Of a class whose EPV is complete, before its plan is made. False with *_ex set. */
bool enforced_prepare(struct sidl_class* class, struct sidl_BaseInterface__object** _ex);
/* Puts the functions in place that are to be called now; under the lock of classes. */
void enforced_update(struct sidl_class* class);

/* From now on. */
void enforced_set_modes(uint32_t usual, uint32_t wanted);

/* Switches the contracts of an object, or of a class's static methods. */
void enforced_switch_object(struct sidl_object* object, bool enable);
void enforced_switch_statics(struct sidl_class* class, bool enable);

/* Methods in work of an object that has invariants; construction counts, too. */
enum { ENFORCED_METHOD = 1 << 8 };
static inline void enforced_enter(struct sidl_object* object) {
  __atomic_fetch_add(&object->d_flags, ENFORCED_METHOD, __ATOMIC_RELAXED);
}
static inline void enforced_leave(struct sidl_object* object) {
  __atomic_fetch_sub(&object->d_flags, ENFORCED_METHOD, __ATOMIC_RELAXED);
}
/* There is no other, and the object is not being destroyed. */
static inline bool enforced_is_last(const struct sidl_object* object) {
  return __atomic_load_n(&object->d_flags, __ATOMIC_RELAXED) < 2 * ENFORCED_METHOD &&
         __atomic_load_n(&object->d_refcount, __ATOMIC_RELAXED) > 0;
}

/* The invariants of a new object, after its constructors; false with *_ex set. (contract/check.c)
 */
bool enforced_check_new(const struct sidl_contracts* contracts, struct sidl_object* object,
                        struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
