/* reference.h: counting references to objects of any type, local or remote, through their EPV. */
#ifndef BASE_REFERENCE_H
#define BASE_REFERENCE_H

#include "sidl_BaseInterface_IOR.h"
#include "sidl_ior.h"

/* Adds a reference; NULL is allowed. Returns the object. */
static inline void* reference_take(void* object) {
  struct sidl_BaseInterface__object* const self = object;
  struct sidl_BaseInterface__object* ex = NULL;
  if (self != NULL) self->d_epv->f_addRef(self->d_object, &ex);
  return object;
}

/* Drops a reference; NULL is allowed. Failures are ignored: there is no caller to tell. */
static inline void reference_drop(void* object) {
  struct sidl_BaseInterface__object* const self = object;
  struct sidl_BaseInterface__object* ex = NULL;
  if (self == NULL) return;
  self->d_epv->f_deleteRef(self->d_object, &ex);
  if (ex != NULL) {
    struct sidl_BaseInterface__object* ignored = NULL;
    ex->d_epv->f_deleteRef(ex->d_object, &ignored);
  }
}

#endif
