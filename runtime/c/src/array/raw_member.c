#include "array/raw_member.h"

#include <string.h>

#include "array/array_core.h"
#include "array/value.h"
#include "object/throw.h"
#include "sidl_CastException_IOR.h"

bool raw_array_check(const struct sidl_type_ref* type, const void* values,
                     const struct sidl__array* array, const char* what,
                     struct sidl_BaseInterface__object** _ex) {
  int64_t extents[SIDL_MAX_ARRAY_DIMENSION];
  type->extents(values, extents);
  struct sidl__array* const accepted =
      sidl_raw_array_accept((struct sidl__array*)array, type->dimension, extents, what, _ex);
  sidl__array_deleteRef(accepted);
  return *_ex == NULL;
}

bool raw_memory_open(const struct sidl_type_ref* type, const void* values, void* memory,
                     const char* what, struct sidl_raw_array* raw,
                     struct sidl_BaseInterface__object** _ex) {
  int64_t extents[SIDL_MAX_ARRAY_DIMENSION];
  type->extents(values, extents);
  return sidl_raw_array_open(raw, memory, sidl_array_type_of((enum sidl_kind)type->element),
                             type->dimension, extents, what, _ex);
}

struct sidl_type_ref inline_type(const struct sidl_type_ref* type) {
  struct sidl_type_ref result = *type;
  result.kind = sidl_kind_array;
  result.flags = sidl_ref_made;
  result.lengths = NULL;
  return result;
}

/* A new array for the elements; NULL if memory is exhausted. */
static struct any_array* create_for(const struct sidl_type_ref* type) {
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION] = {0};
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION];
  for (int d = 0; d < type->dimension; ++d) upper[d] = type->lengths[d] - 1;
  return (struct any_array*)(void*)sidl__array_create(
      sidl_array_type_of((enum sidl_kind)type->element), sidl_column_major_order, type->dimension,
      lower, upper);
}

struct sidl__array* inline_array(const struct sidl_type_ref* type, const void* first) {
  struct any_array* const made = create_for(type);
  if (made != NULL) memcpy(made->first, first, inline_size(type));
  return (struct sidl__array*)made;
}

bool inline_assign(const struct sidl_type_ref* type, struct sidl__array* array, void* first,
                   const char* what, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (array == NULL) {
    memset(first, 0, inline_size(type));
    return true;
  }
  struct sidl__array* const accepted =
      sidl_raw_array_accept(array, type->dimension, type->lengths, what, _ex);
  if (accepted == NULL) return false;
  memcpy(first, sidl__array_first(accepted), inline_size(type));
  sidl__array_deleteRef(accepted);
  return true;
}

struct sidl_type_ref raw_member_type(const struct sidl_member_info* member) {
  struct sidl_type_ref type = member->type;
  type.kind = sidl_kind_array;
  type.flags = 0;
  type.structure = NULL;
  return type;
}

struct sidl__array* raw_member_array(const struct sidl_member_info* member, const void* data,
                                     struct sidl_BaseInterface__object** _ex) {
  const struct raw_member* const raw = (const void*)((const char*)data + member->offset);
  const enum sidl_array_type type = sidl_array_type_of((enum sidl_kind)member->type.element);
  struct sidl_raw_array view;
  if (!raw_memory_open(&member->type, data, raw->first, member->name, &view, _ex)) return NULL;
  const struct sidl__array* const meta = &view.d_metadata;
  if (raw->owner != NULL &&
      sidl__array_element_count(meta) > sidl__array_element_count(raw->owner)) {
    THROW(_ex, sidl_CastException, "%s has grown beyond the memory provided for it", member->name);
    return NULL;
  }
  struct any_array* const array = array_borrow(array_elements_of(type), raw->first, meta->d_dimen,
                                               meta->d_lower, meta->d_upper, meta->d_stride);
  if (array == NULL) throw_memory(_ex);
  return (struct sidl__array*)array;
}

void raw_member_own(struct raw_member* member, struct sidl__array* array) {
  member->first = array == NULL ? NULL : ((struct any_array*)(void*)array)->first;
  member->owner = array;
}

static bool detach(const struct sidl_member_info* member, void* data,
                   struct sidl_BaseInterface__object** _ex) {
  struct raw_member* const raw = (void*)((char*)data + member->offset);
  struct sidl__array* const lent = raw_member_array(member, data, _ex);
  if (lent == NULL) return false;
  struct any_array* const own = array_duplicate((const struct any_array*)(const void*)lent);
  sidl__array_deleteRef(lent);
  if (own == NULL) {
    throw_memory(_ex);
    return false;
  }
  sidl__array_deleteRef(raw->owner);
  raw_member_own(raw, (struct sidl__array*)own);
  return true;
}

bool raw_members_detach(const struct sidl_struct_info* info, void* data,
                        struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    const uint8_t kind = member->type.kind;
    if (kind == sidl_kind_struct &&
        !raw_members_detach(member->type.structure, (char*)data + member->offset, _ex)) {
      return false;
    }
    if (kind == sidl_kind_rarray && !detach(member, data, _ex)) return false;
  }
  return true;
}

bool raw_members_fit(const struct sidl_struct_info* info, const void* from, const void* to,
                     struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    const void* const made = (const char*)from + member->offset;
    const void* const own = (const char*)to + member->offset;
    if (member->type.kind == sidl_kind_struct) {
      if (!raw_members_fit(member->type.structure, made, own, _ex)) return false;
    } else if (member->type.kind == sidl_kind_rarray) {
      const struct raw_member* const raw = made;
      if (!raw_array_check(&member->type, to, raw->owner, member->name, _ex)) return false;
    }
  }
  return true;
}

void raw_members_return(const struct sidl_struct_info* info, void* from, void* to) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    void* const made = (char*)from + member->offset;
    void* const own = (char*)to + member->offset;
    if (member->type.kind == sidl_kind_struct) {
      raw_members_return(member->type.structure, made, own);
    } else if (member->type.kind == sidl_kind_rarray) {
      struct raw_member* const raw = made;
      struct raw_member* const callers = own;
      const enum sidl_array_type type = sidl_array_type_of((enum sidl_kind)member->type.element);
      const size_t bytes =
          sidl__array_element_count(raw->owner) * array_element_size(array_elements_of(type));
      if (bytes > 0) memmove(callers->first, raw->first, bytes); /* both without gaps */
      sidl__array_deleteRef(raw->owner);
      *raw = *callers;
      *callers = (struct raw_member){NULL, NULL};
    }
  }
}
