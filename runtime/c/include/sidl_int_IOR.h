/**
 * sidl_int_IOR.h: arrays of 32-bit integers.
 *
 * The functions are documented in sidl_array_functions.h; each is called sidl_int__array_<name>.
 */
#ifndef SIDL_INT_IOR_H
#define SIDL_INT_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of 32-bit integers. */
struct sidl_int__array {
  struct sidl__array d_metadata;
  int32_t* d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_int__array
#define SIDL_ARRAY_F(f) sidl_int__array_##f
#define SIDL_ARRAY_ELEM int32_t
#define SIDL_ARRAY_IN int32_t
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
