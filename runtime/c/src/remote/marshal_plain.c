/*
 * marshal_plain.c: arrays of structs that own nothing, whose bytes are sent from where they lie,
 * and stay where they are received.
 */
#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "array/value.h"
#include "object/throw.h"
#include "remote/marshal_array.h"
#include "remote/record_rows.h"
#include "sidl_memory_space.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_struct_array.h"

typedef struct sidl_BaseInterface__object* exception;

/* ---- the layout, on which both ends must agree before they read a byte --------------------------
 */

static uint64_t mix(uint64_t digest, uint64_t value) {
  const uint64_t prime = UINT64_C(0x100000001b3); /* FNV-1a */
  for (int i = 0; i < 8; ++i) digest = (digest ^ (uint8_t)(value >> 8 * i)) * prime;
  return digest;
}

/* Of an array in a struct also that of its elements, and its lengths. */
static uint64_t add_kind(const struct sidl_type_ref* type, uint64_t digest) {
  digest = mix(digest, type->kind);
  if (type->kind != sidl_kind_inline) return digest;
  digest = mix(mix(digest, type->element), type->dimension);
  for (int d = 0; d < type->dimension; ++d) digest = mix(digest, (uint64_t)type->lengths[d]);
  return digest;
}

/* Where members of which kinds lie, of structs within the struct, too. */
static uint64_t add_layout(const struct sidl_struct_info* info, size_t offset, uint64_t digest) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    if (member->type.kind == sidl_kind_struct) {
      digest = add_layout(member->type.structure, offset + member->offset, digest);
    } else {
      digest = mix(add_kind(&member->type, digest), offset + member->offset);
    }
  }
  return mix(digest, info->size);
}

/* Of which kinds numbers and strings are: rows have no gaps, wherever members lie in memory. */
static uint64_t add_kinds(const struct sidl_struct_info* info, uint64_t digest) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    const bool is_number = (OWNING_KINDS & SIDL_KIND_BIT(type->kind)) == 0;
    if (type->kind == sidl_kind_struct) {
      digest = add_kinds(type->structure, digest);
    } else if (is_number || type->kind == sidl_kind_string) {
      digest = add_kind(type, digest);
    }
  }
  return digest;
}

int64_t sidl_struct_layout_digest(const struct sidl_struct_info* structure) {
  const uint64_t begin = UINT64_C(0xcbf29ce484222325);
  return (int64_t)(struct_is_plain(structure) ? add_layout(structure, 0, begin)
                                              : add_kinds(structure, begin));
}

bool marshal_refuse_layout(const char* key, const struct sidl_struct_info* structure,
                           exception* _ex) {
  THROW(_ex, sidl_rmi_ProtocolException, "%s: struct %s has another layout at the other end", key,
        structure->name);
  return false;
}

/* ---- out ----------------------------------------------------------------------------------------
 */

static bool is_dense(const struct sidl__array* array) {
  return sidl__array_isColumnOrder(array) || sidl__array_isRowOrder(array);
}

/* Elements are sent in column order unless they lie in row order. */
static int32_t order_of(const struct sidl__array* array) {
  const bool is_row = sidl__array_isRowOrder(array) && !sidl__array_isColumnOrder(array);
  return is_row ? sidl_row_major_order : sidl_column_major_order;
}

/*
 * A view of the bytes of all elements: in one dimension if they are dense, else with a first one
 * for those of an element. NULL if memory is exhausted.
 */
static struct any_array* bytes_of(struct sidl__array* array) {
  const int64_t size = (int64_t)array->d_struct->size;
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION] = {0};
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION] = {size - 1};
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION] = {1};
  int32_t dimen = 1;
  if (is_dense(array)) {
    upper[0] = size * (int64_t)sidl__array_element_count(array) - 1;
  } else {
    for (; dimen <= array->d_dimen; ++dimen) {
      upper[dimen] = array->d_upper[dimen - 1] - array->d_lower[dimen - 1];
      stride[dimen] = size * array->d_stride[dimen - 1];
    }
  }
  const struct array_source nobody = {NULL, NULL};
  return array_borrow_in(array->d_space, array_elements_of(sidl_char_array),
                         sidl__array_address(array), dimen, lower, upper, stride, nobody);
}

/*
 * The same, to be sent with these flags. What lies between members never leaves the process; copied
 * are also structs that have more dimensions than such a view.
 */
static struct any_array* bytes_to_send(struct sidl__array* array, int32_t* order, uint8_t* flags) {
  const struct sidl_struct_info* const structure = array->d_struct;
  const bool has_room = array->d_dimen < SIDL_MAX_ARRAY_DIMENSION || is_dense(array);
  *flags = 0;
  *order = order_of(array);
  if (has_room && !struct_has_gaps(structure)) return bytes_of(array);
  *flags = sidl_ref_made;
  *order = sidl_column_major_order;
  struct sidl__array* const here = sidl__array_in(NULL, array);
  if (here == NULL) return NULL;
  struct sidl__array* const images = struct_images(structure, here);
  sidl__array_deleteRef(here);
  return (struct any_array*)(void*)images;
}

