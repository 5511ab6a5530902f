/**
 * sidl_string_IOR.h: arrays of strings; each belongs to the array (sidl_String.h).
 *
 * The functions are documented in sidl_array_functions.h; each is called sidl_string__array_<name>.
 */
#ifndef SIDL_STRING_IOR_H
#define SIDL_STRING_IOR_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of strings; each belongs to the array (sidl_String.h). */
struct sidl_string__array {
  struct sidl__array d_metadata;
  char** d_firstElement; /**< the element with the lowest indices */
};

#define SIDL_ARRAY_NAME sidl_string__array
#define SIDL_ARRAY_F(f) sidl_string__array_##f
#define SIDL_ARRAY_ELEM char*
#define SIDL_ARRAY_IN const char*
#define SIDL_ARRAY_BORROW_OWNED
#include "sidl_array_functions.h"

#ifdef __cplusplus
}
#endif
#endif
