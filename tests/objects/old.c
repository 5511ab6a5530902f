/* A class compiled for another version of the object model. */
#include "ob_Old_IOR.h"

static int32_t age(struct ob_Old__object* self, struct sidl_BaseInterface__object** _ex) {
  (void)self;
  *_ex = NULL;
  return 1;
}

static struct ob_Old__epv epv = {.f_age = age};

static struct sidl_class implementation = {
    .ior_major = SIDL_IOR_MAJOR_VERSION + 1,
    .ior_minor = 7,
    .info = &ob_Old__info,
    .epv = &epv,
};

struct sidl_class* ob_Old__class(void) {
  return &implementation;
}
