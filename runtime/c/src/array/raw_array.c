/*
 * raw_array.c: arrays whose order or shape a method declares.
 */
#include "sidl_raw_array.h"

#include "array/array_core.h"
#include "object/throw.h"
#include "sidl_CastException_IOR.h"
#include "sidl_memory_space.h"

static void throw_dimen(const struct sidl__array* array, int32_t dimen, const char* what,
                        struct sidl_BaseInterface__object** _ex) {
  const int actual = array->d_dimen;
  THROW(_ex, sidl_CastException, "%s has %d dimension%s, not %d", what, actual,
        actual == 1 ? "" : "s", (int)dimen);
}

bool array_has_dimension(const struct sidl__array* array, int32_t dimen, const char* what,
                         struct sidl_BaseInterface__object** _ex) {
  if (array == NULL || array->d_dimen == dimen) return true;
  throw_dimen(array, dimen, what, _ex);
  return false;
}

struct sidl__array* sidl_array_demand(struct sidl__array* array, int32_t dimen, int32_t ordering,
                                      const char* what, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (array == NULL) return NULL;
  if (!array_has_dimension(array, dimen, what, _ex)) return NULL;
  struct any_array* const ordered = array_ensure((struct any_array*)(void*)array, dimen, ordering);
  if (ordered == NULL && sidl__array_require_host(array, what, _ex)) throw_memory(_ex);
  return (struct sidl__array*)ordered;
}

static int64_t throw_extent(int64_t extent, int32_t d, const char* what,
                            struct sidl_BaseInterface__object** _ex) {
  THROW(_ex, sidl_CastException, "%s: invalid extent: %lld elements in dimension %d", what,
        (long long)extent, (int)d + 1);
  return -1;
}

/* 0, or -1 as below: extents beside one of 0 have the same limits as others. */
static int64_t empty_count(size_t size, int32_t dimen, const int64_t* extents, const char* what,
                           struct sidl_BaseInterface__object** _ex) {
  int64_t count = 1;
  for (int32_t d = 0; d < dimen; ++d) {
    if (extents[d] == 0) continue;
    if (__builtin_mul_overflow(count, extents[d], &count) || count > PTRDIFF_MAX / (int64_t)size) {
      return throw_extent(extents[d], d, what, _ex);
    }
  }
  return 0;
}

/*
 * The number of elements, of `size` bytes, of an array with these extents; -1 with *_ex set if they
 * are not possible.
 */
static int64_t element_count(size_t size, int32_t dimen, const int64_t* extents, const char* what,
                             struct sidl_BaseInterface__object** _ex) {
  int64_t count = 1;
  for (int32_t d = 0; d < dimen; ++d) {
    if (extents[d] == SIDL_NO_EXTENT) {
      THROW(_ex, sidl_CastException, "%s: extent %d cannot be computed", what, (int)d + 1);
      return -1;
    }
    if (extents[d] < 0 || __builtin_mul_overflow(count, extents[d], &count) ||
        count > PTRDIFF_MAX / (int64_t)size) {
      return throw_extent(extents[d], d, what, _ex);
    }
  }
  return count != 0 ? count : empty_count(size, dimen, extents, what, _ex);
}

sidl_bool sidl_raw_array_open(struct sidl_raw_array* raw, void* first, enum sidl_array_type type,
                              int32_t dimen, const int64_t extents[], const char* what,
                              struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  const int64_t count =
      element_count(array_element_size(array_elements_of(type)), dimen, extents, what, _ex);
  if (count < 0) return FALSE;
  if (count > 0 && first == NULL) {
    THROW(_ex, sidl_CastException, "%s is null, but must have %lld elements", what,
          (long long)count);
    return FALSE;
  }
  int64_t* const lower = raw->d_bounds;
  int64_t* const upper = lower + dimen;
  int64_t* const stride = upper + dimen;
  int64_t step = 1;
  for (int32_t d = 0; d < dimen; ++d) {
    lower[d] = 0;
    upper[d] = extents[d] - 1;
    stride[d] = step;
    step *= extents[d];
  }
  array_init(array_elements_of(type), first, (struct any_array*)(void*)raw, dimen, lower, upper,
             stride);
  return TRUE;
}

static bool has_lengths(const struct sidl__array* array, int32_t dimen, const int64_t* extents) {
  for (int32_t d = 0; d < dimen; ++d) {
    if (sidl__array_length64(array, d) != extents[d]) return false;
  }
  return array == NULL || array->d_dimen == dimen;
}

static void throw_shape(const struct sidl__array* array, int32_t dimen, const int64_t* extents,
                        const char* what, struct sidl_BaseInterface__object** _ex) {
  if (array != NULL && array->d_dimen != dimen) {
    throw_dimen(array, dimen, what, _ex);
    return;
  }
  int32_t d = 0;
  while (d + 1 < dimen && sidl__array_length64(array, d) == extents[d]) ++d;
  if (extents[d] == SIDL_NO_EXTENT) {
    THROW(_ex, sidl_CastException, "%s: extent %d cannot be computed", what, (int)d + 1);
    return;
  }
  if (array == NULL) {
    THROW(_ex, sidl_CastException, "%s is null, but must have %lld elements in dimension %d", what,
          (long long)extents[d], (int)d + 1);
    return;
  }
  THROW(_ex, sidl_CastException, "%s has %lld elements in dimension %d, not %lld", what,
        (long long)sidl__array_length64(array, d), (int)d + 1, (long long)extents[d]);
}

void sidl_raw_array_close(struct sidl_raw_array* raw, struct sidl__array* array, const char* what,
                          struct sidl_BaseInterface__object** _ex) {
  struct any_array* const own = (struct any_array*)(void*)raw;
  int64_t extents[SIDL_MAX_ARRAY_DIMENSION];
  if (array == &raw->d_metadata) return;
  const int32_t dimen = raw->d_metadata.d_dimen;
  for (int32_t d = 0; d < dimen; ++d) extents[d] = sidl__array_length64(&raw->d_metadata, d);
  if (!has_lengths(array, dimen, extents)) {
    if (*_ex == NULL) throw_shape(array, dimen, extents, what, _ex);
  } else if (array != NULL) {
    /* a copy may have other lower bounds; elements correspond by position, not by index */
    struct sidl_raw_array moved;
    const struct any_array* const from = (const struct any_array*)(const void*)array;
    struct any_array* const view = (struct any_array*)(void*)&moved;
    array_init(array_elements(from), from->first, view, dimen, own->meta.d_lower, own->meta.d_upper,
               array->d_stride);
    view->meta.d_space = array->d_space;
    const bool ok = array_copy(view, own);
    if (!ok && *_ex == NULL && sidl__array_require_host(&view->meta, what, _ex)) throw_memory(_ex);
  }
  sidl__array_deleteRef(array);
}

struct sidl__array* sidl_raw_array_accept(struct sidl__array* array, int32_t dimen,
                                          const int64_t extents[], const char* what,
                                          struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (!has_lengths(array, dimen, extents)) {
    throw_shape(array, dimen, extents, what, _ex);
    return NULL;
  }
  if (!sidl__array_require_host(array, what, _ex)) return NULL;
  return sidl_array_demand(array, dimen, sidl_column_major_order, what, _ex);
}

void sidl_extent_check(int64_t value, int64_t limit, const char* what,
                       struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (value == SIDL_NO_EXTENT || value > limit || value < -limit) {
    THROW(_ex, sidl_CastException,
          "the lengths of the arrays are inconsistent: there is no value for %s", what);
  }
}
