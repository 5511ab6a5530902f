/* Pythons that a process has and that are not the one Shinar was built with: other_python.c. */
#ifndef SHINAR_OTHER_PYTHON_H
#define SHINAR_OTHER_PYTHON_H

#include "sidl_python.h"

/* The Python whose functions the process has at hand lacks some that are needed; says so: FALSE. */
sidl_bool sidl_python_lacks(const char* function);

/* May libsidl_python load Python? Not beside another one; says which. */
sidl_bool sidl_python_may_load(void);

/*
 * May libsidl_python start the Python whose functions the process has at hand? Its structures must
 * be those that this library was compiled with; says which it is.
 */
sidl_bool sidl_python_may_start(void);

#endif
