/**
 * sidl_fcomplex_IOR.h: arrays of complex numbers of two floats.
 *
 * The functions are documented in sidl_array_functions.h; each is called
 * sidl_fcomplex__array_<name>.
 */
#ifndef SIDL_FCOMPLEX_IOR_H
#define SIDL_FCOMPLEX_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of complex numbers of two floats. */
struct sidl_fcomplex__array {
  struct sidl__array d_metadata;
  struct sidl_fcomplex* d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_fcomplex__array
#define SIDL_ARRAY_F(f) sidl_fcomplex__array_##f
#define SIDL_ARRAY_ELEM struct sidl_fcomplex
#define SIDL_ARRAY_IN struct sidl_fcomplex
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
