/*
 * atomic.h: atomic access to plain fields.
 *
 * The public structs are read by C++ too, so their fields cannot be _Atomic; the compilers'
 * builtins work on plain types. Reference counts of objects and arrays are counted here and nowhere
 * else; handles of other languages come by way of the EPV or of sidl__array_addRef.
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
 * False only while this thread is the only one: then a count needs no locked instruction, which is
 * three quarters of what counting costs. glibc clears its flag in pthread_create, before the second
 * thread exists, and creating a thread publishes what was written before; it may set the flag again
 * only when one thread is left and the others have been joined, or in the child of a fork. So
 * whoever sees it set is alone until it creates a thread itself, and plain and atomic accesses to a
 * count never meet. Threads that glibc does not know of (a bare clone) may not count references.
 */
static inline bool many_threads(void) {
#ifdef HAS_THREAD_FLAG
  return !__libc_single_threaded;
#else
  return true;
#endif
}

/* Takes one more reference: whoever does has one, so nothing needs to be ordered. */
static inline void refcount_take(int32_t* count) {
  if (many_threads()) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  } else {
    ++*count;
  }
}

/* Whether whoever asks, who has one, has the only reference. */
static inline bool refcount_is_one(int32_t* count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE) == 1;
}

/*
 * Gives a reference back; true for the last one. Who holds the only reference needs no locked
 * instruction to drop it: nobody else may take another.
 */
static inline bool refcount_drop(int32_t* count) {
  if (refcount_is_one(count)) return true;
  if (many_threads()) return __atomic_fetch_sub(count, 1, __ATOMIC_ACQ_REL) == 1;
  return --*count == 0;
}

#endif
