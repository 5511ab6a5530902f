/* cells.c: references that Java holds; see internal.h. */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

__attribute__((visibility("default"))) __thread struct sidl_java_notes* sidl_java_uses
    __attribute__((tls_model("initial-exec")));

/* How often a thread is found without notes before it is not looked at any more. */
enum { patience = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread* threads;   /* that are looked at; guarded by lock */
static uint64_t time_of_leaving; /* written under lock */
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sidl_bool has_membarrier; /* set once */

/* ---- which threads are looked at ---------------------------------------------------------------
 *
 * Who closes a cell takes threads from the list, without a word with them: it sets `end` to where
 * the next call begins, and when all threads have passed a barrier, looks once more. A call that
 * had not seen the new `end` by then has written its note. All of this is done under the lock.
 */

static void join(struct thread* thread) {
  thread->idle = 0;
  thread->leaving = 0;
  __atomic_store_n(&thread->notes.end, has_membarrier ? thread->last : thread->notes.next,
                   __ATOMIC_RELAXED);
  if (thread->link != NULL) return;
  thread->next = threads;
  thread->link = &threads;
  if (threads != NULL) threads->link = &thread->next;
  threads = thread;
}

static void take_out(struct thread* thread) {
  *thread->link = thread->next;
  if (thread->next != NULL) thread->next->link = thread->link;
  thread->link = NULL;
}

/* One without notes; `barrier`: the time before the last barrier of this thread. */
static void let_rest(struct thread* thread, uint64_t barrier) {
  if (!has_membarrier || &thread->notes == sidl_java_uses) return;
  if (thread->leaving != 0) {
    if (thread->leaving <= barrier) take_out(thread);
  } else if (++thread->idle == patience) {
    __atomic_store_n(&thread->notes.end, thread->first, __ATOMIC_RELAXED);
    thread->leaving = time_of_leaving + 1;
    __atomic_store_n(&time_of_leaving, thread->leaving, __ATOMIC_RELEASE);
  }
}

/* Another one has notes: its calls need not go the slow way. */
static void let_stay(struct thread* thread) {
  thread->idle = 0;
  if (thread->leaving != 0) join(thread);
}

/* ---- threads ----------------------------------------------------------------------------------
 */

static void end_thread(void* data) {
  struct thread* const thread = data;
  pthread_mutex_lock(&lock);
  if (thread->link != NULL) take_out(thread);
  pthread_mutex_unlock(&lock);
  sidl_java_uses = NULL;
  release_frames(thread->frames);
  if (thread->env != NULL) detach_thread();
  if (thread->first != thread->few) free(thread->first);
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
  made->notes.next = made->few;
  made->first = made->few;
  made->last = made->few + usual_notes;
  pthread_setspecific(key, made);
  pthread_mutex_lock(&lock);
  join(made);
  pthread_mutex_unlock(&lock);
  sidl_java_uses = &made->notes; /* the first member */
  return made;
}

struct thread* this_thread(void) {
  return sidl_java_uses != NULL ? (struct thread*)(void*)sidl_java_uses : make_thread();
}

/* A note has no room. Who closes reads the notes meanwhile, so it is done under the lock. */
static sidl_bool grow(struct thread* thread) {
  const size_t count = (size_t)use_count(thread);
  const size_t capacity = 2 * count;
  struct sidl_java_cell** const notes = calloc(capacity + 1, sizeof *notes);
  if (notes == NULL) return FALSE;
  pthread_mutex_lock(&lock);
  struct sidl_java_cell** const old = thread->first;
  for (size_t i = 0; i <= count; ++i) notes[i] = old[i];
  thread->first = notes;
  thread->last = notes + capacity;
  thread->notes.next = notes + count;
  join(thread);
  pthread_mutex_unlock(&lock);
  if (old != thread->few) free(old);
  return TRUE;
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

/* Reads the notes of a thread; TRUE if the cell is among them. */
static sidl_bool look_at(struct thread* thread, const struct cell* cell, uint64_t barrier) {
  struct sidl_java_cell** const next = __atomic_load_n(&thread->notes.next, __ATOMIC_ACQUIRE);
  sidl_bool has_notes = next != thread->first;
  for (struct sidl_java_cell** note = thread->first; note <= next; ++note) {
    const struct sidl_java_cell* const noted = __atomic_load_n(note, __ATOMIC_ACQUIRE);
    if (noted == &cell->it) return TRUE;
    has_notes = has_notes || noted != NULL;
  }
  if (has_notes) {
    let_stay(thread);
  } else {
    let_rest(thread, barrier);
  }
  return FALSE;
}

/* Of a cell that was emptied before. */
static sidl_bool is_used(const struct cell* cell) {
  const uint64_t barrier = __atomic_load_n(&time_of_leaving, __ATOMIC_ACQUIRE);
  order_with_users();
  sidl_bool found = FALSE;
  pthread_mutex_lock(&lock);
  for (struct thread *each = threads, *next = NULL; each != NULL && !found; each = next) {
    next = each->next;
    found = look_at(each, cell, barrier);
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static void release(const struct cell* cell, void* object) {
  if (cell->info != NULL) {
    drop(object);
  } else {
    sidl__array_deleteRef(object);
  }
}

/* Drops what was closed while it was in use, unless somebody else still uses it. */
static void finish_leaving(struct cell* cell) {
  if (is_used(cell)) return; /* who does sees `leaving` when it has finished */
  void* const object = __atomic_exchange_n(&cell->it.leaving, NULL, __ATOMIC_ACQ_REL);
  if (object != NULL) release(cell, object);
}

/* FALSE if it was closed before. */
static sidl_bool close_cell(struct cell* cell) {
  void* const object = __atomic_exchange_n(&cell->it.object, NULL, __ATOMIC_ACQ_REL);
  if (object == NULL) return FALSE;
  pthread_once(&once, prepare);
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
  if (cell->is_own) return;
  order_with_closing();
  if (__atomic_load_n(&cell->it.leaving, __ATOMIC_RELAXED) != NULL) finish_leaving(cell);
}

/* Without membarrier the slow way is always gone. */
static void advance(struct thread* thread, int32_t by) {
  __atomic_store_n(&thread->notes.next, thread->notes.next + by, __ATOMIC_RELAXED);
  if (!has_membarrier) thread->notes.end = thread->notes.next;
}

/* A note was written: it is seen to that it is read, and that there is room for the next one. */
static sidl_bool confirm(struct thread* thread) {
  order_with_closing();
  if (thread->notes.next == thread->last) return grow(thread);
  if (has_membarrier &&
      __atomic_load_n(&thread->notes.end, __ATOMIC_RELAXED) <= thread->notes.next) {
    pthread_mutex_lock(&lock);
    join(thread);
    pthread_mutex_unlock(&lock);
  }
  return TRUE;
}

/* Of references; accessed atomically, negative while the object is being destroyed. */
static int32_t* count_of(void* object) {
  struct sidl_object* const it = ((struct sidl_facet_object*)object)->d_object;
  return &it->d_refcount;
}

sidl_bool is_dying(void* object) {
  return __atomic_load_n(count_of(object), __ATOMIC_RELAXED) < 0;
}

sidl_bool has_one_reference(void* object) {
  return __atomic_load_n(count_of(object), __ATOMIC_ACQUIRE) == 1;
}

void begin_destruction(struct cell* cell) {
  __atomic_store_n(&cell->destroyer, this_thread(), __ATOMIC_RELAXED);
}

void note_dying(struct cell* cell) {
  if (__atomic_load_n(&cell->destroyer, __ATOMIC_RELAXED) == NULL) begin_destruction(cell);
}

/* A destructor may use its object, and what it calls. A call of another thread might outlast it. */
static sidl_bool may_use_dying(const struct thread* thread, const struct cell* cell) {
  return __atomic_load_n(&cell->destroyer, __ATOMIC_RELAXED) == thread;
}

/* A reference of the use's own, unless the last one has gone. The use is noted. */
static void* take_own(struct thread* thread, const struct cell* cell) {
  void* const object = __atomic_load_n(&cell->own, __ATOMIC_ACQUIRE);
  if (object == NULL) return NULL;
  int32_t* const count = count_of(object);
  int32_t seen = __atomic_load_n(count, __ATOMIC_RELAXED);
  do {
    if (seen == 0 || (seen < 0 && !may_use_dying(thread, cell))) return NULL;
  } while (!__atomic_compare_exchange_n(count, &seen, seen + 1, FALSE, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
  __atomic_store_n(thread->notes.next, as_owning(cell), __ATOMIC_RELEASE);
  return object;
}

void end_own(struct cell* cell) {
  if (__atomic_exchange_n(&cell->own, NULL, __ATOMIC_ACQ_REL) == NULL) return;
  pthread_once(&once, prepare);
  while (is_used(cell)) sched_yield();
}

void* use_cell(struct thread* thread, struct cell* cell) {
  __atomic_store_n(thread->notes.next, &cell->it, __ATOMIC_RELAXED);
  const sidl_bool is_noted = confirm(thread);
  void* object = is_noted ? __atomic_load_n(&cell->it.object, __ATOMIC_ACQUIRE) : NULL;
  if (is_noted && cell->is_own) object = take_own(thread, cell);
  if (object != NULL) {
    advance(thread, 1);
  } else {
    clear_note(thread->notes.next, cell); /* who closes it may have seen the note */
  }
  return object;
}

void* object_in_cell(const struct cell* cell) {
  return __atomic_load_n(cell->is_own ? &cell->own : &cell->it.object, __ATOMIC_ACQUIRE);
}

sidl_bool use_nothing(struct thread* thread) {
  __atomic_store_n(thread->notes.next, NULL, __ATOMIC_RELAXED);
  if (!confirm(thread)) return FALSE;
  advance(thread, 1);
  return TRUE;
}

void end_use_of(struct thread* thread, struct cell* cell) {
  advance(thread, -1);
  clear_note(thread->notes.next, cell);
  if (cell->is_own) drop(cell->it.leaving);
}

void end_use(struct thread* thread) {
  struct cell* const cell = noted_cell(thread->notes.next[-1]);
  if (cell != NULL) {
    end_use_of(thread, cell);
  } else {
    advance(thread, -1);
  }
}

/* ---- for Java -----------------------------------------------------------------------------------
 */

static struct cell* new_cell(JNIEnv* env, void* object, const struct sidl_type_info* info) {
  struct cell* const made = calloc(1, sizeof *made);
  if (made == NULL) {
    throw_java(env, "java/lang/OutOfMemoryError", "no memory for a reference to a SIDL object");
    return NULL;
  }
  made->it.object = object;
  made->info = info;
  return made;
}

static jlong JNICALL make(JNIEnv* env, jclass type, jlong object, jlong info) {
  (void)type;
  return sidl_java_address(new_cell(env, sidl_java_pointer(object), sidl_java_pointer(info)));
}

static jlong JNICALL make_own(JNIEnv* env, jclass type, jlong object, jlong info) {
  (void)type;
  struct cell* const made = calloc(1, sizeof *made);
  if (made == NULL) {
    throw_java(env, "java/lang/OutOfMemoryError", "no memory for an implementation");
    return 0;
  }
  made->it.leaving = sidl_java_pointer(object);
  made->own = made->it.leaving;
  made->info = sidl_java_pointer(info);
  made->is_own = TRUE;
  return sidl_java_address(made);
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
  const struct cell* const made = new_cell(env, view, sidl_java_pointer(info));
  if (made == NULL) drop(view);
  return sidl_java_address(made);
}

/* Of the same object, with a reference of its own. */
static jlong JNICALL make_another(JNIEnv* env, jclass type, jobject handle) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  const struct sidl_type_info* const info = cell_of(env, handle)->info;
  add_ref(use.object);
  const struct cell* const made = new_cell(env, use.object, info);
  if (made == NULL) drop(use.object);
  finish_use(&use);
  return sidl_java_address(made);
}

static jboolean JNICALL close_it(JNIEnv* env, jclass type, jlong cell) {
  (void)env;
  (void)type;
  struct cell* const it = sidl_java_pointer(cell);
  /* An implementation's `this` ends with its object; who gets it as an argument may close it. */
  return !it->is_own && close_cell(it);
}

/* No handle refers to it any more, so nobody uses it: who does has a reference to the handle. */
static jboolean JNICALL free_it(JNIEnv* env, jclass type, jlong address) {
  (void)env;
  (void)type;
  struct cell* const cell = sidl_java_pointer(address);
  void* const object = cell->it.object;
  if (object != NULL) release(cell, object);
  free(cell);
  return object != NULL;
}

static jlong JNICALL object_in(JNIEnv* env, jclass type, jlong cell) {
  (void)env;
  (void)type;
  return sidl_java_address(object_in_cell(sidl_java_pointer(cell)));
}

void register_cells(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("cell", "(JJ)J", make),
      SIDL_JAVA_NATIVE("sharedCell", "(JJ)J", make_shared),
      SIDL_JAVA_NATIVE("ownCell", "(JJ)J", make_own),
      SIDL_JAVA_NATIVE("another", "(Lsidl/binding/Handle;)J", make_another),
      SIDL_JAVA_NATIVE("close", "(J)Z", close_it),
      SIDL_JAVA_NATIVE("free", "(J)Z", free_it),
      SIDL_JAVA_NATIVE("object", "(J)J", object_in),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
