/*
 * struct_walk.h: the elements of an array of structs, first index fastest, some at a time.
 */
#ifndef REMOTE_STRUCT_WALK_H
#define REMOTE_STRUCT_WALK_H

#include "sidlArray.h"
#include "sidl_ior.h"

struct struct_walk {
  const struct sidl__array* array;
  size_t left;                             /* elements */
  int64_t index[SIDL_MAX_ARRAY_DIMENSION]; /* counted from 0 */
  char* at;
};

/* Elements that lie `step` bytes apart. */
struct struct_run {
  char* first;
  ptrdiff_t step;
  size_t count;
};

static inline struct struct_walk struct_walk_begin(struct sidl__array* array) {
  const struct struct_walk walk = {
      array, sidl__array_element_count(array), {0}, (char*)sidl__array_first(array)};
  return walk;
}

/* The next ones, at most `most`; none at the end. */
static inline struct struct_run struct_walk_next(struct struct_walk* walk, size_t most) {
  const struct sidl__array* const array = walk->array;
  const ptrdiff_t size = (ptrdiff_t)array->d_struct->size;
  struct struct_run run = {walk->at, array->d_stride[0] * size, 0};
  if (walk->left == 0) return run;
  const size_t row = (size_t)(array->d_upper[0] - array->d_lower[0] + 1 - walk->index[0]);
  run.count = row < most ? row : most;
  walk->left -= run.count;
  if (walk->left == 0) return run;
  walk->index[0] += (int64_t)run.count;
  walk->at += (ptrdiff_t)run.count * run.step;
  for (int32_t d = 0; d + 1 < array->d_dimen; ++d) {
    if (walk->index[d] <= array->d_upper[d] - array->d_lower[d]) break;
    walk->at += (array->d_stride[d + 1] - walk->index[d] * array->d_stride[d]) * size;
    walk->index[d] = 0;
    ++walk->index[d + 1];
  }
  return run;
}

#endif
