/*
 * atomic.h: atomic access to plain fields.
 *
 * The public structs are also read by C++, so their fields cannot be _Atomic; the compilers'
 * builtins work on plain types. Reference counts of objects and arrays are changed here only;
 * handles of other languages use the EPV or sidl__array_addRef.
 */
#ifndef BASE_ATOMIC_H
#define BASE_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HAS_THREAD_FLAG 1
#endif
#endif

#define atomic_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define atomic_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)

/*
 * False only while this is the only thread: a count then needs no locked instruction, which is
 * three quarters of its cost. glibc clears its flag in pthread_create, before the second thread
 * exists, and creating a thread publishes earlier writes; it may set the flag again only when one
 * thread is left and the others have been joined, or in a forked child. So a thread that sees it
 * set is alone until it creates a thread itself, and plain and atomic accesses to a count never
 * overlap. Threads unknown to glibc (a bare clone) must not count references.
 */
static inline bool many_threads(void) {
#ifdef HAS_THREAD_FLAG
  return !__libc_single_threaded;
#else
  return true;
#endif
}

/* Adds a reference. The caller must have one, so no ordering is needed. */
static inline void refcount_take(int32_t* count) {
  if (many_threads()) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  } else {
    ++*count;
  }
}

/* True if the caller, who must have a reference, has the only one. */
static inline bool refcount_is_one(const int32_t* count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE) == 1;
}

/*
 * Drops a reference; true for the last one. Dropping the only reference needs no locked
 * instruction, as no other thread can add one.
 */
static inline bool refcount_drop(int32_t* count) {
  if (refcount_is_one(count)) return true;
  if (many_threads()) return __atomic_fetch_sub(count, 1, __ATOMIC_ACQ_REL) == 1;
  return --*count == 0;
}

/*
 * The same where threads without a reference may add one unless the count is 0, as implementations
 * in Java and sidl_dynamic_revive do: the last one is dropped in one step, too.
 */
static inline bool refcount_drop_to_zero(int32_t* count) {
  if (many_threads()) return __atomic_fetch_sub(count, 1, __ATOMIC_ACQ_REL) == 1;
  return --*count == 0;
}

#endif
