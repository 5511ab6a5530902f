/*
 * value.h: values of any SIDL type, described by struct sidl_type_ref.
 *
 * A value is what a C variable of the type holds: a number, a string or array pointer, an object
 * pointer with a reference, a struct.
 */
#ifndef ARRAY_VALUE_H
#define ARRAY_VALUE_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* Bytes of a variable of the type. */
size_t value_size(const struct sidl_type_ref* type);

/* Frees or gives back what the value owns and sets it to zero. */
void value_destroy(const struct sidl_type_ref* type, void* value);

/* Hands the value over; *from is zero then. */
void value_move(const struct sidl_type_ref* type, void* from, void* to);

/* Deep copy, except that objects and raw memory are shared; false, and *to zero, if memory is
 * exhausted. */
bool value_copy(const struct sidl_type_ref* type, const void* from, void* to);

#pragma GCC visibility pop
#endif
