/**
 * sidl_interface_IOR.h: arrays of objects; the array has a reference to each.
 *
 * The functions are documented in sidl_array_functions.h; each is called
 * sidl_interface__array_<name>.
 */
#ifndef SIDL_INTERFACE_IOR_H
#define SIDL_INTERFACE_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_BaseInterface__object;

/** An array of objects; the array has a reference to each. */
struct sidl_interface__array {
  struct sidl__array d_metadata;
  struct sidl_BaseInterface__object** d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_interface__array
#define SIDL_ARRAY_F(f) sidl_interface__array_##f
#define SIDL_ARRAY_ELEM struct sidl_BaseInterface__object*
#define SIDL_ARRAY_IN struct sidl_BaseInterface__object*
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
