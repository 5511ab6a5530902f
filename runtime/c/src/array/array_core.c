#include "array/array_core.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array/memory_space.h"
#include "array/value.h"
#include "base/atomic.h"
#include "base/reference.h"
#include "sidl_String.h"

/* Data of arrays at least this large begins on a cache line. */
enum { LARGE_BYTES = 4096, LARGE_ALIGNMENT = 64, SMALL_ALIGNMENT = 16 };

struct element_traits {
  size_t size;                        /* 0: the struct's */
  bool is_pointer;                    /* null at first */
  struct sidl__array_vtable counted;  /* keeps its data alive */
  struct sidl__array_vtable borrowed; /* the data is the caller's business */
  struct sidl__array_vtable init;     /* the struct is the caller's business too */
};

static void destroy_counted(struct sidl__array* array);
static void destroy_borrowed(struct sidl__array* array);
static void destroy_nothing(struct sidl__array* array);
static struct sidl__array* share(struct sidl__array* array);

#define ELEMENT_TYPE(name, size, pointer)                         \
  {                                                               \
    size, pointer, {destroy_counted, share, type_##name},         \
        {destroy_borrowed, array_smart_duplicate, type_##name}, { \
      destroy_nothing, array_smart_duplicate, type_##name         \
    }                                                             \
  }
#define TYPE_FUNCTION(name)          \
  static int32_t type_##name(void) { \
    return sidl_##name##_array;      \
  }

#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) TYPE_FUNCTION(name)
#include "sidl_kinds.def"
TYPE_FUNCTION(interface)
TYPE_FUNCTION(struct)

static const struct element_traits types[] = {
#define SIDL_NUMBER(name, kind, array, ctype, Name, numpy) \
  [array] = ELEMENT_TYPE(name, sizeof(ctype), false),
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) \
  [array] = ELEMENT_TYPE(name, sizeof(ctype), sizeof(ctype) == sizeof(void*)),
#include "sidl_kinds.def"
    [sidl_interface_array] = ELEMENT_TYPE(interface, sizeof(void*), true),
    [sidl_struct_array] = ELEMENT_TYPE(struct, 0, false),
};

bool array_is_type(int32_t type) {
  switch (type) {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) case array:
#include "sidl_kinds.def"
    case sidl_interface_array:
      return true;
    default:
      return false;
  }
}

const struct sidl__array_vtable* array_counted_vtable(enum sidl_array_type type) {
  return &types[type].counted;
}

size_t array_element_size(struct element_type of) {
  return of.structure != NULL ? of.structure->size : types[of.type].size;
}

void array_elements_destroy(struct element_type of, void* first, size_t count) {
  void** const elements = first;
  if (of.type == sidl_string_array) {
    for (size_t i = 0; i < count; ++i) sidl_String_free(elements[i]);
  } else if (of.type == sidl_interface_array) {
    for (size_t i = 0; i < count; ++i) reference_drop(elements[i]);
  } else if (of.structure != NULL && !struct_is_plain(of.structure)) {
    structs_destroy(of.structure, first, of.structure->size, count);
  }
}

/* Whether elements own something, so that a new array's have to be null. */
static bool begin_as_null(struct element_type of) {
  return of.structure != NULL ? !struct_is_plain(of.structure) : types[of.type].is_pointer;
}

static bool has_bounds(int32_t dimen, const int64_t* lower, const int64_t* upper) {
  return dimen >= 1 && dimen <= SIDL_MAX_ARRAY_DIMENSION && lower != NULL && upper != NULL;
}

/* What a small array costs is counted in instructions: calls of its parts would be a fifth of it.
 */
#define PART_OF_CREATE __attribute__((always_inline)) static inline

/* Strides of a dense array, and how many elements it has; false if that cannot be represented. */
PART_OF_CREATE bool dense_strides(bool row_order, int32_t dimen, const int64_t* lower,
                                  const int64_t* upper, int64_t* stride, int64_t* count) {
  int64_t total = 1;
  for (int32_t i = 0; i < dimen; ++i) {
    const int32_t d = row_order ? dimen - 1 - i : i;
    const int64_t length = sidl_array_extent(lower[d], upper[d]);
    stride[d] = total;
    if (length < 0 || __builtin_mul_overflow(total, length, &total)) return false;
  }
  *count = total;
  return true;
}

/* Whether a distance, in elements of so many bytes, can be represented in bytes. */
static bool is_distance(int64_t size, int64_t elements) {
  return !__builtin_mul_overflow(elements, size, &elements);
}

static bool is_stride(int64_t size, int64_t stride) {
  return stride != INT64_MIN && is_distance(size, stride);
}

/* With less than two indices no step is made, whatever the stride: any is accepted. */
static bool makes_steps(int64_t lower, int64_t upper) {
  return lower < upper;
}

