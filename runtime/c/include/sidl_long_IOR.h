/**
 * sidl_long_IOR.h: arrays of 64-bit integers, and of enumerators.
 *
 * The functions are documented in sidl_array_functions.h; each is called sidl_long__array_<name>.
 */
#ifndef SIDL_LONG_IOR_H
#define SIDL_LONG_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of 64-bit integers, and of enumerators. */
struct sidl_long__array {
  struct sidl__array d_metadata;
  int64_t* d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_long__array
#define SIDL_ARRAY_F(f) sidl_long__array_##f
#define SIDL_ARRAY_ELEM int64_t
#define SIDL_ARRAY_IN int64_t
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
