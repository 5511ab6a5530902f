/*
 * value.h: values of any SIDL type, described by struct sidl_type_ref.
 *
 * A value is the content of a C variable of the type: a number, a string or array pointer, an
 * object pointer with a reference, a struct.
 */
#ifndef ARRAY_VALUE_H
#define ARRAY_VALUE_H

#include <stdbool.h>
#include <string.h>

#include "sidlArray.h"
#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

extern const uint8_t value_sizes[]; /* by kind; of structs, and arrays in structs: 0 */

/* Bytes of an array that lies in a struct. */
size_t inline_size(const struct sidl_type_ref* type);

/* Bytes of a variable of the type. */
static inline size_t value_size(const struct sidl_type_ref* type) {
  if (type->kind == sidl_kind_struct) return type->structure->size;
  return type->kind == sidl_kind_inline ? inline_size(type) : value_sizes[type->kind];
}

/* Computes sidl_struct_info.kinds for a table that does not have it. */
uint32_t struct_kinds_of_members(const struct sidl_struct_info* info);
static inline uint32_t struct_kinds(const struct sidl_struct_info* info) {
  return SIDL_TABLE_HAS(info, kinds) ? info->extension->kinds : struct_kinds_of_members(info);
}

/* Kinds of values that may own something. */
enum {
  OWNING_KINDS = SIDL_KIND_BIT(sidl_kind_string) | SIDL_KIND_BIT(sidl_kind_struct) |
                 SIDL_KIND_BIT(sidl_kind_interface) | SIDL_KIND_BIT(sidl_kind_class) |
                 SIDL_KIND_BIT(sidl_kind_array) | SIDL_KIND_BIT(sidl_kind_rarray)
};

/* Whether the members own nothing, so that a copy of the bytes is a copy of the struct. */
bool struct_is_plain(const struct sidl_struct_info* info);

/* Frees what `count` structs own, which are `step` bytes apart and not used any more. */
void structs_destroy(const struct sidl_struct_info* info, void* first, size_t step, size_t count);

/* Makes *to, which is a struct already, a copy of *from. False if memory is exhausted; *to then is
 * as it was. */
bool struct_assign(const struct sidl_struct_info* info, const void* from, void* to);

/* Whether values of one description are of the other, too: libraries have tables of their own. */
bool struct_is_same(const struct sidl_struct_info* a, const struct sidl_struct_info* b);

/* Zeroes a variable that owns nothing. */
static inline void value_clear(const struct sidl_type_ref* type, void* value) {
  const size_t size = value_size(type);
  if (size == 8) {
    memset(value, 0, 8); /* one store, and the usual case */
  } else {
    memset(value, 0, size);
  }
}

/* Frees or releases what the value owns and sets it to zero. */
void value_destroy(const struct sidl_type_ref* type, void* value);

/* The same for a variable that is not used any more: numbers and enums stay as they are. */
static inline void value_release(const struct sidl_type_ref* type, void* value) {
  if (type->kind == sidl_kind_array) {
    sidl__array_deleteRef(*(struct sidl__array**)value);
    *(struct sidl__array**)value = NULL;
  } else if ((OWNING_KINDS & SIDL_KIND_BIT(type->kind)) != 0)
    value_destroy(type, value);
}

/* Moves the value; *from becomes zero. */
void value_move(const struct sidl_type_ref* type, void* from, void* to);

/* Deep copy, except that objects and raw memory are shared; false, and *to zero, if memory is
 * exhausted. */
bool value_copy(const struct sidl_type_ref* type, const void* from, void* to);

#pragma GCC visibility pop
#endif
