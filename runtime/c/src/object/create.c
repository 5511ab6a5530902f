#include <stdio.h>
#include <stdlib.h>

#include "base/reference.h"
#include "object/class.h"
#include "object/enforced.h"
#include "object/object.h"
#include "object/plan.h"
#include "object/throw.h"
#include "sidl_BaseException.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_String.h"
#include "sidl_log.h"

/* Objects are initialised two words at a time: they are many and mostly small. */
typedef object_word word_pair
    __attribute__((vector_size(2 * sizeof(object_word)), may_alias, aligned(sizeof(object_word))));

static inline void* allocate(const struct sidl_class* class) {
  const struct sidl_class_plan* const plan = class->plan;
  word_pair* const restrict object = malloc(plan->memory_size);
  if (object == NULL) return NULL;
  const word_pair* const restrict values = (const word_pair*)(const void*)plan->values;
  const word_pair* const restrict masks = (const word_pair*)(const void*)plan->masks;
  const word_pair self = {(object_word)object, (object_word)object};
  const size_t pairs = plan->word_count / 2;
  for (size_t i = 0; i < pairs; ++i) object[i] = values[i] + (self & masks[i]);
  return object;
}

void* object_allocate(const struct sidl_class* class) {
  return allocate(class);
}

/*
 * Makes the object an instance of `class`, its own or an ancestor of it, for calls and casts: a
 * constructor or destructor must not reach methods of a child whose Impl does not exist yet or any
 * more. Data and reference count do not change.
 */
__attribute__((noinline)) static void change_class(const struct sidl_class* class,
                                                   struct sidl_object* object) {
  const struct sidl_type_info* const info = class->info;
  object->d_class = class;
  object->d_epv = class->epv;
  for (uint16_t i = 0; i < info->facet_count; ++i) {
    const uint32_t offset = info->facets[i].offset;
    object_word* const epv = (object_word*)(void*)((char*)object + offset);
    *epv = class->plan->values[offset / sizeof(object_word)];
  }
}

/*
 * Destructors may add and drop references to their object; a count far from zero prevents a second
 * destruction. It is DYING when nothing refers to the object.
 */
enum { DYING = INT32_MIN / 2 };

/* A fault in a destructor may show with each of many objects: the log takes the first ones. */
enum { MOST_LOST = 10 };

/*
 * The destructor of `class` has thrown: there is no caller to report it to, so that its author
 * learns of it from the log. Takes the reference to the exception.
 */
__attribute__((noinline, cold)) static void log_lost(const struct sidl_class* class,
                                                     struct sidl_BaseInterface__object* lost) {
  static int32_t count;
  const int32_t earlier = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  if (earlier < MOST_LOST) {
    struct sidl_BaseInterface__object* ignored = NULL;
    struct sidl_BaseException__object* const exception =
        sidl_cast_borrowed(lost, &sidl_BaseException__info);
    char* const note = exception == NULL ? NULL : sidl_BaseException_getNote(exception, &ignored);
    reference_drop(ignored);
    char text[1024];
    snprintf(text, sizeof text,
             "the destructor of %.200s threw %.200s, which has no caller to go to: %.400s%s",
             class->info->name, object_of(lost)->d_class->info->name, note == NULL ? "" : note,
             earlier + 1 < MOST_LOST ? "" : " (further ones are not reported)");
    sidl_log(sidl_log_warning, "sidl", text);
    sidl_String_free(note);
  } else {
    __atomic_store_n(&count, MOST_LOST, __ATOMIC_RELAXED);
  }
  reference_drop(lost);
}

/*
 * Runs the destructors of an object, from `class` on, while its count is DYING. sidl.BaseClass, the
 * only class without a parent, has none.
 */
__attribute__((always_inline)) static inline void destruct(const struct sidl_class* class,
                                                           struct sidl_object* object) {
  while (class->parent != NULL) {
    struct sidl_BaseInterface__object* ex = NULL;
    if (class->dtor != NULL) class->dtor(object, &ex);
    if (ex != NULL) log_lost(class, ex);
    class = class->parent;
    if (class->parent != NULL) change_class(class, object);
  }
}

/*
 * A destroyed object of `class` to which something still refers: a constructor that threw has
 * handed it out, or a destructor has. Until they drop their references, its methods throw.
 */
__attribute__((noinline, cold)) static void outlive(const struct sidl_class* class,
                                                    struct sidl_object* object) {
  struct sidl_BaseInterface__object* ex = NULL;
  const struct sidl_class* const ended = class_ended(class->info, &ex);
  if (ended == NULL) { /* no memory: it stays for ever, as it is */
    reference_drop(ex);
    return;
  }
  change_class(ended, object);
  if (__atomic_sub_fetch(&object->d_refcount, DYING, __ATOMIC_ACQ_REL) <= 0) free(object);
}

/* After its destructors. */
static inline void release(const struct sidl_class* class, struct sidl_object* object) {
  if (__builtin_expect(atomic_load_acquire(&object->d_refcount) == DYING, 1)) {
    free(object);
  } else {
    outlive(class, object);
  }
}

void object_destroy(struct sidl_object* object) {
  const struct sidl_class* const class = object->d_class;
  atomic_store_release(&object->d_refcount, DYING);
  destruct(class, object);
  release(class, object);
}

