/**
 * sidl_char_IOR.h: arrays of characters (bytes).
 *
 * The functions are documented in sidl_array_functions.h; each is called sidl_char__array_<name>.
 */
#ifndef SIDL_CHAR_IOR_H
#define SIDL_CHAR_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of characters (bytes). */
struct sidl_char__array {
  struct sidl__array d_metadata;
  char* d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_char__array
#define SIDL_ARRAY_F(f) sidl_char__array_##f
#define SIDL_ARRAY_ELEM char
#define SIDL_ARRAY_IN char
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
