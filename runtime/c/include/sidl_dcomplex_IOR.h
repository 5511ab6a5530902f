/**
 * sidl_dcomplex_IOR.h: arrays of complex numbers of two doubles.
 *
 * The functions are documented in sidl_array_functions.h; each is called
 * sidl_dcomplex__array_<name>.
 */
#ifndef SIDL_DCOMPLEX_IOR_H
#define SIDL_DCOMPLEX_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of complex numbers of two doubles. */
struct sidl_dcomplex__array {
  struct sidl__array d_metadata;
  struct sidl_dcomplex* d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_dcomplex__array
#define SIDL_ARRAY_F(f) sidl_dcomplex__array_##f
#define SIDL_ARRAY_ELEM struct sidl_dcomplex
#define SIDL_ARRAY_IN struct sidl_dcomplex
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
