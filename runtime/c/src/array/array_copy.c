/*
 * array_copy.c: copying between arrays of any shape and stride.
 *
 * The common index range is described by up to 7 loops. Sorted by stride in the destination and
 * joined where both sides are contiguous, they become a single memcpy for equal dense arrays. The
 * arrays may share memory, as slices do: all elements are read as they were before.
 */
#include <stdint.h>
#include <string.h>

#include "array/array_core.h"
#include "array/memory_space.h"
#include "array/value.h"
#include "base/reference.h"
#include "sidl_String.h"

struct loop {
  size_t count;
  ptrdiff_t from, to; /* bytes between neighbours */
};

/* What is copied, and where it is. */
struct job {
  struct element_type of;
  size_t size; /* of an element */
  const struct sidl_memory_space *from, *to;
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

static void copy_pointers(enum sidl_array_type type, const struct loop* loop, const char* from,
                          char* to) {
  for (size_t i = 0; i < loop->count; ++i, from += loop->from, to += loop->to) {
    void* const source = *(void* const*)(const void*)from;
    void** const destination = (void**)(void*)to;
    void* const old = *destination;
    if (type == sidl_string_array) {
      *destination = sidl_String_strdup(source);
      sidl_String_free(old);
    } else {
      *destination = reference_take(source);
      reference_drop(old);
    }
  }
}

static bool copy_row(const struct job* job, const struct loop* loop, const char* from, char* to) {
  const struct element_type of = job->of;
  if (job->from != NULL || job->to != NULL) {
    return space_copy(job->from, from, loop->from, job->to, to, loop->to, job->size, loop->count);
  }
  if (of.structure != NULL && !struct_is_plain(of.structure)) {
    copy_structs(of.structure, loop, from, to);
  } else if (of.type == sidl_string_array || of.type == sidl_interface_array) {
    copy_pointers(of.type, loop, from, to);
  } else {
    copy_values(job->size, loop, from, to);
  }
  return true;
}

static bool run(const struct job* job, const struct loop* loops, int32_t n, const char* from,
                char* to) {
  bool ok = true;
  if (n == 1) return copy_row(job, loops, from, to);
  const struct loop* const outer = &loops[n - 1];
  for (size_t i = 0; ok && i < outer->count; ++i, from += outer->from, to += outer->to) {
    ok = run(job, loops, n - 1, from, to);
  }
  return ok;
}

/* The lowest address of what the loops go over, and the one behind the highest, from `begin` on. */
static void find_reach(const struct job* job, const struct loop* loops, int32_t n, bool of_source,
                       const char** begin, const char** end) {
  *end = *begin + job->size;
  for (int32_t i = 0; i < n; ++i) {
    const ptrdiff_t way =
        (ptrdiff_t)(loops[i].count - 1) * (of_source ? loops[i].from : loops[i].to);
    if (way < 0) *begin += way;
    if (way > 0) *end += way;
  }
}

static size_t common_divisor(size_t a, size_t b) {
  while (b != 0) {
    const size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Whether each element is copied to where it is. */
static bool is_itself(const struct job* job, const struct loop* loops, int32_t n, const char* from,
                      const char* to) {
  bool is = from == to && job->from == job->to;
  for (int32_t i = 0; is && i < n; ++i) is = loops[i].from == loops[i].to;
  return is;
}

/* Whether an element that is written may be one that is read, or begin within one. */
static bool may_overlap(const struct job* job, const struct loop* loops, int32_t n,
                        const char* from, const char* to) {
  const char *from_begin = from, *from_end, *to_begin = to, *to_end;
  if (job->from != job->to) return false;
  find_reach(job, loops, n, true, &from_begin, &from_end);
  find_reach(job, loops, n, false, &to_begin, &to_end);
  if (from_end <= to_begin || to_end <= from_begin) return false;
  /* as odd elements and even ones of one array */
  size_t step = 0;
  for (int32_t i = 0; i < n; ++i) {
    step = common_divisor(common_divisor(step, magnitude(loops[i].from)), magnitude(loops[i].to));
  }
  const size_t apart = step == 0 ? 0 : (uintptr_t)magnitude(to - from) % step;
  return apart < job->size || step - apart < job->size;
}

/* By way of an array that has them all. */
static bool run_apart(const struct job* job, const struct loop* loops, int32_t n, const char* from,
                      char* to) {
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION] = {0};
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION];
  struct loop there[SIDL_MAX_ARRAY_DIMENSION];
  struct loop back[SIDL_MAX_ARRAY_DIMENSION];
  ptrdiff_t stride = (ptrdiff_t)job->size;
  for (int32_t i = 0; i < n; ++i) {
    upper[i] = (int64_t)loops[i].count - 1;
    there[i] = (struct loop){loops[i].count, loops[i].from, stride};
    back[i] = (struct loop){loops[i].count, stride, loops[i].to};
    stride *= (ptrdiff_t)loops[i].count;
  }
  struct any_array* const all = array_create_in(job->from, job->of, false, n, lower, upper);
  if (all == NULL) return false;
  const bool ok = run(job, there, n, from, all->first) && run(job, back, n, all->first, to);
  sidl__array_deleteRef(&all->meta);
  return ok;
}

bool array_copy(const struct any_array* src, struct any_array* dest) {
  if (src == NULL || dest == NULL || src == dest) return true;
  const int32_t n = src->meta.d_dimen;
  if (n != dest->meta.d_dimen) return true;
  const struct element_type of = array_elements(src);
  const struct job job = {of, array_element_size(of), src->meta.d_space, dest->meta.d_space};
  struct loop loops[SIDL_MAX_ARRAY_DIMENSION];
  ptrdiff_t from = 0;  // where they begin: an empty array has no memory to point into
  ptrdiff_t to = 0;
  int32_t many = 0;  // dimensions with more than one element; strides of others may be anything
  for (int32_t d = 0; d < n; ++d) {
    const int64_t a = src->meta.d_lower[d];
    const int64_t b = dest->meta.d_lower[d];
    const int64_t low = a > b ? a : b;
    const int64_t high =
        src->meta.d_upper[d] < dest->meta.d_upper[d] ? src->meta.d_upper[d] : dest->meta.d_upper[d];
    if (high < low) return true;
    if (low > a) from += (low - a) * src->meta.d_stride[d] * (ptrdiff_t)job.size;
    if (low > b) to += (low - b) * dest->meta.d_stride[d] * (ptrdiff_t)job.size;
    if (high == low) continue;
    loops[many++] =
        (struct loop){(size_t)(high - low + 1), src->meta.d_stride[d] * (ptrdiff_t)job.size,
                      dest->meta.d_stride[d] * (ptrdiff_t)job.size};
  }
  if (many == 0) loops[many++] = (struct loop){1, (ptrdiff_t)job.size, (ptrdiff_t)job.size};
  sort_by_destination(loops, many);
  const int32_t joined = join(loops, many);
  const char* const source = (const char*)src->first + from;
  char* const destination = (char*)dest->first + to;
  if (is_itself(&job, loops, joined, source, destination)) return true;
  return may_overlap(&job, loops, joined, source, destination)
             ? run_apart(&job, loops, joined, source, destination)
             : run(&job, loops, joined, source, destination);
}
