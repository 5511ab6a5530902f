/**
 * sidlType.h: the C types of SIDL's basic types.
 *
 *     bool     sidl_bool             float    float
 *     char     char                  double   double
 *     int      int32_t               fcomplex struct sidl_fcomplex
 *     long     int64_t               dcomplex struct sidl_dcomplex
 *     string   char* (UTF-8)         opaque   void*
 */
#ifndef SIDL_TYPE_H
#define SIDL_TYPE_H

#include <stdint.h>

/** What functions of generated C headers are; <package>_Stub.c makes symbols of them. */
#ifndef SIDL_INLINE
#define SIDL_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A SIDL bool: 0 is false, anything else is true; SIDL itself only makes 0 and 1. */
typedef int sidl_bool;

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

/** A complex number of two floats; same layout as C's `float _Complex`. */
struct sidl_fcomplex {
  float real;
  float imaginary;
};

/** A complex number of two doubles; same layout as C's `double _Complex`. */
struct sidl_dcomplex {
  double real;
  double imaginary;
};

#ifdef __cplusplus
}
#endif
#endif
