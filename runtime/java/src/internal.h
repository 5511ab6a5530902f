/* internal.h: what the files of libsidl_java have in common. */
#ifndef SIDL_JAVA_INTERNAL_H
#define SIDL_JAVA_INTERNAL_H

#include "sidlArray.h"
#include "sidl_BaseInterface_IOR.h"
#include "sidl_java.h"

/* Everything but the functions of sidl_java.h. */
#pragma GCC visibility push(hidden)

/* ---- cells (cells.c): references that Java holds ------------------------------------------------
 *
 * A cell is closed once, by its user or when Java finds it unreachable, while other threads may be
 * in calls of its object. Each thread notes which cells it uses before it looks into them. Who
 * closes a cell empties it and then reads the notes of threads: if it is in use, the last user
 * drops the reference. Calls are frequent and closing is not: so calls write without
 * synchronisation, and who closes makes all other threads pass a memory barrier (membarrier), or,
 * where the system has none, calls have one themselves.
 *
 * Threads that are found without notes again and again are not looked at any more until their next
 * call, which goes the slow way: so closing takes as long beside thousands of threads that rest, or
 * call now and then, as beside a few.
 *
 * What an implementation has of its object does not keep it. Its cell looks closed, so that all
 * calls go the slow way: each has a reference of its own, which it takes while it has a note, and
 * which others drop while it looks. Who destroys the object ends the cell, and waits for these
 * notes: the object's memory stays until nobody looks at its count any more.
 */
struct cell {
  struct sidl_java_cell it;
  const struct sidl_type_info* info; /* NULL: an array */
  sidl_bool is_own; /* an implementation's: `it.object` is NULL, `it.leaving` the object */
  void* own;        /* the object, until the implementation has ended; accessed atomically */
  const struct thread* destroyer; /* see may_use_dying; accessed atomically */
  jobject implementation;         /* a global reference; NULL before and after the object has it */
};

/* Notes of a thread that is in no deeper calls. */
enum { usual_notes = 16 };

/* The notes of a thread. Only it writes them. */
struct thread {
  struct sidl_java_notes notes; /* `end` is behind `first` where closing needs help from calls */
  struct sidl_java_cell** first;
  struct sidl_java_cell** last; /* of the memory for notes, with room for one more */
  struct thread* next;          /* among those that are looked at; these are guarded by the lock */
  struct thread** link;         /* of cells.c; NULL: it is not looked at */
  int32_t idle;                 /* how often it was found without notes in turn */
  uint64_t leaving;             /* when `end` became `first`; 0: it is not */
  struct sidl_java_cell* few[usual_notes + 1];
  struct frame_stack* frames; /* for upcalls (upcalls.c) */
  JNIEnv* env;                /* of a thread that was attached here, else NULL */
};

/* Of this thread, made on first use; NULL if memory is exhausted. */
struct thread* this_thread(void);

/* What is in a cell, which may be closed meanwhile; NULL: it is closed. */
void* object_in_cell(const struct cell* cell);
sidl_bool has_one_reference(void* object);
/* Its destructors run. */
sidl_bool is_dying(void* object);
/* This thread destroys the object of an implementation. Others do not use it from then on. */
void begin_destruction(struct cell* cell);
/* The same in a call of it, while the destructors of classes derived from it run. */
void note_dying(struct cell* cell);
/* Ends the cell of an implementation. */
void end_own(struct cell* cell);
/* Notes the use of a cell; returns what is in it, or NULL, and then the use is not noted. */
void* use_cell(struct thread* thread, struct cell* cell);
/* A use of no cell, where there might be one. FALSE if memory is exhausted. */
sidl_bool use_nothing(struct thread* thread);
/* Ends the last use that is noted. */
void end_use(struct thread* thread);
/* The same of a cell whose note may be cleared. */
void end_use_of(struct thread* thread, struct cell* cell);
/* The number of uses that are noted, and one of them. */
static inline int32_t use_count(const struct thread* thread) {
  return (int32_t)(thread->notes.next - thread->first);
}
/* The note of a use that has a reference of its own: nobody waits for that. */
static inline struct sidl_java_cell* as_owning(const struct cell* cell) {
  return (struct sidl_java_cell*)(void*)((uintptr_t)cell | 1);
}
static inline struct cell* noted_cell(const struct sidl_java_cell* note) {
  return (struct cell*)(void*)((uintptr_t)note & ~(uintptr_t)1);
}
static inline struct cell* use_at(const struct thread* thread, int32_t number) {
  return noted_cell(thread->first[number]);
}

void register_cells(JNIEnv* env, jclass native);

/* Calls when the thread ends (upcalls.c, vm.c). */
void release_frames(struct frame_stack* frames);
void detach_thread(void);

/* ---- values (values.c)
 * ---------------------------------------------------------------------------
 */

/* Bytes of a value, and of its slot in a frame. */
size_t size_of(const struct sidl_type_ref* type);
size_t slot_of(const struct sidl_type_ref* type);
/* Frees what a value owns, and zeroes it. */
void destroy(const struct sidl_type_ref* type, void* value);

sidl_bool is_object(const struct sidl_type_ref* type);

void add_ref(void* ior);
void drop(void* ior);

/* ---- frames (frames.c) --------------------------------------------------------------------------
 */

/* The method `number` of a type: static methods are below zero. */
const struct sidl_method_info* method_of(const struct sidl_type_info* info, int32_t number);

