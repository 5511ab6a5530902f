#include "object/alive.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "object/object.h"
#include "sidl_BaseException_IOR.h"
#include "sidl_MemAllocException_IOR.h"

/* A class whose objects are counted, and its own constructor and destructor. Never freed. */
struct watched {
  const struct sidl_class* class;
  void (*ctor)(void* self, struct sidl_BaseInterface__object** _ex);
  void (*ctor2)(void* self, void* data, struct sidl_BaseInterface__object** _ex);
  void (*dtor)(void* self, struct sidl_BaseInterface__object** _ex);
  int64_t count;
  struct watched* next;
};

bool alive_is_counted;
static struct watched* all;
TABLE_LOCK(lock);

static struct watched* find(const struct sidl_class* class) {
  struct watched* each = all;
  while (each != NULL && each->class != class) each = each->next;
  return each;
}

static struct watched* remember(const struct sidl_class* class) {
  struct watched* const made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  *made = (struct watched){class, class->ctor, class->ctor2, class->dtor, 0, all};
  all = made;
  return made;
}

/*
 * Constructors run from the first ancestor to the object's class, destructors the other way. At
 * each step the object counts for the class it has reached, and no longer for the previous one.
 */
static const struct watched* count(const struct sidl_class* class, int change) {
  pthread_mutex_lock(&lock);
  struct watched* own = find(class);
  if (own == NULL) own = remember(class);
  struct watched* const parent = class->parent == NULL ? NULL : find(class->parent);
  if (own != NULL) own->count += change;
  if (parent != NULL) parent->count -= change;
  pthread_mutex_unlock(&lock);
  return own;
}

void alive_level(const struct sidl_class* class, int change) {
  if (alive_is_counted) (void)count(class, change);
}

static const struct watched* watched_of(const void* self) {
  pthread_mutex_lock(&lock);
  const struct watched* const found = find(object_of(self)->d_class);
  pthread_mutex_unlock(&lock);
  return found;
}

static void counting_ctor(void* self, struct sidl_BaseInterface__object** _ex) {
  const struct watched* const own = watched_of(self);
  *_ex = NULL;
  if (own->ctor != NULL) own->ctor(self, _ex);
  if (*_ex == NULL) count(own->class, +1);
}

static void counting_ctor2(void* self, void* data, struct sidl_BaseInterface__object** _ex) {
  const struct watched* const own = watched_of(self);
  *_ex = NULL;
  if (own->ctor2 != NULL) own->ctor2(self, data, _ex);
  if (*_ex == NULL) count(own->class, +1);
}

static void counting_dtor(void* self, struct sidl_BaseInterface__object** _ex) {
  const struct watched* const own = count(object_of(self)->d_class, -1);
  *_ex = NULL;
  if (own->dtor != NULL) own->dtor(self, _ex);
}

void alive_watch(struct sidl_class* class) {
  /* sidl.BaseClass, the only class without a parent, has no destructor */
  if (!alive_is_counted || class->parent == NULL) return;
  pthread_mutex_lock(&lock);
  if (find(class) == NULL && remember(class) != NULL) {
    class->ctor = &counting_ctor;
    class->ctor2 = &counting_ctor2;
    class->dtor = &counting_dtor;
  }
  pthread_mutex_unlock(&lock);
}

void alive_proxy(const struct sidl_class* class, int change) {
  if (alive_is_counted && class->is_remote) (void)count(class, change);
}

/*
 * Objects that libsidl and protocols keep are not leaks, except exceptions, which belong to users.
 */
static int64_t number_to_report(const struct watched* watched) {
  const struct sidl_type_info* const type = watched->class->info;
  if (type == &sidl_MemAllocException__info) return watched->count - 1; /* throw.c keeps one */
  const bool is_ours = strncmp(type->name, "sidl.", 5) == 0 ||
                       strncmp(type->name, "sidlx.", 6) == 0 ||
                       strncmp(type->name, "libsidl.", 8) == 0;
  return is_ours && !type_is_a(type, &sidl_BaseException__info) ? 0 : watched->count;
}

static void report(void) {
  bool is_first = true;
  pthread_mutex_lock(&lock);
  for (const struct watched* each = all; each != NULL; each = each->next) {
    const int64_t number = number_to_report(each);
    if (number <= 0) continue;
    if (is_first) fprintf(stderr, "sidl: objects still alive at exit:\n");
    is_first = false;
    fprintf(stderr, "%8lld %s%s\n", (long long)number, each->class->info->name,
            each->class->is_remote ? ", in another process" : "");
  }
  pthread_mutex_unlock(&lock);
  if (is_first) fprintf(stderr, "sidl: no objects still alive at exit\n");
}

/* Before any object is made, including throw.c's; registered this early, the report runs last. */
__attribute__((constructor(200))) static void begin_counting(void) {
  const char* const wanted = getenv("SIDL_REPORT_LEAKS");
  alive_is_counted = wanted != NULL && strcmp(wanted, "1") == 0;
  if (alive_is_counted) (void)atexit(report);
}
