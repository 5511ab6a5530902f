/* dynamic.h: what libsidl's inside needs of classes that are made at run time. */
#ifndef OBJECT_DYNAMIC_H
#define OBJECT_DYNAMIC_H

#include <stdbool.h>

#include "sidl_dynamic.h"

#pragma GCC visibility push(hidden)

/* The functions of a class, or of the object's class; NULL if it was not made at run time. */
const struct sidl_dynamic_functions* dynamic_class_functions(const struct sidl_class* class);
const struct sidl_dynamic_functions* dynamic_functions(const void* obj);

/* Where the object's data is; its class was made at run time. */
void** dynamic_data(const void* obj);

/*
 * A class of `type` that calls `functions` for what it does not inherit from `parent`, which is
 * ready. It is not ready itself yet: see class_finish. NULL: no memory.
 */
struct sidl_class* dynamic_class_create(const struct sidl_type_info* type,
                                        struct sidl_class* parent,
                                        const struct sidl_dynamic_functions* functions);

#pragma GCC visibility pop
#endif
