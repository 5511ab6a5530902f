/*
 * prepare_class.c: completing the class that a skel provides.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "object/alive.h"
#include "object/class.h"
#include "object/ended_inside.h"
#include "object/enforced.h"
#include "object/layout.h"
#include "object/library.h"
#include "object/plan.h"
#include "object/throw.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_process.h"

/* sidl_class.state; `loading` is seen only by the thread that holds the lock. */
enum { STATE_NEW = 0, STATE_LOADING, STATE_READY };

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* The classes whose load functions are running, the innermost first; under the lock. */
struct loading {
  struct sidl_class* class;
  struct loading* outer;
  int32_t result; /* the state the class will get */
};
static struct loading* loading;

static void end_loading(void* data) {
  const struct loading* const here = data;
  loading = here->outer;
  atomic_store_release(&here->class->state, here->result);
}

/*
 * ---- fork --------------------------------------------------------------------------------------
 *
 * Load functions are users' code and run under the lock. One may wait for what the forking thread
 * holds, such as Python's GIL, so the fork waits for the lock with a time-out. In the child, whose
 * thread has another id, the lock is reinitialised, and classes not loaded completely are loaded
 * again.
 */

static bool is_taken; /* by the thread that forks, for the fork */

static void before_fork(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  ++until.tv_sec;
  is_taken = pthread_mutex_timedlock(&lock, &until) == 0;
}

static void in_parent(void) {
  if (is_taken) pthread_mutex_unlock(&lock);
}

static void in_child(void) {
  static const pthread_mutex_t open = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  memcpy(&lock, &open, sizeof lock);
  if (is_taken) return; /* anything being loaded is loaded by this thread */
  for (; loading != NULL; loading = loading->outer) loading->class->state = STATE_NEW;
}

__attribute__((constructor)) static void begin(void) {
  static struct sidl_fork_handler handler = {
      .level = sidl_fork_user_code,
      .before = before_fork,
      .in_parent = in_parent,
      .in_child = in_child,
  };
  sidl_at_fork(&handler);
}

/* ---- classes -----------------------------------------------------------------------------------
 */

void class_lock(void) {
  pthread_mutex_lock(&lock);
}

void class_unlock(void) {
  pthread_mutex_unlock(&lock);
}

static bool version_fits(const struct sidl_class* class, struct sidl_BaseInterface__object** _ex) {
  if (class->ior_major == SIDL_IOR_MAJOR_VERSION && class->ior_minor <= SIDL_IOR_MINOR_VERSION) {
    return true;
  }
  char* const file = library_holding(class);
  THROW(_ex, sidl_NotImplementedException,
        "class %s in %s was compiled for IOR version %d.%d, but libsidl supports %d.%d: regenerate "
        "and recompile it with the sidlc of this libsidl",
        class->info->name, file == NULL ? "the program" : file, (int)class->ior_major,
        (int)class->ior_minor, SIDL_IOR_MAJOR_VERSION, SIDL_IOR_MINOR_VERSION);
  free(file);
  return false;
}

static void inherit_slots(struct sidl_class* class) {
  if (class->parent == NULL) return;
  void** const slots = class->epv;
  void* const* const inherited = enforced_plain_epv(class->parent);
  for (uint16_t s = 0; s < class->parent->info->slot_count; ++s) {
    if (slots[s] == NULL) slots[s] = inherited[s];
  }
}

/* Implementations made ready, for searches. Never freed. */
struct known_class {
  struct sidl_class* class;
  const struct known_class* next;
};

static const struct known_class* known_classes; /* grows at its front; read without the lock */

/* If memory is exhausted it is not found by searches. */
static void remember(struct sidl_class* class) {
  for (const struct known_class* each = known_classes; each != NULL; each = each->next) {
    if (each->class == class) return;
  }
  struct known_class* const made = malloc(sizeof *made);
  if (made == NULL) return;
  *made = (struct known_class){class, known_classes};
  atomic_store_release(&known_classes, made);
  if (!class_is_of_libsidl(class)) ended_inside_watch();
}

bool class_is_of_libsidl(const struct sidl_class* class) {
  return strncmp(class->info->name, "sidl.", 5) == 0;
}

struct sidl_class* class_made_ready(const struct sidl_type_info* type) {
  const struct known_class* each = atomic_load_acquire(&known_classes);
  struct sidl_class* first = NULL; /* the last in the list: what is found must not change */
  for (; each != NULL; each = each->next) {
    const struct sidl_type_info* const info = each->class->info;
    if (info->id == type->id && strcmp(info->name, type->name) == 0 &&
        class_is_ready(each->class) && layout_fits(type, info)) {
      first = each->class;
    }
  }
  return first;
}

void class_each(void (*visit)(const struct sidl_class* class, void* data), void* data) {
  const struct known_class* each = atomic_load_acquire(&known_classes);
  for (; each != NULL; each = each->next) visit(each->class, data);
}

/*
 * The implementation finds its parent by its own table (sidl_super_epv). Whoever loaded it may have
 * used another library's table of the type, and a search could lead to another implementation.
 */
static void keep_for_itself(struct sidl_class* class) {
  struct sidl_type_cache* const cache = class->info->cache;
  if (atomic_load_acquire(&cache->implementation) == NULL) {
    atomic_store_release(&cache->implementation, class);
  }
}

