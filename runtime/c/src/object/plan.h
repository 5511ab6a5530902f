/*
 * plan.h: what making and casting objects of a class needs, worked out once, when the class is made
 * ready, and laid out in the order in which it is read.
 *
 * Plans are never freed: their classes are static, and objects may outlive everything else.
 */
#ifndef OBJECT_PLAN_H
#define OBJECT_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* A pointer-sized part of an object, whatever type it is accessed as elsewhere. */
typedef uintptr_t __attribute__((may_alias)) object_word;

/* Where an object of the class begins as a type it may be seen as. */
struct class_view {
  uint64_t layout; /* of the type; 0: none */
  ptrdiff_t offset;
};

struct sidl_class_plan {
  uint64_t view_mask;             /* entries of `views`, less one */
  const struct class_view* views; /* hash table by layout, with at least one empty entry */
  size_t memory_size; /* bytes of an object: the object, and behind it its Impls; or its tail */
  size_t word_count;  /* words of the object, rounded up to an even number */
  /* Word i of a new object is values[i], plus the object's own address where masks[i] is ones. */
  const object_word* values;
  const object_word* masks;
};

/* The plan of a class whose EPV is complete and whose parent has a plan; NULL: no memory. */
const struct sidl_class_plan* plan_create(const struct sidl_class* class);

/*
 * Where the view as a type of this layout begins; -1 if there is none: the object may still be of
 * the type, in another layout that fits.
 */
static inline ptrdiff_t plan_view(const struct sidl_class_plan* plan, uint64_t layout) {
  for (uint64_t i = layout & plan->view_mask;; i = (i + 1) & plan->view_mask) {
    const struct class_view* const view = &plan->views[i];
    if (view->layout == layout) return view->offset;
    if (view->layout == 0) return -1;
  }
}

/*
 * Where the tail of a proxy begins: PLAN_TAIL_SIZE bytes for the layer above, which are not
 * initialised. What is an Impl's place in other objects is nobody's in a proxy.
 */
enum { PLAN_TAIL_SIZE = 16 };

static inline size_t plan_tail(const struct sidl_class_plan* plan) {
  return plan->word_count * sizeof(object_word);
}

#pragma GCC visibility pop
#endif
