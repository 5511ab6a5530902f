#include <stdlib.h>
#include <string.h>

#include "base/reference.h"
#include "object/class.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_NotImplementedException_IOR.h"

void* object_allocate(const struct sidl_class* class) {
  const struct sidl_type_info* const info = class->info;
  char* const object = malloc(info->size);
  if (object == NULL) return NULL;
  struct sidl_object* const head = (struct sidl_object*)(void*)object;
  /* all but the head: clearing everything would become a calloc, which glibc does not cache */
  memset(head + 1, 0, info->size - sizeof *head);
  head->d_epv = class->epv;
  head->d_object = object;
  head->d_class = class;
  head->d_refcount = 1;
  head->d_flags = 0;
  for (uint16_t i = 0; i < info->facet_count; ++i) {
    struct sidl_facet_object* const facet =
        (struct sidl_facet_object*)(void*)(object + info->facets[i].offset);
    facet->d_epv = class->facet_epvs[i];
    facet->d_object = object;
  }
  return object;
}

/*
 * Destructors may take and drop references to their object; with the count far from zero that
 * cannot destroy it a second time.
 */
enum { DYING = INT32_MIN / 2 };

static void destruct(const struct sidl_class* class, struct sidl_object* object) {
  atomic_store_release(&object->d_refcount, DYING);
  for (; class != NULL; class = class->parent) {
    struct sidl_BaseInterface__object* ex = NULL;
    if (class->dtor != NULL) class->dtor(object, &ex);
    reference_drop(ex); /* nobody to report it to */
  }
}

void object_destroy(struct sidl_object* object) {
  destruct(object->d_class, object);
  free(object);
}

/* Runs the constructors, BaseClass first. On failure those that ran are undone. */
static bool construct(const struct sidl_class* class, struct sidl_object* object,
                      struct sidl_BaseInterface__object** _ex) {
  if (class->parent != NULL && !construct(class->parent, object, _ex)) return false;
  if (class->ctor == NULL) return true;
  class->ctor(object, _ex);
  if (*_ex == NULL) return true;
  destruct(class->parent, object);
  return false;
}

void* object_create(const struct sidl_class* class, struct sidl_BaseInterface__object** _ex) {
  void* const object = object_allocate(class);
  *_ex = NULL;
  if (object == NULL) {
    throw_memory(_ex);
  } else if (!construct(class, object, _ex)) {
    free(object);
    return NULL;
  }
  return object;
}

static struct sidl_class* creatable_class(const struct sidl_type_info* type,
                                          struct sidl_BaseInterface__object** _ex) {
  if (type->kind == sidl_kind_class && (type->flags & sidl_type_abstract) != 0) {
    THROW(_ex, sidl_NotImplementedException, "class %s is abstract: it has no objects of its own",
          type->name);
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
  if (class == NULL) return NULL;
  struct sidl_object* const object = object_allocate(class);
  *_ex = NULL;
  if (object == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  bool ok = class->parent == NULL || construct(class->parent, object, _ex);
  if (ok && class->ctor2 != NULL) {
    class->ctor2(object, data, _ex);
    ok = *_ex == NULL;
    if (!ok) destruct(class->parent, object);
  }
  if (!ok) {
    free(object);
    return NULL;
  }
  return object;
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