static bool prepare_locked(struct sidl_class* class, struct sidl_BaseInterface__object** _ex) {
  if (!version_fits(class, _ex)) return false;
  if (class->plan == NULL) {
    if (class->info->parent != NULL) {
      class->parent = class_of_type(class->info->parent, _ex);
      if (class->parent == NULL) return false;
      if (!layout_check_parent(class->info->parent, class->parent->info, _ex)) return false;
    }
    if (!layout_admit(class->info, _ex)) return false;
    inherit_slots(class);
    if (class->enforced_epv == NULL && !enforced_prepare(class, _ex)) return false;
    class->plan = plan_create(class);
    if (class->plan == NULL) {
      throw_memory(_ex);
      return false;
    }
    enforced_update(class);
  }
  atomic_store_release(&class->state, STATE_LOADING); /* read without the lock */
  remember(class);
  alive_watch(class);
  struct sidl_BaseInterface__object* ex = NULL;
  struct loading here = {class, loading, STATE_NEW};
  loading = &here;
  pthread_cleanup_push(end_loading, &here);
  if (class->load != NULL) class->load(&ex);
  if (ex == NULL) here.result = STATE_READY;
  pthread_cleanup_pop(1);
  *_ex = ex;
  if (ex == NULL) keep_for_itself(class);
  return ex == NULL;
}

static void unlock(void* data) {
  (void)data;
  class_unlock();
}

bool class_prepare(struct sidl_class* class, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (atomic_load_acquire(&class->state) == STATE_READY) return true;
  bool ok;
  class_lock();
  pthread_cleanup_push(unlock, NULL); /* a load function may end its thread (pthread_exit) */
  /* Not new: ready by now, or its own load function is making an object, which is allowed. */
  ok = class->state != STATE_NEW || prepare_locked(class, _ex);
  pthread_cleanup_pop(1);
  return ok;
}

bool class_is_ready(const struct sidl_class* class) {
  return atomic_load_acquire(&class->state) == STATE_READY;
}

struct sidl_class* class_synthesise(const struct sidl_type_info* type) {
  struct sidl_class* const class = calloc(1, sizeof *class);
  void** const epv = calloc(type->slot_count, sizeof(void*));
  if (class == NULL || epv == NULL) {
    free(class);
    free(epv);
    return NULL;
  }
  class->ior_major = SIDL_IOR_MAJOR_VERSION;
  class->ior_minor = SIDL_IOR_MINOR_VERSION;
  class->info = type;
  class->epv = epv;
  if (SIDL_TABLE_HAS(type, contracts)) class->contracts = type->extension->contracts;
  return class;
}

bool class_finish(struct sidl_class* class) {
  class->plan = plan_create(class);
  if (class->plan == NULL) return false;
  atomic_store_release(&class->state, STATE_READY);
  return true;
}

static struct sidl_class* make_proxy_class(const struct sidl_type_info* type) {
  struct sidl_class* const class = calloc(1, sizeof *class);
  if (class == NULL) return NULL;
  const void* const epv =
      type->kind == sidl_kind_class ? type->remote_epv : sidl_BaseClass__info.remote_epv;
  class->ior_major = SIDL_IOR_MAJOR_VERSION;
  class->ior_minor = SIDL_IOR_MINOR_VERSION;
  class->info = type;
  class->epv = (void*)epv; /* never written */
  class->is_remote = 1;
  if (class_finish(class)) return class;
  free(class);
  return NULL;
}

/*
 * An object after sidl_end gets a proxy's functions, which have every method's signature, but no
 * handle, so that sidl_rmi_invoke throws. There are few of these classes; they are never freed.
 */
struct ended_class {
  struct sidl_class* class;
  struct ended_class* next;
};

static struct sidl_class* make_ended_class(const struct sidl_type_info* type,
                                           struct ended_class** list) {
  struct ended_class* const entry = calloc(1, sizeof *entry);
  struct sidl_class* const class = entry == NULL ? NULL : make_proxy_class(type);
  if (class == NULL) {
    free(entry);
    return NULL;
  }
  class->is_remote = 0;
  entry->class = class;
  entry->next = *list;
  *list = entry;
  return class;
}

struct sidl_class* class_ended(const struct sidl_type_info* type,
                               struct sidl_BaseInterface__object** _ex) {
  static struct ended_class* all;
  *_ex = NULL;
  class_lock();
  const struct ended_class* known = all;
  while (known != NULL && known->class->info != type) known = known->next;
  struct sidl_class* const class = known != NULL ? known->class : make_ended_class(type, &all);
  class_unlock();
  if (class == NULL) throw_memory(_ex);
  return class;
}

struct sidl_class* class_proxy(const struct sidl_type_info* type,
                               struct sidl_BaseInterface__object** _ex) {
  struct sidl_class* class = atomic_load_acquire(&type->cache->proxy);
  *_ex = NULL;
  if (class != NULL) return class;
  class_lock();
  class = type->cache->proxy;
  if (class == NULL && layout_admit(type, _ex)) {
    class = make_proxy_class(type);
    if (class == NULL) throw_memory(_ex);
    atomic_store_release(&type->cache->proxy, class);
  }
  class_unlock();
  return class;
}
