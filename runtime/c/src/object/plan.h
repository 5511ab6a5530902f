/*
 * plan.h: precomputed data for making and casting objects of a class, in access order. Computed
 * when the class is made ready.
 *
 * Plans are never freed: their classes are static, and objects may outlive everything else.
 */
#ifndef OBJECT_PLAN_H
#define OBJECT_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* A pointer-sized part of an object, which may alias any type. */
typedef uintptr_t __attribute__((may_alias)) object_word;

/* The offset in an object for one of the types it can be cast to. */
struct class_view {
  uint64_t layout; /* of the type; 0: none */
  ptrdiff_t offset;
};

struct sidl_class_plan {
  uint64_t view_mask;             /* size of `views` minus one */
  const struct class_view* views; /* hash table by layout, with at least one empty entry */
  size_t memory_size; /* bytes of an object, including the Impls after it, or a proxy's tail */
  size_t word_count;  /* words of the object, rounded up to an even number */
  /* Word i of a new object is values[i] + (masks[i] & the object's address). */
  const object_word* values;
  const object_word* masks;
};

/*
 * The plan of a class whose EPV is complete and whose parent has a plan; NULL if memory is
 * exhausted.
 */
const struct sidl_class_plan* plan_create(const struct sidl_class* class);

/*
 * Offset of the view as a type of this layout; -1 if there is none: the object may still be of the
 * type, in another compatible layout.
 */
static inline ptrdiff_t plan_view(const struct sidl_class_plan* plan, uint64_t layout) {
  for (uint64_t i = layout & plan->view_mask;; i = (i + 1) & plan->view_mask) {
    const struct class_view* const view = &plan->views[i];
    if (view->layout == layout) return view->offset;
    if (view->layout == 0) return -1;
  }
}

/*
 * Offset of the tail of a proxy: PLAN_TAIL_SIZE uninitialised bytes for the layer above, in the
 * place of other objects' Impls.
 */
enum { PLAN_TAIL_SIZE = 16 };

static inline size_t plan_tail(const struct sidl_class_plan* plan) {
  return plan->word_count * sizeof(object_word);
}

#pragma GCC visibility pop
#endif