bool array_is_addressable(struct element_type of, int32_t dimen, const int64_t* lower,
                          const int64_t* upper, const int64_t* stride) {
  const int64_t size = (int64_t)array_element_size(of);
  int64_t count = 1;
  int64_t reach = 1; /* elements from the lowest to the highest address */
  if (!has_bounds(dimen, lower, upper) || stride == NULL) return false;
  for (int32_t d = 0; d < dimen; ++d) {
    const int64_t length = sidl_array_extent(lower[d], upper[d]);
    int64_t way = 0;
    if (length < 0) return false;
    if (makes_steps(lower[d], upper[d])) {
      if (!is_stride(size, stride[d])) return false;
      const int64_t step = stride[d] < 0 ? -stride[d] : stride[d];
      if (__builtin_mul_overflow(length - 1, step, &way)) return false;
      if (__builtin_add_overflow(reach, way, &reach)) return false;
    }
    if (__builtin_mul_overflow(count, length, &count)) return false;
  }
  return is_distance(size, reach);
}

/*
 * A block with `bytes` of data, at *data. The data is aligned, not the block: what aligned_alloc
 * has given is, in glibc before 2.38, too small for the next such request when it is free again,
 * and the heap grows for ever.
 */
PART_OF_CREATE struct array_block* allocate(int32_t dimen, size_t bytes, void** data) {
  const size_t alignment = bytes >= LARGE_BYTES ? LARGE_ALIGNMENT : SMALL_ALIGNMENT;
  const size_t head = sizeof(struct array_block) + 3 * (size_t)dimen * sizeof(int64_t);
  const size_t most = head + alignment - 1;
  if (bytes > PTRDIFF_MAX - most) return NULL;
  char* const block = malloc(most + bytes);
  if (block == NULL) return NULL;
  *data = block + (most - (((uintptr_t)block + most) & (alignment - 1)));
  return (struct array_block*)(void*)block;
}

PART_OF_CREATE void describe(struct array_block* block, void* first, int32_t dimen,
                             const int64_t* lower, const int64_t* upper, const int64_t* stride,
                             const struct sidl__array_vtable* vtable,
                             const struct sidl_struct_info* structure) {
  block->array.first = first;
  block->array.meta = (struct sidl__array){
      .d_lower = block->bounds,
      .d_upper = block->bounds + dimen,
      .d_stride = block->bounds + 2 * dimen,
      .d_vtable = vtable,
      .d_struct = structure,
      .d_dimen = dimen,
      .d_refcount = 1,
  };
  for (int32_t d = 0; d < dimen; ++d) {
    block->bounds[d] = lower[d];
    block->bounds[dimen + d] = upper[d];
    block->bounds[2 * dimen + d] = stride[d];
  }
  block->source = (struct array_source){NULL, NULL};
  block->owned = 0;
}

/* The bytes of a new array's elements, their number, and their strides; false for bad bounds. */
PART_OF_CREATE bool measure(struct element_type of, bool row_order, int32_t dimen,
                            const int64_t* lower, const int64_t* upper, int64_t* stride,
                            int64_t* count, size_t* bytes) {
  return has_bounds(dimen, lower, upper) &&
         dense_strides(row_order, dimen, lower, upper, stride, count) &&
         !__builtin_mul_overflow(*count, array_element_size(of), bytes);
}

struct any_array* array_create(struct element_type of, bool row_order, int32_t dimen,
                               const int64_t* lower, const int64_t* upper) {
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION];
  int64_t count = 0;
  size_t bytes = 0;
  if (!measure(of, row_order, dimen, lower, upper, stride, &count, &bytes)) return NULL;
  void* data = NULL;
  struct array_block* const block = allocate(dimen, bytes, &data);
  if (block == NULL) return NULL;
  if (begin_as_null(of)) memset(data, 0, bytes);
  describe(block, data, dimen, lower, upper, stride, &types[of.type].counted, of.structure);
  block->owned = (size_t)count;
  return &block->array;
}

/* Strides that are of no use but were accepted: to compute with them must not overflow. */
static void forget_useless_strides(struct array_block* block) {
  const struct sidl__array* const array = &block->array.meta;
  const int64_t size = (int64_t)array_element_size(array_elements(&block->array));
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    if (!makes_steps(array->d_lower[d], array->d_upper[d]) &&
        !is_stride(size, array->d_stride[d])) {
      array->d_stride[d] = 1;
    }
  }
}

/* Memory of a space, which an array keeps. */
struct space_block {
  const struct sidl_memory_space* space;
  void* first;
  size_t bytes;
};

static void release_block(void* owner) {
  const struct space_block* const block = owner;
  space_release(block->space, block->first, block->bytes);
  free(owner);
}

