/*
 * f77.c: handles of old codes.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sidl_BaseInterface_IOR.h"
#include "sidl_CastException.h"
#include "sidl_Exception.h"
#include "sidl_LangSpecificException.h"
#include "sidl_MemAllocException.h"
#include "sidl_fortran77.h"

/* A reference that ends with a call. */
struct sidl_f77_kept {
  struct sidl_f77_kept* next;
  void* object;
};

/* A struct in memory of its own, with a mark that distinguishes it from other handles. */
struct held_struct {
  uint64_t mark;
  const struct sidl_struct_info* type;
  max_align_t data[];
};

static const uint64_t held_mark = UINT64_C(0x5349444C53545255);

static void throw_cast(struct sidl_f77_call* call, const char* what, const char* why,
                       const char* type) {
  char note[300];
  struct sidl_BaseInterface__object* failure = NULL;
  if (call->ex != NULL) return;
  snprintf(note, sizeof note, "%s: '%s' %s %s", call->where, what, why, type);
  void* const created = sidl_CastException__create(&failure);
  call->ex = sidl_prepare_exception(created, failure, note, __FILE__, __LINE__, call->where);
}

static void throw_memory(struct sidl_f77_call* call) {
  struct sidl_BaseInterface__object* failure = NULL;
  if (call->ex != NULL) return;
  void* const created = sidl_MemAllocException__create(&failure);
  call->ex = sidl_prepare_exception(created, failure, "no memory for a handle", __FILE__, __LINE__,
                                    call->where);
}

void sidl_f77_end(struct sidl_f77_call* call, int64_t* exception) {
  while (call->kept != NULL) {
    struct sidl_f77_kept* const first = call->kept;
    call->kept = first->next;
    sidl_f77_drop(first->object);
    free(first);
  }
  if (call->ex != NULL) sidl_update_exception(call->ex, "(Fortran)", 0, call->where);
  *exception = sidl_f77_handle(call->ex);
}

/* ---- objects -----------------------------------------------------------------------------------
 */

void* sidl_f77_share(void* object) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl_BaseInterface__object* const base = object;
  if (base != NULL) base->d_epv->f_addRef(base->d_object, &ex);
  sidl_release_exception(ex);
  return object;
}

void sidl_f77_drop(void* object) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl_BaseInterface__object* const base = object;
  if (base != NULL) base->d_epv->f_deleteRef(base->d_object, &ex);
  sidl_release_exception(ex);
}

/* The end of the call drops the reference. */
static void* keep(struct sidl_f77_call* call, void* object) {
  struct sidl_f77_kept* const kept = malloc(sizeof *kept);
  if (kept == NULL) {
    throw_memory(call);
    sidl_f77_drop(object);
    return NULL;
  }
  *kept = (struct sidl_f77_kept){call->kept, object};
  call->kept = kept;
  return object;
}

void* sidl_f77_seen(struct sidl_f77_call* call, const int64_t* value,
                    const struct sidl_type_info* type, const char* what) {
  void* const object = sidl_f77_address(*value);
  if (call->ex != NULL || object == NULL) return NULL;
  void* const view = sidl_cast_borrowed(object, type);
  if (view != NULL) return view;
  /* A cast that asks a server makes a proxy of its own: a new reference. */
  void* const other = sidl_cast(object, type, &call->ex);
  if (other == NULL) throw_cast(call, what, "is not a", type->name);
  return other == NULL ? NULL : keep(call, other);
}

void* sidl_f77_self(struct sidl_f77_call* call, const int64_t* self,
                    const struct sidl_type_info* type) {
  if (*self == 0) throw_cast(call, "self", "is 0, but must be the handle of a", type->name);
  return sidl_f77_seen(call, self, type, "self");
}

void sidl_f77_hand_over(const int64_t* value, void* seen) {
  sidl_f77_share(seen);
  sidl_f77_drop(sidl_f77_address(*value));
}

/* ---- arrays ------------------------------------------------------------------------------------
 */

void* sidl_f77_array(struct sidl_f77_call* call, const int64_t* value, int32_t type, int32_t dimen,
                     const char* what) {
  struct sidl__array* const array = sidl_f77_address(*value);
  if (call->ex != NULL || array == NULL) return NULL;
  if (type != sidl_undefined_array && sidl__array_type(array) != type) {
    throw_cast(call, what, "is an array of a different element type than", "declared");
    return NULL;
  }
  if (dimen != 0 && sidl__array_dimen(array) != dimen) {
    throw_cast(call, what, "is an array of a different number of dimensions than", "declared");
    return NULL;
  }
  return array;
}

