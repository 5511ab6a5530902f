/**
 * sidl_float_IOR.h: arrays of floats.
 *
 * The functions are documented in sidl_array_functions.h; each is called sidl_float__array_<name>.
 */
#ifndef SIDL_FLOAT_IOR_H
#define SIDL_FLOAT_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of floats. */
struct sidl_float__array {
  struct sidl__array d_metadata;
  float* d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_float__array
#define SIDL_ARRAY_F(f) sidl_float__array_##f
#define SIDL_ARRAY_ELEM float
#define SIDL_ARRAY_IN float
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
