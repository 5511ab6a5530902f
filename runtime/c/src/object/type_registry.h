/* type_registry.h: all types this process knows. */
#ifndef OBJECT_TYPE_REGISTRY_H
#define OBJECT_TYPE_REGISTRY_H

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* Calls `visit` for each registered type; types registered meanwhile may be missed. */
void type_registry_each(void (*visit)(const struct sidl_type_info* type, void* data), void* data);

#pragma GCC visibility pop
#endif
