/**
 * sidl_opaque_IOR.h: arrays of pointers that mean nothing to SIDL.
 *
 * The functions are documented in sidl_array_functions.h; each is called sidl_opaque__array_<name>.
 */
#ifndef SIDL_OPAQUE_IOR_H
#define SIDL_OPAQUE_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of pointers that mean nothing to SIDL. */
struct sidl_opaque__array {
  struct sidl__array d_metadata;
  void** d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_opaque__array
#define SIDL_ARRAY_F(f) sidl_opaque__array_##f
#define SIDL_ARRAY_ELEM void*
#define SIDL_ARRAY_IN void*
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
