/* cells.c: references that Java holds; see internal.h. */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

__attribute__((visibility("default"))) __thread struct sidl_java_notes* sidl_java_notes
    __attribute__((tls_model("initial-exec")));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread* threads; /* guarded by lock */
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sidl_bool has_membarrier; /* set once */

static void end_thread(void* data) {
  struct thread* const thread = data;
  pthread_mutex_lock(&lock);
  for (struct thread** each = &threads; *each != NULL; each = &(*each)->next) {
    if (*each != thread) continue;
    *each = thread->next;
    break;
  }
  pthread_mutex_unlock(&lock);
  sidl_java_notes = NULL;
  release_frames(thread->frames);
  if (thread->env != NULL) detach_thread();
  free(thread->first);
  free(thread);
}

static void prepare(void) {
  pthread_key_create(&key, end_thread);
  has_membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
                   syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static struct thread* make_thread(void) {
  pthread_once(&once, prepare);
  struct thread* const made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  pthread_setspecific(key, made);
  pthread_mutex_lock(&lock);
  made->next = threads;
  threads = made;
  pthread_mutex_unlock(&lock);
  sidl_java_notes = &made->notes; /* the first member */
  return made;
}

struct thread* this_thread(void) {
  return sidl_java_notes != NULL ? (struct thread*)(void*)sidl_java_notes : make_thread();
}

/* Who closes reads the notes meanwhile, so it is done under the lock. */
static sidl_bool grow(struct thread* thread) {
  const size_t count = (size_t)use_count(thread);
  const size_t capacity = count == 0 ? 32 : 2 * count;
  struct sidl_java_cell** const notes = calloc(capacity, sizeof *notes);
  if (notes == NULL) return FALSE;
  pthread_mutex_lock(&lock);
  struct sidl_java_cell** const old = thread->first;
  for (size_t i = 0; i < count; ++i) notes[i] = old[i];
  thread->first = notes;
  thread->last = notes + capacity;
  thread->notes.next = notes + count;
  thread->notes.end = has_membarrier ? thread->last : thread->notes.next;
  pthread_mutex_unlock(&lock);
  free(old);
  return TRUE;
}

static sidl_bool is_used(const struct cell* cell) {
  sidl_bool found = FALSE;
  pthread_mutex_lock(&lock);
  for (const struct thread* each = threads; each != NULL && !found; each = each->next) {
    for (struct sidl_java_cell** note = each->first; note != each->last && !found; ++note) {
      found = __atomic_load_n(note, __ATOMIC_ACQUIRE) == &cell->it;
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/* What this thread did before comes before what others do after theirs. */
static void order_with_users(void) {
  if (has_membarrier) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  } else {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

/* The counterpart. */
static inline void order_with_closing(void) {
  if (has_membarrier) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

static void release(const struct cell* cell, void* object) {
  if (!cell->is_counted) return;
  if (cell->info != NULL) {
    drop(object);
  } else {
    sidl__array_deleteRef(object);
  }
}

/* Drops what was closed while it was in use, unless somebody else still uses it. */
static void finish_leaving(struct cell* cell) {
  order_with_users();
  if (is_used(cell)) return; /* who does sees `leaving` when it has finished */
  void* const object = __atomic_exchange_n(&cell->it.leaving, NULL, __ATOMIC_ACQ_REL);
  if (object != NULL) release(cell, object);
}

/* FALSE if it was closed before. */
static sidl_bool close_cell(struct cell* cell) {
  void* const object = __atomic_exchange_n(&cell->it.object, NULL, __ATOMIC_ACQ_REL);
  if (object == NULL) return FALSE;
  pthread_once(&once, prepare);
  order_with_users();
  if (!is_used(cell)) {
    release(cell, object);
    return TRUE;
  }
  __atomic_store_n(&cell->it.leaving, object, __ATOMIC_RELEASE);
  finish_leaving(cell);
  return TRUE;
}

static void clear_note(struct sidl_java_cell** note, struct cell* cell) {
  __atomic_store_n(note, NULL, __ATOMIC_RELEASE);
  order_with_closing();
  if (__atomic_load_n(&cell->it.leaving, __ATOMIC_RELAXED) != NULL) finish_leaving(cell);
}

/* Without membarrier the slow way is always gone. */
static void advance(struct thread* thread, int32_t by) {
  thread->notes.next += by;
  if (!has_membarrier) thread->notes.end = thread->notes.next;
}

void* use_cell(struct thread* thread, struct cell* cell) {
  if (thread->notes.next == thread->last && !grow(thread)) return NULL;
  struct sidl_java_cell** const note = thread->notes.next;
  __atomic_store_n(note, &cell->it, __ATOMIC_RELAXED);
  order_with_closing();
  void* const object = __atomic_load_n(&cell->it.object, __ATOMIC_ACQUIRE);
  if (object != NULL) {
    advance(thread, 1);
  } else {
    clear_note(note, cell); /* who closes it may have seen the note */
  }
  return object;
}

sidl_bool use_nothing(struct thread* thread) {
  if (thread->notes.next == thread->last && !grow(thread)) return FALSE;
  __atomic_store_n(thread->notes.next, NULL, __ATOMIC_RELAXED);
  advance(thread, 1);
  return TRUE;
}

void end_use(struct thread* thread) {
  advance(thread, -1);
  struct sidl_java_cell** const note = thread->notes.next;
  struct cell* const cell = (struct cell*)(void*)*note;
  if (cell != NULL) clear_note(note, cell);
}

void end_use_of(struct thread* thread, struct cell* cell) {
  advance(thread, -1);
  clear_note(thread->notes.next, cell);
}

/* ---- objects that are being destroyed ----------------------------------------------------------
 *
 * Their destructors may pass them to Java, as to a registry that shall forget them. Their memory
 * goes with the destructor, however many references there are, and Java gives its own back later.
 */

static pthread_mutex_t brief_lock = PTHREAD_MUTEX_INITIALIZER;

/* Counts of references are negative then. */
static sidl_bool is_dying(void* object) {
  const struct sidl_object* const it = ((const struct sidl_facet_object*)object)->d_object;
  return __atomic_load_n(&it->d_refcount, __ATOMIC_RELAXED) < 0;
}

static void make_brief(struct cell* cell) {
  struct thread* const thread = this_thread();
  cell->is_brief = TRUE;
  cell->is_counted = FALSE;
  if (thread == NULL) return;
  cell->depth = thread->depth;
  cell->maker = thread;
  pthread_mutex_lock(&brief_lock);
  cell->below = thread->brief;
  thread->brief = cell;
  pthread_mutex_unlock(&brief_lock);
}

/* The handle has gone before the call has ended. */
static void forget_brief(const struct cell* cell) {
  pthread_mutex_lock(&brief_lock);
  struct cell** each = cell->maker == NULL ? NULL : &cell->maker->brief;
  while (each != NULL && *each != NULL && *each != cell) each = &(*each)->below;
  if (each != NULL && *each == cell) *each = cell->below;
  pthread_mutex_unlock(&brief_lock);
}

void begin_call_to_java(struct thread* thread) {
  ++thread->depth;
}

void end_call_to_java(struct thread* thread) {
  if (__atomic_load_n(&thread->brief, __ATOMIC_RELAXED) != NULL) {
    pthread_mutex_lock(&brief_lock);
    while (thread->brief != NULL && thread->brief->depth >= thread->depth) {
      struct cell* const cell = thread->brief;
      thread->brief = cell->below;
      cell->maker = NULL;
      close_cell(cell); /* which owns nothing */
    }
    pthread_mutex_unlock(&brief_lock);
  }
  --thread->depth;
}

/* ---- for Java -----------------------------------------------------------------------------------
 */

static jlong new_cell(JNIEnv* env, jlong object, jlong info, sidl_bool is_counted) {
  struct cell* const made = calloc(1, sizeof *made);
  if (made == NULL) {
    throw_java(env, "java/lang/OutOfMemoryError", "no memory for a reference to a SIDL object");
    return 0;
  }
  made->it.object = sidl_java_pointer(object);
  made->info = sidl_java_pointer(info);
  made->is_counted = is_counted;
  if (is_counted && info != 0 && is_dying(made->it.object)) make_brief(made);
  return sidl_java_address(made);
}

static jlong JNICALL make(JNIEnv* env, jclass type, jlong object, jlong info) {
  (void)type;
  return new_cell(env, object, info, TRUE);
}

static jlong JNICALL make_uncounted(JNIEnv* env, jclass type, jlong object, jlong info) {
  (void)type;
  return new_cell(env, object, info, FALSE);
}

/* Of an object that the caller keeps, as another type. */
static jlong JNICALL make_shared(JNIEnv* env, jclass type, jlong object, jlong info) {
  (void)type;
  struct sidl_BaseInterface__object* ex = NULL;
  void* const view = sidl_cast(sidl_java_pointer(object), sidl_java_pointer(info), &ex);
  if (ex != NULL) drop(ex);
  if (view == NULL) {
    throw_java(env, "java/lang/ClassCastException",
               ((const struct sidl_type_info*)sidl_java_pointer(info))->name);
    return 0;
  }
  const jlong made = new_cell(env, sidl_java_address(view), info, TRUE);
  if (made == 0) drop(view);
  return made;
}

/* Of the same object, with a reference of its own. */
static jlong JNICALL make_another(JNIEnv* env, jclass type, jobject handle) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  const struct sidl_type_info* const info = cell_of(env, handle)->info;
  add_ref(use.object);
  const jlong made = new_cell(env, sidl_java_address(use.object), sidl_java_address(info), TRUE);
  if (made == 0) drop(use.object);
  finish_use(&use);
  return made;
}

static jboolean JNICALL close_it(JNIEnv* env, jclass type, jlong cell) {
  (void)env;
  (void)type;
  return close_cell(sidl_java_pointer(cell)) != 0;
}

/* No handle refers to it any more, so nobody uses it: who does has a reference to the handle. */
static jboolean JNICALL free_it(JNIEnv* env, jclass type, jlong address) {
  (void)env;
  (void)type;
  struct cell* const cell = sidl_java_pointer(address);
  if (cell->is_brief) forget_brief(cell);
  void* const object = cell->it.object;
  if (object != NULL) release(cell, object);
  free(cell);
  return object != NULL;
}

static jlong JNICALL object_in(JNIEnv* env, jclass type, jlong cell) {
  (void)env;
  (void)type;
  const struct cell* const it = sidl_java_pointer(cell);
  return sidl_java_address(__atomic_load_n(&it->it.object, __ATOMIC_ACQUIRE));
}

void register_cells(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("cell", "(JJ)J", make),
      SIDL_JAVA_NATIVE("sharedCell", "(JJ)J", make_shared),
      SIDL_JAVA_NATIVE("uncounted", "(JJ)J", make_uncounted),
      SIDL_JAVA_NATIVE("another", "(Lsidl/binding/Handle;)J", make_another),
      SIDL_JAVA_NATIVE("close", "(J)Z", close_it),
      SIDL_JAVA_NATIVE("free", "(J)Z", free_it),
      SIDL_JAVA_NATIVE("object", "(J)J", object_in),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
