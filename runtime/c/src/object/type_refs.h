/*
 * type_refs.h: what is the same for all descriptions of types, as sidl_ior.h has them.
 */
#ifndef OBJECT_TYPE_REFS_H
#define OBJECT_TYPE_REFS_H

#include <stdbool.h>
#include <string.h>

#include "sidl_ior.h"

/* Kinds of arrays, also of those that only structs have. */
enum {
  ARRAY_KINDS = SIDL_KIND_BIT(sidl_kind_array) | SIDL_KIND_BIT(sidl_kind_rarray) |
                SIDL_KIND_BIT(sidl_kind_inline)
};

static inline bool is_array_kind(uint8_t kind) {
  return (ARRAY_KINDS & SIDL_KIND_BIT(kind)) != 0;
}

/* Of two arrays that lie in structs, and have the same dimension. */
static inline bool has_same_lengths(const struct sidl_type_ref* a, const struct sidl_type_ref* b) {
  return memcmp(a->lengths, b->lengths, a->dimension * sizeof *a->lengths) == 0;
}

#endif
