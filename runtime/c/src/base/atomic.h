/*
 * atomic.h: atomic access to plain fields.
 *
 * The public structs are read by C++ too, so their fields cannot be _Atomic; the compilers'
 * builtins work on plain types.
 */
#ifndef BASE_ATOMIC_H
#define BASE_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#define atomic_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define atomic_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)

static inline void refcount_take(int32_t* count) {
  __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

/*
 * Gives a reference back; true for the last one. Who holds the only reference needs no locked
 * instruction to drop it: nobody else may take another.
 */
static inline bool refcount_drop(int32_t* count) {
  if (__atomic_load_n(count, __ATOMIC_ACQUIRE) == 1) return true;
  return __atomic_fetch_sub(count, 1, __ATOMIC_ACQ_REL) == 1;
}

#endif
