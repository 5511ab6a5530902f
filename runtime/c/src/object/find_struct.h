/* find_struct.h: structs by their names. */
#ifndef OBJECT_FIND_STRUCT_H
#define OBJECT_FIND_STRUCT_H

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * A struct that a method of a registered type knows, directly or within others; NULL if there is
 * none. Looks through all methods: for what is rare.
 */
const struct sidl_struct_info* find_struct(const char* name);

#pragma GCC visibility pop
#endif
