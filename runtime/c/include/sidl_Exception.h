/**
 * sidl_Exception.h: throwing, passing on and catching SIDL exceptions in C.
 *
 * Every C function of a SIDL method ends with `sidl_BaseInterface* _ex`, where NULL means success.
 * The macros need a label EXIT in the function they are used in:
 *
 *     void impl_demo_Solver_run(demo_Solver self, sidl_BaseInterface* _ex)
 *     {
 *       *_ex = NULL;
 *       demo_Solver_step(self, _ex); SIDL_CHECK(*_ex);
 *       if (bad) SIDL_THROW(*_ex, sidl_SIDLException, "does not converge");
 *     EXIT:
 *       return;
 *     }
 *
 * An exception variable owns a reference. It may be of any class or interface type.
 */
#ifndef SIDL_EXCEPTION_H
#define SIDL_EXCEPTION_H

#include <stddef.h>

#include "sidlType.h"
#include "sidl_misc.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_BaseInterface__object;

/** Name of the current function in traces; Impl files redefine it for each method. */
#ifndef __FUNC__
#define __FUNC__ __func__
#endif

/** Adds a place to the trace of `ex`. Nothing happens if ex is NULL. */
void sidl_update_exception(struct sidl_BaseInterface__object* ex, const char* filename,
                           int32_t line, const char* funcname);

/** Prints class, note and trace of `ex` on standard error. Nothing happens if ex is NULL. */
void sidl_report_exception(struct sidl_BaseInterface__object* ex);

/** True when the exception is of the type called `sidl_Name` ("pkg.Type"). */
int SIDL_CATCH(struct sidl_BaseInterface__object* ex_var, const char* sidl_Name);

/**
 * What SIDL_THROW does: gives the new exception `created` its note and first trace line and returns
 * it; returns `failure` if there is none because creating it failed.
 */
struct sidl_BaseInterface__object* sidl_prepare_exception(
    void* created, struct sidl_BaseInterface__object* failure, const char* note,
    const char* filename, int32_t line, const char* funcname);

/** Drops the reference to an exception. Nothing happens if ex is NULL. */
void sidl_release_exception(void* ex);

/** Sets EX_VAR to a new exception of class EX_CLS (C name) with the note MSG; jumps to EXIT. */
#define SIDL_THROW(EX_VAR, EX_CLS, MSG)                                                          \
  do {                                                                                           \
    if ((EX_VAR) == NULL) {                                                                      \
      struct sidl_BaseInterface__object* _sidl_failure = NULL;                                   \
      void* const _sidl_created = EX_CLS##__create(&_sidl_failure);                              \
      (EX_VAR) = sidl_prepare_exception(_sidl_created, _sidl_failure, (MSG), __FILE__, __LINE__, \
                                        __FUNC__);                                               \
    }                                                                                            \
    goto EXIT;                                                                                   \
  } while (0)

/** If EX_VAR holds an exception, adds this place to its trace and jumps to EXIT. */
#define SIDL_CHECK(EX_VAR)                                                                    \
  do {                                                                                        \
    if ((EX_VAR) != NULL) {                                                                   \
      sidl_update_exception((struct sidl_BaseInterface__object*)(EX_VAR), __FILE__, __LINE__, \
                            __FUNC__);                                                        \
      goto EXIT;                                                                              \
    }                                                                                         \
  } while (0)

/** As SIDL_CHECK, but prints the exception before jumping to EXIT. */
#define SIDL_REPORT(EX_VAR)                                                                   \
  do {                                                                                        \
    if ((EX_VAR) != NULL) {                                                                   \
      sidl_update_exception((struct sidl_BaseInterface__object*)(EX_VAR), __FILE__, __LINE__, \
                            __FUNC__);                                                        \
      sidl_report_exception((struct sidl_BaseInterface__object*)(EX_VAR));                    \
      goto EXIT;                                                                              \
    }                                                                                         \
  } while (0)

/** Drops the exception and sets EX_VAR to NULL. */
#define SIDL_CLEAR(EX_VAR)                     \
  do {                                         \
    if ((EX_VAR) != NULL) {                    \
      sidl_release_exception((void*)(EX_VAR)); \
      (EX_VAR) = NULL;                         \
    }                                          \
  } while (0)

#ifdef __cplusplus
}
#endif

/* the classes that are thrown most */
#include "sidl_BaseException.h"
#include "sidl_CastException.h"
#include "sidl_MemAllocException.h"
#include "sidl_NotImplementedException.h"
#include "sidl_RuntimeException.h"
#include "sidl_SIDLException.h"

#endif