/* A new object is not to be: its creator's reference is gone, and others may be there. */
static void give_up(struct sidl_object* object) {
  __atomic_add_fetch(&object->d_refcount, DYING - 1, __ATOMIC_ACQ_REL);
}

/* The constructor of `class` has thrown: runs the destructors of its ancestors. */
__attribute__((noinline, cold)) static void destruct_parents(const struct sidl_class* class,
                                                             struct sidl_object* object) {
  give_up(object);
  change_class(class->parent, object);
  destruct(class->parent, object);
}

static bool construct(const struct sidl_class* class, struct sidl_object* object,
                      struct sidl_BaseInterface__object** _ex);

/* Runs the constructors of the ancestors of `class`. */
static inline bool construct_parents(const struct sidl_class* class, struct sidl_object* object,
                                     struct sidl_BaseInterface__object** _ex) {
  const struct sidl_class* const parent = class->parent;
  if (parent == NULL || parent->parent == NULL) return true;
  change_class(parent, object);
  if (!construct(parent, object, _ex)) return false;
  change_class(class, object);
  return true;
}

/*
 * Runs the constructors up to `class`, the parent's first. On failure runs the destructors of those
 * that succeeded.
 */
__attribute__((always_inline)) static inline bool construct_all(
    const struct sidl_class* class, struct sidl_object* object,
    struct sidl_BaseInterface__object** _ex) {
  if (!construct_parents(class, object, _ex)) return false;
  if (class->ctor == NULL) return true;
  class->ctor(object, _ex);
  if (*_ex == NULL) return true;
  destruct_parents(class, object);
  return false;
}

static bool construct(const struct sidl_class* class, struct sidl_object* object,
                      struct sidl_BaseInterface__object** _ex) {
  return construct_all(class, object, _ex);
}

/* Checks the invariants of a new object; false with *_ex set. */
static bool complete(const struct sidl_class* class, struct sidl_object* object,
                     struct sidl_BaseInterface__object** _ex) {
  const struct sidl_contracts* const contracts =
      class->enforced_epv == NULL ? NULL : class->contracts;
  if (contracts == NULL || contracts->invariants == NULL) return true;
  return enforced_check_new(contracts, object, _ex);
}

/*
 * An object that has contracts: its invariants need not hold before it is complete. False with
 * *_ex set, and then its destructors have run.
 */
__attribute__((noinline)) static bool construct_checked(const struct sidl_class* class,
                                                        struct sidl_object* object,
                                                        struct sidl_BaseInterface__object** _ex) {
  enforced_enter(object);
  const bool ok = construct(class, object, _ex);
  enforced_leave(object);
  if (!ok || complete(class, object, _ex)) return ok;
  give_up(object);
  destruct(class, object);
  return false;
}

void* object_create(const struct sidl_class* class, struct sidl_BaseInterface__object** _ex) {
  void* const object = allocate(class);
  *_ex = NULL;
  if (object == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  const bool ok = class->enforced_epv == NULL ? construct_all(class, object, _ex)
                                              : construct_checked(class, object, _ex);
  if (ok) return object;
  release(class, object);
  return NULL;
}

static inline struct sidl_class* creatable_class(const struct sidl_type_info* type,
                                                 struct sidl_BaseInterface__object** _ex) {
  if (type->kind == sidl_kind_class && (type->flags & sidl_type_abstract) != 0) {
    THROW(_ex, sidl_NotImplementedException,
          "class %s is abstract: no objects of it can be created", type->name);
    return NULL;
  }
  return class_of_type(type, _ex);
}

void* sidl_create(const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_class* const class = creatable_class(type, _ex);
  return class == NULL ? NULL : object_create(class, _ex);
}

void* sidl_wrap(const struct sidl_type_info* type, void* data,
                struct sidl_BaseInterface__object** _ex) {
  const struct sidl_class* const class = creatable_class(type, _ex);
  if (class == NULL || class_ended(class->info, _ex) == NULL) return NULL;
  struct sidl_object* const object = allocate(class);
  if (object == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  enforced_enter(object);
  bool ok = construct_parents(class, object, _ex);
  /* Constructors in C written for Babel ask for the data with __get_data. */
  *(void**)((char*)object + class->info->data_offset) = data;
  if (ok && class->ctor2 != NULL) {
    class->ctor2(object, data, _ex);
    ok = *_ex == NULL;
    if (!ok) destruct_parents(class, object);
  }
  enforced_leave(object);
  if (ok && !complete(class, object, _ex)) {
    give_up(object);
    destruct(class, object);
    ok = false;
  }
  if (!ok) {
    release(class, object);
    return NULL;
  }
  return object;
}

void sidl_end(void* obj) {
  struct sidl_object* const object = object_of(obj);
  const struct sidl_class* const class = object->d_class;
  __atomic_add_fetch(&object->d_refcount, DYING, __ATOMIC_ACQ_REL);
  destruct(class, object);
  outlive(class, object); /* sidl_wrap has made the class that it needs */
}

const void* sidl_static_epv(const struct sidl_type_info* type,
                            struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  const struct sidl_class* const class = class_of_type(type, _ex);
  return class == NULL ? NULL : class->static_epv;
}

const void* sidl_super_epv(const struct sidl_type_info* type,
                           struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  const struct sidl_class* const class = class_of_type(type, _ex);
  return class == NULL || class->parent == NULL ? NULL : class->parent->epv;
}