/* ---- structs -----------------------------------------------------------------------------------
 */

void* sidl_f77_struct(struct sidl_f77_call* call, const int64_t* value,
                      const struct sidl_struct_info* type, const char* what) {
  struct held_struct* const held = sidl_f77_address(*value);
  if (call->ex != NULL) return NULL;
  if (held == NULL) {
    throw_cast(call, what, "is 0, but must be the handle of a", type->name);
    return NULL;
  }
  if (held->mark != held_mark || strcmp(held->type->name, type->name) != 0) {
    throw_cast(call, what, "is not a handle of a", type->name);
    return NULL;
  }
  return held->data;
}

int64_t sidl_f77_new_struct(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                            void* data) {
  if (call->ex != NULL) return 0;
  struct held_struct* const held = malloc(sizeof *held + type->size);
  if (held == NULL) {
    throw_memory(call);
    sidl_struct_destroy(type, data);
    return 0;
  }
  held->mark = held_mark;
  held->type = type;
  memcpy(held->data, data, type->size);
  return sidl_f77_handle(held);
}

void sidl_f77_delete_struct(int64_t handle) {
  struct held_struct* const held = sidl_f77_address(handle);
  sidl_struct_destroy(held->type, held->data);
  held->mark = 0;
  free(held);
}

/* ---- raw arrays in structs: the array next to the pointer owns the memory -----------------------
 */

/* A raw member in C. */
struct raw_member {
  void* first;
  struct sidl__array* owner;
};

/* The member as an array, with the extents given by the other members. */
static bool open_member(struct sidl_f77_call* call, struct sidl_raw_array* raw, void* first,
                        const struct sidl__array* owner, int32_t type, int32_t dimen,
                        const int64_t extents[], const char* what) {
  if (!sidl_raw_array_open(raw, first, (enum sidl_array_type)type, dimen, extents, what,
                           &call->ex)) {
    return false;
  }
  const size_t count = sidl__array_element_count(&raw->d_metadata);
  if (owner == NULL || count <= sidl__array_element_count(owner)) return true;
  throw_cast(call, what, "has grown beyond its", "memory");
  return false;
}

void sidl_f77_get_raw(struct sidl_f77_call* call, void* member, const void* owner, int32_t type,
                      int32_t dimen, const int64_t extents[], void* to, const char* what) {
  struct sidl_raw_array raw;
  if (!open_member(call, &raw, member, owner, type, dimen, extents, what)) return;
  const size_t count = sidl__array_element_count(&raw.d_metadata);
  if (count > 0) memcpy(to, member, count * sidl__array_element_size(type));
}

/* Gives the raw members of a copy memory of their own. */
static void detach(struct sidl_f77_call* call, const struct sidl_struct_info* type, void* data) {
  for (int32_t i = 0; i < type->member_count; ++i) {
    const struct sidl_member_info* const member = &type->members[i];
    struct raw_member* const at = (struct raw_member*)(void*)((char*)data + member->offset);
    if (member->type.kind == sidl_kind_struct) detach(call, member->type.structure, at);
    if (member->type.kind != sidl_kind_rarray || at->owner == NULL) continue;
    struct sidl_raw_array raw;
    int64_t extents[SIDL_MAX_ARRAY_DIMENSION];
    member->type.extents(data, extents);
    if (!open_member(call, &raw, at->first, at->owner, sidl__array_type(at->owner),
                     member->type.dimension, extents, member->name)) {
      return;
    }
    struct sidl__array* const own = sidl__array_smartCopy(&raw.d_metadata);
    if (own == NULL) {
      throw_memory(call);
      return;
    }
    sidl__array_deleteRef(at->owner);
    *at = (struct raw_member){((struct sidl_raw_array*)(void*)own)->d_firstElement, own};
  }
}

void sidl_f77_copy_struct(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                          const void* from, void* to) {
  sidl_struct_copy(type, from, to, &call->ex);
  if (call->ex != NULL) return;
  detach(call, type, to);
  if (call->ex != NULL) sidl_struct_destroy(type, to);
}

