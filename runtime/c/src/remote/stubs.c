/*
 * stubs.c: the functions of the C binding of package sidl as symbols, for programs that call them
 * without their headers, where they are inline.
 */
#include "sidl_ior.h"

#pragma GCC visibility push(default)
#undef SIDL_INLINE
#define SIDL_INLINE __attribute__((weak))
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#include "sidl.h"