/* ---- Java (vm.c) --------------------------------------------------------------------------------
 */

/* Of this thread, which is attached if necessary; starts Java. NULL with *ex set. */
JNIEnv* java_env(struct sidl_BaseInterface__object** ex);
/* The same where Java runs already; NULL if it does not, or has ended. */
JNIEnv* java_env_if_running(void);
/* Gives up what native code kept of Java: it may be garbage now. */
void java_release(jobject global);
/* Whether there was any since the last time. */
sidl_bool java_has_released(void);
/* The Java that has loaded this library. */
void adopt_machine(JavaVM* vm);
/* What Java makes to be prepared for its first exceptions is gone again. */
void java_is_prepared(void);
/* Java's threads end: it must not be called any more. */
void end_java(void);

/* ---- exceptions (exceptions.c) ------------------------------------------------------------------
 */

/* The SIDL exception for the pending one in Java, which is cleared. `method`: for its trace. */
struct sidl_BaseInterface__object* take_exception(JNIEnv* env, const char* method);
/* A new sidl.LangSpecificException. */
struct sidl_BaseInterface__object* exception_of(const char* note);
struct sidl_BaseInterface__object* make_exception(const struct sidl_type_info* type,
                                                  const char* note);
/* Throws a Java exception of java.lang. */
void throw_java(JNIEnv* env, const char* name, const char* text);

/* ---- Java's classes, once sidl.binding.Native is loaded (natives.c)
 * -------------------------------
 */

struct java_classes {
  jclass exceptions;
  jmethodID to_java;
  jmethodID to_sidl;
  jmethodID describe;
  jclass frame;
  jmethodID make_frame;
  jmethodID end_loans;
  jmethodID frame_address;
  jfieldID handle_cell;
  jclass handle;
  jmethodID handle_of_implementation;
  jclass implementations;
  jmethodID find_skeleton;
  jmethodID find_call;
  jmethodID declaring_class; /* of java.lang.reflect.Method */
};
extern struct java_classes java;

/* Says of what use_cell() returned NULL for that it cannot be used any more, and throws that. */
void describe_closed(const struct cell* cell, char* text, size_t size);
void throw_closed(JNIEnv* env, const struct cell* cell);

/* The cell of a sidl.binding.Handle; NULL of null. */
struct cell* cell_of(JNIEnv* env, jobject handle);

/*
 * A use of the cell of a handle by a native method. `object` is NULL if the handle is null; FALSE
 * with a Java exception if it is closed.
 */
struct use {
  struct thread* thread;
  void* object;
  const struct sidl_type_info* info;
};
sidl_bool begin_use(JNIEnv* env, jobject handle, struct use* use);
void finish_use(struct use* use);

/* A raw array that is an argument: memory of the caller's. */
static inline sidl_bool is_raw_array(const struct sidl_type_ref* type) {
  return type->kind == sidl_kind_array && (type->flags & sidl_ref_raw) != 0;
}

/* A copy of the bytes, to be freed; NULL of null, or with a Java exception. */
char* text_of(JNIEnv* env, jbyteArray bytes);
/* The bytes of a text; null of NULL. */
jbyteArray bytes_of(JNIEnv* env, const char* text);

void register_natives(JNIEnv* env, jclass type, const JNINativeMethod* natives, int32_t count);

void register_objects(JNIEnv* env, jclass native);
void register_exceptions(JNIEnv* env, jclass native);
void register_packages(JNIEnv* env, jclass native);
void register_implementations(JNIEnv* env, jclass native);
void register_plain(JNIEnv* env, jclass native);

/* ---- what stands for objects of users' Java classes (stand_ins.c) --------------------------- */

/* The data of a SIDL object that stands for one. */
struct plain {
  jobject java; /* a global reference */
  void* ior;    /* the SIDL object itself */
  int32_t hash; /* Java's, of the object's identity */
  struct plain* next;
};

/* Makes one, with a reference; NULL, with a Java exception, if there is no memory. */
typedef struct plain* make_stand_in(JNIEnv* env, jobject java, const struct sidl_class* class);

/* The SIDL object, with a reference for the caller, or a new one; NULL: there is no memory. */
void* stand_in_for(JNIEnv* env, jobject java, int32_t hash, make_stand_in* make,
                   const struct sidl_class* class);
/* Before its data is freed. */
void forget_stand_in(const struct plain* gone);
void register_memory(JNIEnv* env, jclass native);
void register_arrays(JNIEnv* env, jclass native);
void register_halves(JNIEnv* env, jclass native);

/* ---- upcalls (upcalls.c) ------------------------------------------------------------------------
 */

/* What is called: a static method of `type`, with `target` (or NULL) and a frame. */
struct upcall {
  jclass type;
  jmethodID id;
  jobject target;
  const struct sidl_method_info* info;
  const char* name; /* for traces */
  size_t size;      /* of the frame */
  sidl_bool has_layout;
  sidl_bool has_hooks;
};
void upcall(JNIEnv* env, const struct upcall* what, void* const* args, void* result,
            struct sidl_BaseInterface__object** ex);
/* The size of a method's frame, and whether arrays in it have a declared shape or order. */
size_t frame_size(const struct sidl_method_info* info);
sidl_bool wants_layout(const struct sidl_method_info* info);

/* The calls of the interface that introduces a method, for objects in Java (packages.c). */
const struct sidl_java_type* find_java_type(const char* name);

#pragma GCC visibility pop
#endif
