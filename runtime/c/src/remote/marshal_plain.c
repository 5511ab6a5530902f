/*
 * marshal_plain.c: arrays of structs that own nothing, whose bytes are sent from where they lie,
 * and stay where they are received.
 */
#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "object/throw.h"
#include "remote/marshal_array.h"
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

/* Where members of which kinds lie, of structs within the struct, too. */
static uint64_t add_layout(const struct sidl_struct_info* info, size_t offset, uint64_t digest) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    if (member->type.kind == sidl_kind_struct) {
      digest = add_layout(member->type.structure, offset + member->offset, digest);
    } else {
      digest = mix(mix(digest, member->type.kind), offset + member->offset);
    }
  }
  return mix(digest, info->size);
}

int64_t sidl_struct_layout_digest(const struct sidl_struct_info* structure) {
  return (int64_t)add_layout(structure, 0, UINT64_C(0xcbf29ce484222325));
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

static struct sidl_type_ref bytes_type(int32_t dimen) {
  const struct sidl_type_ref type = {.kind = sidl_kind_array,
                                     .element = sidl_kind_char,
                                     .dimension = (uint8_t)dimen,
                                     .order = sidl_column_major_order};
  return type;
}

static bool put_bytes(struct sidl_sink* sink, const char* key, struct sidl__array* array,
                      exception* _ex) {
  const bool keyed = sink->functions->wants_keys;
  struct any_array* const bytes = bytes_of(array);
  if (bytes == NULL) {
    throw_memory(_ex);
    return false;
  }
  char buffer[MARSHAL_KEY_BUFFER];
  const struct sidl_type_ref type = bytes_type(bytes->meta.d_dimen);
  const char* const name = keyed ? marshal_key(buffer, true, key, "bytes", _ex) : key;
  const bool ok = name != NULL && marshal_put_array(sink, name, &type, &bytes->meta, _ex);
  marshal_key_free(buffer, keyed, name);
  sidl__array_deleteRef(&bytes->meta);
  return ok;
}

bool marshal_put_plain(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                       struct sidl__array* array, exception* _ex) {
  const int64_t layout = sidl_struct_layout_digest(type->structure);
  const int32_t order = order_of(array);
  const bool has_room = array->d_dimen < SIDL_MAX_ARRAY_DIMENSION || is_dense(array);
  struct sidl__array* const sent =
      has_room ? array : sidl__array_ensure(array, array->d_dimen, sidl_column_major_order);
  if (sent == NULL) {
    throw_memory(_ex);
    return false;
  }
  const bool ok = marshal_put_part(sink, key, "layout", sidl_kind_long, &layout, _ex) &&
                  marshal_put_part(sink, key, "order", sidl_kind_int, &order, _ex) &&
                  put_bytes(sink, key, sent, _ex);
  if (sent != array) sidl__array_deleteRef(sent);
  return ok;
}

/* ---- in -----------------------------------------------------------------------------------------
 */

static bool get_bytes(struct sidl_source* source, const char* key, struct sidl__array** bytes,
                      exception* _ex) {
  const bool keyed = source->functions->wants_keys;
  char buffer[MARSHAL_KEY_BUFFER];
  const struct sidl_type_ref type = bytes_type(0);
  const char* const name = keyed ? marshal_key(buffer, true, key, "bytes", _ex) : key;
  const bool ok = name != NULL && marshal_get_array(source, name, &type, bytes, _ex);
  marshal_key_free(buffer, keyed, name);
  return ok;
}

static void release_bytes(void* bytes) {
  sidl__array_deleteRef(bytes);
}

/* An array over the bytes, whose reference it takes over; a copy if they are not aligned. */
static struct sidl__array* settle(const struct sidl_struct_info* structure,
                                  const struct marshal_shape* shape, int32_t order,
                                  struct sidl__array* bytes) {
  void* const first = sidl__array_first(bytes);
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION];
  int64_t count = 1;
  for (int32_t i = 0; i < shape->dimen; ++i) {
    const int32_t d = order == sidl_row_major_order ? shape->dimen - 1 - i : i;
    stride[d] = count;
    count *= shape->upper[d] - shape->lower[d] + 1;
  }
  if ((uintptr_t)first % _Alignof(max_align_t) == 0) {
    return sidl_struct__array_borrow_owned(structure, first, shape->dimen, shape->lower,
                                           shape->upper, stride, release_bytes, bytes);
  }
  struct sidl__array* const copy =
      sidl_struct__array_create(structure, order, shape->dimen, shape->lower, shape->upper);
  if (copy == NULL) return NULL;
  memcpy(sidl__array_first(copy), first, (size_t)count * structure->size);
  sidl__array_deleteRef(bytes);
  return copy;
}

/* Reads what precedes the bytes, and them; false with *_ex set if they cannot be such an array. */
static bool get_parts(struct sidl_source* source, const char* key,
                      const struct sidl_struct_info* structure, const struct marshal_shape* shape,
                      int32_t* order, struct sidl__array** bytes, exception* _ex) {
  int64_t layout = 0;
  int64_t size = 0;
  if (!marshal_get_part(source, key, "layout", sidl_kind_long, &layout, _ex)) return false;
  if (layout != sidl_struct_layout_digest(structure)) {
    THROW(_ex, sidl_rmi_ProtocolException, "%s: struct %s has another layout at the other end", key,
          structure->name);
    return false;
  }
  if (!marshal_get_part(source, key, "order", sidl_kind_int, order, _ex)) return false;
  if (!get_bytes(source, key, bytes, _ex)) return false;
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
  if (array != NULL) return array;
  throw_memory(_ex);
  sidl__array_deleteRef(bytes);
  return NULL;
}
