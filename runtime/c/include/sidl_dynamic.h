/**
 * sidl_dynamic.h: classes that are made at run time, for bindings whose users write objects without
 * generated code.
 *
 * Such a class implements interfaces whose types are known. Its EPV holds the interfaces' remote
 * stubs, which have each method's signature; what they are called with comes to one function,
 * `call`. To everybody else its objects are like any other: local, counted, castable, fit to be
 * lent to a server.
 *
 * Threading: every function here may be called from any thread.
 */
#ifndef SIDL_DYNAMIC_H
#define SIDL_DYNAMIC_H

#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a language does for the objects of its classes. Static: it is compared by address. */
struct sidl_dynamic_functions {
  /**
   * Runs `method` for the object `self` with this data. args and result are as sidl_rmi_invoke gets
   * them; the result and out arguments are zero. What comes out belongs to the caller.
   */
  void (*call)(void* data, void* self, const struct sidl_method_info* method, void* const* args,
               void* result, struct sidl_BaseInterface__object** _ex);
  /** The object ends: nothing refers to it any more. May be called by any thread. */
  void (*destroy)(void* data);
};

/**
 * The class called `name` that implements the interfaces and their parents; made once for each name
 * and set of interfaces, and never freed. A name that no SIDL type can have keeps it apart from
 * those. NULL: *_ex is set.
 */
const struct sidl_class* sidl_dynamic_class(const char* name,
                                            const struct sidl_type_info* const* interfaces,
                                            size_t count,
                                            const struct sidl_dynamic_functions* functions,
                                            struct sidl_BaseInterface__object** _ex);

/** A new object of such a class, with a reference for the caller; takes `data` over. */
void* sidl_dynamic_create(const struct sidl_class* type, void* data,
                          struct sidl_BaseInterface__object** _ex);

/** The data of an object whose class was made with these functions; else NULL. */
void* sidl_dynamic_data(const void* obj, const struct sidl_dynamic_functions* functions);

/**
 * Takes a reference to an object that is known without one; false if it is ending. The caller sees
 * to it that its memory is still there: `destroy` has not returned.
 */
sidl_bool sidl_dynamic_revive(void* obj);

#ifdef __cplusplus
}
#endif
#endif
