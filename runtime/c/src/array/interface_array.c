#include "base/reference.h"
#include "sidl_interface_IOR.h"

/* The new reference is added first: it may be the same object. */
static void replace(struct sidl_BaseInterface__object** element,
                    struct sidl_BaseInterface__object* value) {
  struct sidl_BaseInterface__object* const old = *element;
  *element = reference_take(value);
  reference_drop(old);
}

#define NAME sidl_interface__array
#define F(f) sidl_interface__array_##f
#define ELEM struct sidl_BaseInterface__object*
#define IN struct sidl_BaseInterface__object*
#define TYPE sidl_interface_array
#define NO_BORROW_OWNED
#define READ(e) reference_take(*(e))
#define WRITE(e, v) replace((e), (v))
#include "array/typed_array.inc"
