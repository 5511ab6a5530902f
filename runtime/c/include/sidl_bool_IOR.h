/**
 * sidl_bool_IOR.h: arrays of bools.
 *
 * The functions are documented in sidl_array_functions.h; each is called sidl_bool__array_<name>.
 */
#ifndef SIDL_BOOL_IOR_H
#define SIDL_BOOL_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of bools. */
struct sidl_bool__array {
  struct sidl__array d_metadata;
  sidl_bool* d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_bool__array
#define SIDL_ARRAY_F(f) sidl_bool__array_##f
#define SIDL_ARRAY_ELEM sidl_bool
#define SIDL_ARRAY_IN sidl_bool
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
