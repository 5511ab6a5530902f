/**
 * sidl_dynamic.h: classes made at run time, for bindings whose users implement objects without
 * generated code.
 *
 * Such a class implements interfaces of known types. Its EPV holds the interfaces' remote stubs,
 * which have each method's signature; all calls lead to one function, `call`. Otherwise its objects
 * are like any other: local, counted, castable, and may be passed to a server.
 *
 * Threading: every function here may be called from any thread.
 */
#ifndef SIDL_DYNAMIC_H
#define SIDL_DYNAMIC_H

#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The functions of a language for objects of its classes. Must be static, as it is compared by
 * address.
 */
struct sidl_dynamic_functions {
  /**
   * Runs `method` of the object `self` with this data. args and result as for sidl_rmi_invoke; the
   * result and out arguments are zero before. Outputs belong to the caller.
   */
  void (*call)(void* data, void* self, const struct sidl_method_info* method, void* const* args,
               void* result, struct sidl_BaseInterface__object** _ex);
  /** The object is unreferenced. May be called by any thread. */
  void (*destroy)(void* data);
};

/**
 * The class called `name` that implements the interfaces and their parents; made once for each name
 * and set of interfaces, and never freed. Use a name that no SIDL type can have. NULL with *_ex
 * set.
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
 * Adds a reference to an object known without one; false if it is being destroyed. The caller must
 * ensure that its memory is still valid: `destroy` has not returned.
 */
sidl_bool sidl_dynamic_revive(void* obj);

#ifdef __cplusplus
}
#endif
#endif
