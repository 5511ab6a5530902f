/**
 * sidl_python.h: called by the entry point of a class implemented in Python.
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
 * Works in every program: if there is no Python yet, an interpreter is started, which runs to the
 * end of the program. The extension module is the one next to the library that contains the address
 * `near`, if any; modules are searched on Python's path and in the folder of that library. May be
 * called from any thread.
 */
struct sidl_class* sidl_python_class(const char* top, const char* name, const void* near);

#ifdef __cplusplus
}
#endif
#endif