void* sidl_f77_keep_raw(struct sidl_f77_call* call, void* from, int32_t type, int32_t dimen,
                        const int64_t extents[], const char* what) {
  struct sidl_raw_array raw;
  if (!sidl_raw_array_open(&raw, from, (enum sidl_array_type)type, dimen, extents, what,
                           &call->ex)) {
    return NULL;
  }
  struct sidl__array* const kept = sidl__array_smartCopy(&raw.d_metadata);
  if (kept == NULL) throw_memory(call);
  return kept;
}

/* ---- texts -------------------------------------------------------------------------------------
 */

void sidl_f77_too_long(const char* what, int64_t room, int64_t length, int64_t* exception) {
  char note[300];
  struct sidl_BaseInterface__object* failure = NULL;
  snprintf(note, sizeof note,
           "the text that came back in '%s' has %lld characters, the variable has room for %lld",
           what, (long long)length, (long long)room);
  void* const created = sidl_LangSpecificException__create(&failure);
  *exception = sidl_f77_handle(
      sidl_prepare_exception(created, failure, note, __FILE__, __LINE__, "the Fortran 77 face"));
}

/* ---- arrays of structs --------------------------------------------------------------------------
 */

void* sidl_f77_struct_array(struct sidl_f77_call* call, const int64_t* value,
                            const struct sidl_struct_info* type, int32_t dimen, const char* what) {
  struct sidl__array* const array = sidl_f77_array(call, value, sidl_undefined_array, dimen, what);
  if (array == NULL || sidl_struct__array_cast(type, array) != NULL) return array;
  throw_cast(call, what, "is not an array of", type->name);
  return NULL;
}

struct sidl_f77_indices sidl_f77_widen(const int32_t indices[], int32_t count) {
  struct sidl_f77_indices wide = {{0}};
  for (int32_t d = 0; d < count && d < SIDL_MAX_ARRAY_DIMENSION; ++d) wide.values[d] = indices[d];
  return wide;
}

int64_t sidl_f77_create_structs64(const struct sidl_struct_info* type, int32_t ordering,
                                  int32_t dimen, const int64_t lower[], const int64_t upper[]) {
  return sidl_f77_handle(sidl_struct__array_create(type, ordering, dimen, lower, upper));
}

int64_t sidl_f77_create_structs(const struct sidl_struct_info* type, int32_t ordering,
                                int32_t dimen, const int32_t lower[], const int32_t upper[]) {
  const struct sidl_f77_indices from = sidl_f77_widen(lower, dimen);
  const struct sidl_f77_indices to = sidl_f77_widen(upper, dimen);
  return sidl_f77_create_structs64(type, ordering, dimen, from.values, to.values);
}

int64_t sidl_f77_slice_structs64(void* array, int32_t dimen, const int64_t count[],
                                 const int64_t start[], const int64_t stride[],
                                 const int64_t lower[]) {
  return sidl_f77_handle(sidl__array_slice(array, dimen, count, start, stride, lower));
}

int64_t sidl_f77_slice_structs(void* array, int32_t dimen, const int32_t count[],
                               const int32_t start[], const int32_t stride[],
                               const int32_t lower[]) {
  const int32_t all = sidl__array_dimen(array);
  const struct sidl_f77_indices counts = sidl_f77_widen(count, all);
  const struct sidl_f77_indices starts = sidl_f77_widen(start, all);
  const struct sidl_f77_indices strides = sidl_f77_widen(stride, all);
  const struct sidl_f77_indices bounds = sidl_f77_widen(lower, dimen);
  return sidl_f77_slice_structs64(array, dimen, counts.values, starts.values, strides.values,
                                  bounds.values);
}

void sidl_f77_get_element(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                          const void* array, int32_t count, const int64_t indices[], void* to) {
  const void* const element = sidl_struct__array_at(array, count, indices);
  if (element == NULL) {
    sidl_struct_init(type, to);
  } else {
    sidl_f77_copy_struct(call, type, element, to);
  }
}

void sidl_f77_set_element(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                          void* array, int32_t count, const int64_t indices[], const void* from) {
  void* const element = sidl_struct__array_at(array, count, indices);
  if (element == NULL) return;
  void* const copy = malloc(type->size);
  if (copy == NULL) {
    throw_memory(call);
    return;
  }
  sidl_f77_copy_struct(call, type, from, copy);
  if (call->ex == NULL) {
    sidl_struct_destroy(type, element);
    memcpy(element, copy, type->size);
  }
  free(copy);
}