struct any_array* array_create_in(const struct sidl_memory_space* space, struct element_type of,
                                  bool row_order, int32_t dimen, const int64_t* lower,
                                  const int64_t* upper) {
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION];
  int64_t count = 0;
  size_t bytes = 0;
  if (space == NULL) return array_create(of, row_order, dimen, lower, upper);
  if (!space_takes(of)) return NULL;
  if (!measure(of, row_order, dimen, lower, upper, stride, &count, &bytes)) return NULL;
  struct space_block* const block = bytes > PTRDIFF_MAX ? NULL : malloc(sizeof *block);
  if (block == NULL) return NULL;
  const size_t size = bytes == 0 ? 1 : bytes;
  *block = (struct space_block){space, space_allocate(space, size), size};
  const struct array_source source = {release_block, block};
  struct any_array* array = NULL;
  if (block->first != NULL) {
    array = array_borrow_in(space, of, block->first, dimen, lower, upper, stride, source);
    if (array == NULL) space_release(space, block->first, size);
  }
  if (array == NULL) free(block);
  return array;
}

struct any_array* array_view(const struct sidl__array_vtable* vtable,
                             const struct sidl_struct_info* structure, void* first, int32_t dimen,
                             const int64_t* lower, const int64_t* upper, const int64_t* stride,
                             struct array_source source) {
  void* data = NULL;
  struct array_block* const block = allocate(dimen, 0, &data);
  if (block == NULL) return NULL;
  describe(block, first, dimen, lower, upper, stride, vtable, structure);
  forget_useless_strides(block);
  block->source = source;
  return &block->array;
}

struct any_array* array_borrow(struct element_type of, void* first, int32_t dimen,
                               const int64_t* lower, const int64_t* upper, const int64_t* stride) {
  const struct array_source nobody = {NULL, NULL};
  if (!array_is_addressable(of, dimen, lower, upper, stride)) return NULL;
  return array_view(&types[of.type].borrowed, of.structure, first, dimen, lower, upper, stride,
                    nobody);
}

struct any_array* array_borrow_owned(struct element_type of, void* first, int32_t dimen,
                                     const int64_t* lower, const int64_t* upper,
                                     const int64_t* stride, struct array_source source) {
  if (source.release == NULL || !array_is_addressable(of, dimen, lower, upper, stride)) return NULL;
  return array_view(&types[of.type].counted, of.structure, first, dimen, lower, upper, stride,
                    source);
}

struct any_array* array_borrow_in(const struct sidl_memory_space* space, struct element_type of,
                                  void* first, int32_t dimen, const int64_t* lower,
                                  const int64_t* upper, const int64_t* stride,
                                  struct array_source source) {
  if (space != NULL && !space_takes(of)) return NULL;
  struct any_array* const array =
      source.release == NULL ? array_borrow(of, first, dimen, lower, upper, stride)
                             : array_borrow_owned(of, first, dimen, lower, upper, stride, source);
  if (array != NULL) array->meta.d_space = space;
  return array;
}

void array_init(struct element_type of, void* first, struct any_array* result, int32_t dimen,
                const int64_t* lower, const int64_t* upper, const int64_t* stride) {
  result->first = first;
  result->meta = (struct sidl__array){
      .d_lower = (int64_t*)lower, /* never written */
      .d_upper = (int64_t*)upper,
      .d_stride = (int64_t*)stride,
      .d_vtable = &types[of.type].init,
      .d_struct = of.structure,
      .d_dimen = dimen,
      .d_refcount = 1,
  };
}

static void release_base(void* base) {
  sidl__array_deleteRef(base);
}

/* Computes the bounds of a slice; false if it is not within src. */
static bool slice_bounds(const struct any_array* src, int32_t dimen, const int64_t* count,
                         const int64_t* start, const int64_t* step, const int64_t* new_lower,
                         int64_t* lower, int64_t* upper, int64_t* stride, ptrdiff_t* offset) {
  const int64_t size = (int64_t)array_element_size(array_elements(src));
  int32_t n = 0;
  *offset = 0;
  for (int32_t d = 0; d < src->meta.d_dimen; ++d) {
    const int64_t from = start != NULL ? start[d] : src->meta.d_lower[d];
    const int64_t by = step != NULL ? step[d] : 1;
    const int64_t low = src->meta.d_lower[d];
    const int64_t high = src->meta.d_upper[d];
    int64_t last;
    if (count[d] < 0 || from < low || from > high) return false;
    if (__builtin_mul_overflow(count[d] > 0 ? count[d] - 1 : 0, by, &last) ||
        __builtin_add_overflow(from, last, &last) || last < low || last > high) {
      return false;
    }
    *offset += (from - low) * src->meta.d_stride[d];
    if (count[d] == 0) continue;
    if (n == dimen || (by == 0 && count[d] > 1)) return false;
    lower[n] = new_lower != NULL ? new_lower[n] : from;
    if (__builtin_add_overflow(lower[n], count[d] - 1, &upper[n])) return false;
    if (sidl_array_extent(lower[n], upper[n]) < 0) return false;
    if (__builtin_mul_overflow(src->meta.d_stride[d], by, &stride[n])) return false;
    if (!is_distance(size, stride[n])) return false;
    ++n;
  }
  return n == dimen;
}

