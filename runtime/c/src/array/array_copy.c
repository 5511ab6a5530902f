/*
 * array_copy.c: copying between arrays of any shape and stride.
 *
 * The common index range is described by up to 7 loops. Sorted by stride in the destination and
 * joined where both sides are contiguous, they become a single memcpy for equal dense arrays.
 */
#include <string.h>

#include "array/array_core.h"
#include "array/value.h"
#include "base/reference.h"
#include "sidl_String.h"

struct loop {
  size_t count;
  ptrdiff_t from, to; /* bytes between neighbours */
};

static size_t magnitude(ptrdiff_t distance) {
  return distance < 0 ? (size_t)-distance : (size_t)distance;
}

static void sort_by_destination(struct loop* loops, int32_t n) {
  for (int32_t i = 1; i < n; ++i) {
    for (int32_t j = i; j > 0 && magnitude(loops[j].to) < magnitude(loops[j - 1].to); --j) {
      const struct loop swap = loops[j];
      loops[j] = loops[j - 1];
      loops[j - 1] = swap;
    }
  }
}

/* Joins loops that continue their inner loop; returns how many are left. */
static int32_t join(struct loop* loops, int32_t n) {
  int32_t last = 0;
  for (int32_t i = 1; i < n; ++i) {
    const ptrdiff_t count = (ptrdiff_t)loops[last].count;
    if (loops[i].from == loops[last].from * count && loops[i].to == loops[last].to * count) {
      loops[last].count *= loops[i].count;
    } else {
      loops[++last] = loops[i];
    }
  }
  return last + 1;
}

static void copy_values(size_t size, const struct loop* loop, const char* from, char* to) {
  if (loop->from == (ptrdiff_t)size && loop->to == (ptrdiff_t)size) {
    memcpy(to, from, size * loop->count);
    return;
  }
#define COPY_EACH(bytes)                                                         \
  for (size_t i = 0; i < loop->count; ++i, from += loop->from, to += loop->to) { \
    memcpy(to, from, bytes);                                                     \
  }
  switch (size) {
    case 4:
      COPY_EACH(4)
      break;
    case 8:
      COPY_EACH(8)
      break;
    case 16:
      COPY_EACH(16)
      break;
    default:
      COPY_EACH(size)
  }
#undef COPY_EACH
}

/* A copy that cannot be made, as memory is exhausted, leaves the element as it was. */
static void copy_structs(const struct sidl_struct_info* structure, const struct loop* loop,
                         const char* from, char* to) {
  for (size_t i = 0; i < loop->count; ++i, from += loop->from, to += loop->to) {
    struct_assign(structure, from, to);
  }
}

static void copy_row(struct element_type of, size_t size, const struct loop* loop, const char* from,
                     char* to) {
  const bool is_struct = of.structure != NULL && !struct_is_plain(of.structure);
  if (is_struct) {
    copy_structs(of.structure, loop, from, to);
    return;
  }
  if (of.type != sidl_string_array && of.type != sidl_interface_array) {
    copy_values(size, loop, from, to);
    return;
  }
  for (size_t i = 0; i < loop->count; ++i, from += loop->from, to += loop->to) {
    void* const source = *(void* const*)(const void*)from;
    void** const destination = (void**)(void*)to;
    void* const old = *destination;
    if (of.type == sidl_string_array) {
      *destination = sidl_String_strdup(source);
      sidl_String_free(old);
    } else {
      *destination = reference_take(source);
      reference_drop(old);
    }
  }
}

static void run(struct element_type of, size_t size, const struct loop* loops, int32_t n,
                const char* from, char* to) {
  if (n == 1) {
    copy_row(of, size, loops, from, to);
    return;
  }
  const struct loop* const outer = &loops[n - 1];
  for (size_t i = 0; i < outer->count; ++i, from += outer->from, to += outer->to) {
    run(of, size, loops, n - 1, from, to);
  }
}

void array_copy(const struct any_array* src, struct any_array* dest) {
  if (src == NULL || dest == NULL || src == dest) return;
  const int32_t n = src->meta.d_dimen;
  if (n != dest->meta.d_dimen) return;
  const struct element_type of = array_elements(src);
  const size_t size = array_element_size(of);
  struct loop loops[SIDL_MAX_ARRAY_DIMENSION];
  ptrdiff_t from = 0;  // where they begin: an empty array has no memory to point into
  ptrdiff_t to = 0;
  for (int32_t d = 0; d < n; ++d) {
    const int64_t a = src->meta.d_lower[d];
    const int64_t b = dest->meta.d_lower[d];
    const int64_t low = a > b ? a : b;
    const int64_t high =
        src->meta.d_upper[d] < dest->meta.d_upper[d] ? src->meta.d_upper[d] : dest->meta.d_upper[d];
    if (high < low) return;
    loops[d] = (struct loop){(size_t)(high - low + 1), src->meta.d_stride[d] * (ptrdiff_t)size,
                             dest->meta.d_stride[d] * (ptrdiff_t)size};
    from += (ptrdiff_t)(low - a) * loops[d].from;
    to += (ptrdiff_t)(low - b) * loops[d].to;
  }
  sort_by_destination(loops, n);
  const int32_t joined = join(loops, n);
  run(of, size, loops, joined, (const char*)src->first + from, (char*)dest->first + to);
}
