/*
 * Detects Pythons in the process other than the one Shinar was built with: other_python.c.
 */
#ifndef SHINAR_OTHER_PYTHON_H
#define SHINAR_OTHER_PYTHON_H

#include "sidl_python.h"

/* Reports that the Python in the process lacks a needed function; returns FALSE. */
sidl_bool sidl_python_lacks(const char* function);

/* Whether libsidl_python may load Python: not if there is another one, which is reported. */
sidl_bool sidl_python_may_load(void);

/*
 * Whether libsidl_python may start the Python in the process. Its structures must be those this
 * library was compiled for; reports its version if not.
 */
sidl_bool sidl_python_may_start(void);

#endif
