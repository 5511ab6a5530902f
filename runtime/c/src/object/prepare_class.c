/* prepare_class.c: completing what a skel hands over. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "object/class.h"
#include "object/library.h"
#include "object/plan.h"
#include "object/throw.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_NotImplementedException_IOR.h"

/* sidl_class.state; `loading` is seen only by the thread that holds the lock. */
enum { STATE_NEW = 0, STATE_LOADING, STATE_READY };

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

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
        "class %s in %s was compiled for IOR version %d.%d, libsidl works with %d.%d: generate and "
        "compile it again with the sidlc that belongs to this libsidl",
        class->info->name, file == NULL ? "the program" : file, (int)class->ior_major,
        (int)class->ior_minor, SIDL_IOR_MAJOR_VERSION, SIDL_IOR_MINOR_VERSION);
  free(file);
  return false;
}

static void inherit_slots(struct sidl_class* class) {
  if (class->parent == NULL) return;
  void** const slots = class->epv;
  void* const* const inherited = class->parent->epv;
  for (uint16_t s = 0; s < class->parent->info->slot_count; ++s) {
    if (slots[s] == NULL) slots[s] = inherited[s];
  }
}

static bool prepare_locked(struct sidl_class* class, struct sidl_BaseInterface__object** _ex) {
  if (!version_fits(class, _ex)) return false;
  if (class->plan == NULL) {
    if (class->info->parent != NULL) {
      class->parent = class_of_type(class->info->parent, _ex);
      if (class->parent == NULL) return false;
    }
    inherit_slots(class);
    class->plan = plan_create(class);
    if (class->plan == NULL) {
      throw_memory(_ex);
      return false;
    }
  }
  atomic_store_release(&class->state, STATE_LOADING); /* others look without the lock */
  struct sidl_BaseInterface__object* ex = NULL;
  if (class->load != NULL) class->load(&ex);
  atomic_store_release(&class->state, ex == NULL ? STATE_READY : STATE_NEW);
  *_ex = ex;
  return ex == NULL;
}

bool class_prepare(struct sidl_class* class, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (atomic_load_acquire(&class->state) == STATE_READY) return true;
  class_lock();
  /* Not new: ready by now, or its own load function makes an object, which is fine. */
  const bool ok = class->state != STATE_NEW || prepare_locked(class, _ex);
  class_unlock();
  return ok;
}

bool class_is_ready(const struct sidl_class* class) {
  return atomic_load_acquire(&class->state) == STATE_READY;
}

bool class_same_layout(const struct sidl_type_info* a, const struct sidl_type_info* b) {
  if (a == b) return true;
  if (a->id != b->id || a->slot_count != b->slot_count || a->facet_count != b->facet_count ||
      a->size != b->size || a->data_offset != b->data_offset) {
    return false;
  }
  for (uint16_t s = 0; s < a->slot_count; ++s) {
    if (a->slots[s]->digest != b->slots[s]->digest) return false;
  }
  for (uint16_t f = 0; f < a->facet_count; ++f) {
    if (a->facets[f].type->id != b->facets[f].type->id ||
        a->facets[f].offset != b->facets[f].offset) {
      return false;
    }
  }
  return true;
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
  return class;
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
  class->state = STATE_READY;
  class->plan = plan_create(class);
  if (class->plan != NULL) return class;
  free(class);
  return NULL;
}

/*
 * An ended object has the functions of a proxy, which have every method's signature, and no handle
 * they could call: sidl_rmi_invoke says so. There are few of these classes; they are never freed.
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
  if (class == NULL) {
    class = make_proxy_class(type);
    atomic_store_release(&type->cache->proxy, class);
  }
  class_unlock();
  if (class == NULL) throw_memory(_ex);
  return class;
}
