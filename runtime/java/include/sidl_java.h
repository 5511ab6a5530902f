/**
 * sidl_java.h: what the C code of the Java binding uses, generated and in libsidl_java.
 *
 * Native methods get the cell of their object (a reference that may be closed while they run) and,
 * unless all values are numbers, the address of a frame, which has a slot for each argument and
 * for the result. Slots are as the IOR has the values; an array or object that the caller keeps is
 * its cell until sidl_java_begin.
 *
 * Threading: every function may be called from any thread, with the JNIEnv of that thread.
 */
#ifndef SIDL_JAVA_H
#define SIDL_JAVA_H

#include <jni.h>
#include <stdint.h>

#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Java's longs are as wide as addresses. */
static inline void* sidl_java_pointer(jlong address) {
  return (void*)(intptr_t)address;
}
static inline jlong sidl_java_address(const void* pointer) {
  return (jlong)(intptr_t)pointer;
}

/* ---- calls from Java ---------------------------------------------------------------------------
 */

/** What calls look at of a cell; the rest of it is libsidl_java's. */
struct sidl_java_cell {
  void* object;  /**< NULL: closed; accessed atomically */
  void* leaving; /**< it was closed while it was in use; accessed atomically */
};

/**
 * Which cells a thread uses: notes that those who close them read. A call writes its note before it
 * looks at `end`: who closes sees the note, or the call sees what has become of `end`.
 */
struct sidl_java_notes {
  struct sidl_java_cell** next; /**< the first that is free; there always is one */
  struct sidl_java_cell** end;  /**< from there on calls go the slow way; accessed atomically */
};

/** Of this thread; NULL: it has none yet. */
extern __thread struct sidl_java_notes* sidl_java_uses __attribute__((tls_model("initial-exec")));

void* sidl_java_enter_slowly(JNIEnv* env, jlong cell);
void sidl_java_leave_slowly(JNIEnv* env, jlong cell, struct sidl_BaseInterface__object* ex);

/**
 * The object or array in a cell, which stays until sidl_java_leave. NULL with a Java exception if
 * it is closed.
 */
static inline void* sidl_java_enter(JNIEnv* env, jlong cell) {
  struct sidl_java_notes* const notes = sidl_java_uses;
  if (__builtin_expect(notes == NULL, 0)) return sidl_java_enter_slowly(env, cell);
  struct sidl_java_cell* const it = (struct sidl_java_cell*)sidl_java_pointer(cell);
  struct sidl_java_cell** const next = notes->next;
  __atomic_store_n(next, it, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* who closes sees to the rest */
  if (__builtin_expect(next >= __atomic_load_n(&notes->end, __ATOMIC_RELAXED), 0)) {
    return sidl_java_enter_slowly(env, cell);
  }
  void* const object = __atomic_load_n(&it->object, __ATOMIC_ACQUIRE);
  if (__builtin_expect(object == NULL, 0)) return sidl_java_enter_slowly(env, cell);
  __atomic_store_n(&notes->next, next + 1, __ATOMIC_RELAXED);
  return object;
}

/** Throws the SIDL exception `ex`, if it is not NULL, whose reference it takes over. */
static inline void sidl_java_leave(JNIEnv* env, jlong cell, struct sidl_BaseInterface__object* ex) {
  struct sidl_java_notes* const notes = sidl_java_uses;
  const struct sidl_java_cell* const it = (const struct sidl_java_cell*)sidl_java_pointer(cell);
  struct sidl_java_cell** const next = notes->next;
  if (__builtin_expect(ex != NULL || next == __atomic_load_n(&notes->end, __ATOMIC_RELAXED), 0)) {
    sidl_java_leave_slowly(env, cell, ex);
    return;
  }
  __atomic_store_n(next - 1, NULL, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(__atomic_load_n(&it->leaving, __ATOMIC_RELAXED) != NULL, 0)) {
    sidl_java_leave_slowly(env, cell, ex);
    return;
  }
  __atomic_store_n(&notes->next, next - 1, __ATOMIC_RELAXED);
}

/** Throws a SIDL exception in Java; takes the reference over. */
void sidl_java_throw(JNIEnv* env, struct sidl_BaseInterface__object* ex);

/** A call with a frame. */
struct sidl_java_call {
  JNIEnv* env;
  void* self; /**< as the cell has it; NULL: a static method */
  const struct sidl_method_info* method;
  char* frame;
  int32_t first; /**< of the cells that this call uses */
  struct sidl_BaseInterface__object* ex;
  void** views; /**< references that casts have made; NULL: none */
  int32_t view_count;
};

/** Replaces cells in the frame by what is in them. FALSE with a Java exception. */
sidl_bool sidl_java_begin(struct sidl_java_call* call, JNIEnv* env, jlong cell,
                          const struct sidl_method_info* method, jlong frame);

/** Releases what the caller has given, and throws `ex`. */
void sidl_java_end(struct sidl_java_call* call);

/** A row of a table of native methods: ISO C has no cast of functions to void*. */
#define SIDL_JAVA_NATIVE(name, signature, function) \
  { (char*)(name), (char*)(signature), (void*)(intptr_t)(function) }

/* ---- packages: constant tables in <top>_java.c -------------------------------------------------
 */

/** Which Java method serves a slot of an interface. The last one has no name. */
struct sidl_java_slot {
  int32_t position;
  const char* name;
};

struct sidl_java_type {
  const char* name; /**< "pkg.Type"; NULL: the last one */
  const struct sidl_type_info* info;
  const JNINativeMethod* natives;
  int32_t native_count;
  const struct sidl_java_slot* calls; /**< of an interface */
};

struct sidl_java_struct {
  const char* name;
  const struct sidl_struct_info* info;
};

/** <top>__java, which is looked up by name. */
struct sidl_java_package {
  const struct sidl_java_type* types;
  const struct sidl_java_struct* structs;
};

/* ---- implementations in Java --------------------------------------------------------------------
 */

/** A method; the last one has no name. */
struct sidl_java_method {
  const char* name;  /**< of the static method in the skeleton */
  int32_t number;    /**< of the slot; static methods are below zero */
  const char* quick; /**< the implementation's method itself, if it has numbers only, else NULL */
  const char* signature; /**< of that, in the JVM */
  jmethodID quick_id;    /**< this and what follows is set when the class is loaded */
  int32_t size;          /**< of its frame */
  sidl_bool has_layout;
  jmethodID id;
};

/** A class that is implemented in Java. What follows `natives` is set when it is loaded. */
struct sidl_java_implementation {
  const struct sidl_type_info* info;
  const char* path; /**< "pkg/Type" */
  struct sidl_java_method* methods;
  const JNINativeMethod* natives; /**< of the skeleton; NULL: none */
  jclass skeleton;
  jmethodID construct;
  jmethodID destruct;
};

/** Finds the class, starting Java if necessary. Sets *_ex if that is not possible. */
void sidl_java_load(struct sidl_java_implementation* in, struct sidl_BaseInterface__object** _ex);

void sidl_java_construct(struct sidl_java_implementation* in, void* self,
                         struct sidl_BaseInterface__object** _ex);
void sidl_java_destruct(struct sidl_java_implementation* in, void* self,
                        struct sidl_BaseInterface__object** _ex);

/** Calls a method in Java; args and result as for sidl_rmi_invoke. `self` is NULL if it is static.
 */
void sidl_java_upcall(struct sidl_java_implementation* in, const struct sidl_java_method* method,
                      void* self, void* const* args, void* result,
                      struct sidl_BaseInterface__object** _ex);

#ifdef __cplusplus
}
#endif
#endif