bool marshal_put_plain(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                       struct sidl__array* array, exception* _ex) {
  const int64_t layout = sidl_struct_layout_digest(type->structure);
  int32_t order = 0;
  uint8_t flags = 0;
  struct any_array* const bytes = bytes_to_send(array, &order, &flags);
  if (bytes == NULL) {
    throw_memory(_ex);
    return false;
  }
  const bool ok = marshal_put_part(sink, key, "layout", sidl_kind_long, &layout, _ex) &&
                  marshal_put_part(sink, key, "order", sidl_kind_int, &order, _ex) &&
                  marshal_put_chars(sink, key, "bytes", &bytes->meta, flags, _ex);
  sidl__array_deleteRef(&bytes->meta);
  return ok;
}

/* ---- in -----------------------------------------------------------------------------------------
 */

static void release_bytes(void* bytes) {
  sidl__array_deleteRef(bytes);
}

/* An array over the bytes, whose reference it takes over; a copy if they are not aligned. */
static struct sidl__array* settle(const struct sidl_struct_info* structure,
                                  const struct marshal_shape* shape, int32_t order,
                                  struct sidl__array* bytes) {
  void* const first = sidl__array_first(bytes);
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION];
  marshal_dense_strides(shape, order, stride);
  if ((uintptr_t)first % _Alignof(max_align_t) == 0) {
    return sidl_struct__array_borrow_owned(structure, first, shape->dimen, shape->lower,
                                           shape->upper, stride, release_bytes, bytes);
  }
  struct sidl__array* const copy =
      sidl_struct__array_create(structure, order, shape->dimen, shape->lower, shape->upper);
  if (copy == NULL) return NULL;
  memcpy(sidl__array_first(copy), first, (size_t)shape->count * structure->size);
  sidl__array_deleteRef(bytes);
  return copy;
}

/* Makes all bools in `count` structs 0 or 1. Any number that is not zero is true in C, where they
 * come from, but not in other languages. */
static void settle_bools(const struct sidl_struct_info* structure, char* first, size_t step,
                         int64_t count) {
  for (int32_t i = 0; i < structure->member_count; ++i) {
    const struct sidl_type_ref* const type = &structure->members[i].type;
    char* at = first + structure->members[i].offset;
    if (type->kind == sidl_kind_struct) settle_bools(type->structure, at, step, count);
    if (type->kind != sidl_kind_bool) continue;
    for (int64_t n = 0; n < count; ++n, at += step) {
      sidl_bool* const value = (sidl_bool*)(void*)at;
      if ((*value & ~1) != 0) *value = 1;
    }
  }
}

/* Reads what precedes the bytes, and them; false with *_ex set if they cannot be such an array. */
static bool get_parts(struct sidl_source* source, const char* key,
                      const struct sidl_struct_info* structure, const struct marshal_shape* shape,
                      int32_t* order, struct sidl__array** bytes, exception* _ex) {
  int64_t layout = 0;
  int64_t size = 0;
  if (!marshal_get_part(source, key, "layout", sidl_kind_long, &layout, _ex)) return false;
  if (layout != sidl_struct_layout_digest(structure)) {
    return marshal_refuse_layout(key, structure, _ex);
  }
  if (!marshal_get_part(source, key, "order", sidl_kind_int, order, _ex)) return false;
  if (!marshal_get_chars(source, key, "bytes", bytes, _ex)) return false;
  const bool fits = (*order == sidl_row_major_order || *order == sidl_column_major_order) &&
                    !__builtin_mul_overflow(shape->count, (int64_t)structure->size, &size) &&
                    sidl__array_element_count(*bytes) == (size_t)size;
  if (fits) return true;
  THROW(_ex, sidl_rmi_ProtocolException, "%s: %zu bytes are not the %lld structs announced", key,
        sidl__array_element_count(*bytes), (long long)shape->count);
  sidl__array_deleteRef(*bytes);
  return false;
}

struct sidl__array* marshal_get_plain(struct sidl_source* source, const char* key,
                                      const struct sidl_type_ref* type,
                                      const struct marshal_shape* shape, exception* _ex) {
  struct sidl__array* bytes = NULL;
  int32_t order = 0;
  if (!get_parts(source, key, type->structure, shape, &order, &bytes, _ex)) return NULL;
  struct sidl__array* const array = settle(type->structure, shape, order, bytes);
  if (array != NULL) {
    settle_bools(type->structure, sidl__array_first(array), type->structure->size, shape->count);
    return array;
  }
  throw_memory(_ex);
  sidl__array_deleteRef(bytes);
  return NULL;
}
