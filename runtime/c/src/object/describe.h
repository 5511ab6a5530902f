/*
 * describe.h: describes a type in JSON, from its reflection tables, for callers without stubs.
 *
 * The form is that of sidl.rmi.Inspection.describeType (docs/sidl-tool.md).
 */
#ifndef OBJECT_DESCRIBE_H
#define OBJECT_DESCRIBE_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* A class or an interface with all its methods, and the enums and structs they use. */
char* describe_type(const struct sidl_type_info* type);

/*
 * The same for an enum or a struct that a method of any registered type uses; NULL with *found
 * false if none does. To be freed.
 */
char* describe_value_type(const char* name, bool* found);

#pragma GCC visibility pop
#endif
