/**
 * sidl_python.h: what the entry of a class that is implemented in Python calls.
 */
#ifndef SIDL_PYTHON_H
#define SIDL_PYTHON_H

#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The class `name` ("demo.Solver") of the package `top` ("demo"), from the extension module
 * <top>._server; NULL, with the reason on standard error, if Python cannot provide it.
 *
 * Works in every program: where there is no Python yet, an interpreter is started, which stays to
 * the end of the program. The extension module is the one beside the library that holds the address
 * `near`, if there is one; modules are looked for where Python looks, and in the folder of that
 * library. May be called from any thread.
 */
struct sidl_class* sidl_python_class(const char* top, const char* name, const void* near);

#ifdef __cplusplus
}
#endif
#endif
