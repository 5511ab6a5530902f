#include "object/plan.h"

#include <stdlib.h>
#include <string.h>

#include "object/object.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_BaseInterface_IOR.h"

/* Impls have the alignment of malloc. */
enum { ALIGNMENT = 16 };

static size_t aligned(size_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* ---- views ------------------------------------------------------------------------------------
 */

static void add_view(struct sidl_class_plan* plan, struct class_view* views,
                     const struct sidl_type_info* type, const struct sidl_type_info* as) {
  uint64_t i = as->layout & plan->view_mask;
  while (views[i].layout != 0 && views[i].layout != as->layout) i = (i + 1) & plan->view_mask;
  views[i] = (struct class_view){as->layout, type_view_offset(type, as->id)};
}

static size_t view_count(const struct sidl_type_info* type) {
  size_t count = (size_t)type->facet_count + 2;
  for (const struct sidl_type_info* t = type; t != NULL; t = t->parent) ++count;
  return count;
}

static void fill_views(struct sidl_class_plan* plan, struct class_view* views,
                       const struct sidl_type_info* type) {
  for (const struct sidl_type_info* t = type; t != NULL; t = t->parent) {
    add_view(plan, views, type, t);
  }
  for (uint16_t i = 0; i < type->facet_count; ++i) {
    add_view(plan, views, type, type->facets[i].type);
  }
  add_view(plan, views, type, &sidl_BaseInterface__info);
  add_view(plan, views, type, &sidl_BaseClass__info);
  plan->views = views;
}

/* ---- words ------------------------------------------------------------------------------------
 */

/* Computes the words of an object at address 0. */
struct pattern {
  object_word* values;
  object_word* masks;
};

static void set_constant(struct pattern to, size_t offset, const void* value) {
  to.values[offset / sizeof(object_word)] = (object_word)value;
}

static void set_inner(struct pattern to, size_t offset, size_t target) {
  to.values[offset / sizeof(object_word)] = target;
  to.masks[offset / sizeof(object_word)] = UINTPTR_MAX;
}

/* The EPVs of the facets: remote stubs for a proxy, the class's functions for an object. */
static void fill_facets(const struct sidl_class* class, struct pattern pattern, void** epv) {
  const struct sidl_type_info* const info = class->info;
  void* const* const slots = class->epv;
  for (uint16_t i = 0; i < info->facet_count; ++i) {
    const struct sidl_facet* const facet = &info->facets[i];
    set_inner(pattern, facet->offset + offsetof(struct sidl_facet_object, d_object), 0);
    if (class->is_remote) {
      set_constant(pattern, facet->offset, facet->type->remote_epv);
      continue;
    }
    for (uint16_t s = 0; s < facet->type->slot_count; ++s) epv[s] = slots[facet->slots[s]];
    set_constant(pattern, facet->offset, epv);
    epv += facet->type->slot_count;
  }
}

/* Places the Impls stored in the object after it, the parent's first. Returns their end. */
static size_t place_impls(const struct sidl_class* class, struct pattern pattern, size_t end) {
  if (class->parent != NULL) end = place_impls(class->parent, pattern, end);
  if (class->impl_size == 0) return end;
  set_inner(pattern, class->info->data_offset, end);
  return aligned(end + class->impl_size);
}

static void fill_words(struct sidl_class_plan* plan, const struct sidl_class* class,
                       struct pattern pattern, void** epvs) {
  const struct sidl_object head = {.d_epv = class->epv, .d_class = class, .d_refcount = 1};
  memcpy(pattern.values, &head, sizeof head);
  set_inner(pattern, offsetof(struct sidl_object, d_object), 0);
  fill_facets(class, pattern, epvs);
  plan->values = pattern.values;
  plan->masks = pattern.masks;
  const size_t end = aligned(class->info->size);
  plan->memory_size = class->is_remote ? end + PLAN_TAIL_SIZE : place_impls(class, pattern, end);
}

const struct sidl_class_plan* plan_create(const struct sidl_class* class) {
  const struct sidl_type_info* const info = class->info;
  const size_t words = aligned(info->size) / sizeof(object_word);
  size_t views = 1;
  while (views < 2 * view_count(info)) views *= 2;
  size_t epvs = 0;
  for (uint16_t i = 0; i < info->facet_count; ++i) epvs += info->facets[i].type->slot_count;

  struct sidl_class_plan* const plan = calloc(
      1, sizeof *plan + views * sizeof *plan->views + (2 * words + epvs) * sizeof(object_word));
  if (plan == NULL) return NULL;
  struct class_view* const table = (struct class_view*)(void*)(plan + 1);
  object_word* const values = (object_word*)(void*)(table + views);
  const struct pattern pattern = {values, values + words};
  plan->view_mask = views - 1;
  plan->word_count = words;
  fill_views(plan, table, info);
  fill_words(plan, class, pattern, (void**)(void*)(pattern.masks + words));
  return plan;
}
