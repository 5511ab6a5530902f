/**
 * sidl_double_IOR.h: arrays of doubles.
 *
 * The functions are documented in sidl_array_functions.h; each is called sidl_double__array_<name>.
 */
#ifndef SIDL_DOUBLE_IOR_H
#define SIDL_DOUBLE_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of doubles. */
struct sidl_double__array {
  struct sidl__array d_metadata;
  double* d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_double__array
#define SIDL_ARRAY_F(f) sidl_double__array_##f
#define SIDL_ARRAY_ELEM double
#define SIDL_ARRAY_IN double
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
