/*
 * dynamic.h: classes made at run time, as needed within libsidl.
 */
#ifndef OBJECT_DYNAMIC_H
#define OBJECT_DYNAMIC_H

#include <stdbool.h>

#include "sidl_dynamic.h"

#pragma GCC visibility push(hidden)

/* The functions of a class, or of the object's class; NULL if it was not made at run time. */
const struct sidl_dynamic_functions* dynamic_class_functions(const struct sidl_class* class);
const struct sidl_dynamic_functions* dynamic_functions(const void* obj);

/* The address of the object's data pointer; its class must have been made at run time. */
void** dynamic_data(const void* obj);

/*
 * A class of `type` that calls `functions` for what it does not inherit from `parent`, which must
 * be ready. It is not ready itself: see class_finish. NULL if memory is exhausted.
 */
struct sidl_class* dynamic_class_create(const struct sidl_type_info* type,
                                        struct sidl_class* parent,
                                        const struct sidl_dynamic_functions* functions);

#pragma GCC visibility pop
#endif
