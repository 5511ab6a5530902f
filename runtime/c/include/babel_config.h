/**
 * babel_config.h: configuration macros that programs written for Babel check. They are the same on
 * all platforms.
 */
#ifndef SIDL_BABEL_CONFIG_H
#define SIDL_BABEL_CONFIG_H

#include "sidl_version.h"

/** Remote method invocation is always available. */
#define WITH_RMI 1
#define SIDL_C_HAS_INLINE 1
#define HAVE_PTHREAD 1

/** Stands before the names of C++ types: once there was another C++ binding, without it. */
#define UCXX

/** The languages of the classic bindings. */
enum sidl_babel_lang_t {
  BABEL_LANG_UNDEF = 0,
  BABEL_LANG_C,
  BABEL_LANG_CPP,
  BABEL_LANG_F77,
  BABEL_LANG_F90,
  BABEL_LANG_PYTHON,
  BABEL_LANG_JAVA,
  BABEL_LANG_F03
};

#endif