/* An array over some elements of `src`, which it keeps alive if those are. */
static struct any_array* view_slice(struct any_array* src, void* first, int32_t dimen,
                                    const int64_t* lower, const int64_t* upper,
                                    const int64_t* stride) {
  const struct element_type of = array_elements(src);
  if (src->meta.d_vtable == &types[of.type].init) {
    return array_borrow(of, first, dimen, lower, upper, stride);
  }
  if (src->meta.d_vtable == &loan_vtables[of.type]) {
    return loan_slice(src, first, dimen, lower, upper, stride);
  }
  /* A slice of borrowed data is itself borrowed, but still keeps the struct of src alive. */
  const struct array_source source = {release_base, src};
  struct any_array* const slice =
      array_view(src->meta.d_vtable, of.structure, first, dimen, lower, upper, stride, source);
  if (slice != NULL) refcount_take(&src->meta.d_refcount);
  return slice;
}

bool array_is_shared(const struct any_array* array) {
  const struct array_source* source;
  do {
    const struct array_block* const block = (const struct array_block*)(const void*)array;
    const struct sidl__array_vtable* const counted = &types[array_elements(array).type].counted;
    if (array->meta.d_vtable != counted || !refcount_is_one(&array->meta.d_refcount)) return true;
    source = &block->source;
    array = source->owner;
  } while (source->release == release_base);
  return false;
}

struct any_array* array_slice(struct any_array* src, int32_t dimen, const int64_t* count,
                              const int64_t* start, const int64_t* stride,
                              const int64_t* new_lower) {
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION];
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION];
  int64_t strides[SIDL_MAX_ARRAY_DIMENSION];
  ptrdiff_t offset = 0;
  if (src == NULL || count == NULL || dimen < 1 || dimen > src->meta.d_dimen) return NULL;
  if (!slice_bounds(src, dimen, count, start, stride, new_lower, lower, upper, strides, &offset)) {
    return NULL;
  }
  const ptrdiff_t size = (ptrdiff_t)array_element_size(array_elements(src));
  struct any_array* const slice =
      view_slice(src, (char*)src->first + offset * size, dimen, lower, upper, strides);
  if (slice != NULL) slice->meta.d_space = src->meta.d_space;
  return slice;
}

static struct any_array* copy_of(const struct any_array* src, bool row_order,
                                 const struct sidl_memory_space* space) {
  struct any_array* const copy =
      array_create_in(space, array_elements(src), row_order, src->meta.d_dimen, src->meta.d_lower,
                      src->meta.d_upper);
  if (copy == NULL || array_copy(src, copy)) return copy;
  sidl__array_deleteRef(&copy->meta);
  return NULL;
}

struct any_array* array_ensure(struct any_array* src, int32_t dimen, int ordering) {
  if (src == NULL || src->meta.d_dimen != dimen) return NULL;
  const bool fits = ordering == sidl_column_major_order ? sidl__array_isColumnOrder(&src->meta)
                    : ordering == sidl_row_major_order  ? sidl__array_isRowOrder(&src->meta)
                                                        : true;
  if (!fits) return copy_of(src, ordering == sidl_row_major_order, src->meta.d_space);
  refcount_take(&src->meta.d_refcount);
  return src;
}

static void destroy_counted(struct sidl__array* array) {
  struct array_block* const block = (struct array_block*)(void*)array;
  if (block->owned > 0) {
    array_elements_destroy(array_elements(&block->array), block->array.first, block->owned);
  }
  if (block->source.release != NULL) block->source.release(block->source.owner);
  free(block);
}

static void destroy_borrowed(struct sidl__array* array) {
  destroy_counted(array);
}

static void destroy_nothing(struct sidl__array* array) {
  (void)array;
}

static struct sidl__array* share(struct sidl__array* array) {
  refcount_take(&array->d_refcount);
  return array;
}

struct any_array* array_duplicate(const struct any_array* src) {
  return array_duplicate_in(src->meta.d_space, src);
}

struct any_array* array_duplicate_in(const struct sidl_memory_space* space,
                                     const struct any_array* src) {
  const bool is_row = sidl__array_isRowOrder(&src->meta) && !sidl__array_isColumnOrder(&src->meta);
  return copy_of(src, is_row, space);
}

struct sidl__array* array_smart_duplicate(struct sidl__array* array) {
  struct any_array* const copy = array_duplicate((struct any_array*)(void*)array);
  return copy == NULL ? NULL : &copy->meta;
}
