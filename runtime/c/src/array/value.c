#include "array/value.h"

#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "array/raw_member.h"
#include "base/reference.h"
#include "base/seen.h"
#include "object/throw.h"
#include "object/type_refs.h"
#include "sidl_String.h"

const uint8_t value_sizes[] = {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) [kind] = sizeof(ctype),
#include "sidl_kinds.def"
    [sidl_kind_void] = 0,
    [sidl_kind_enum] = 8,
    [sidl_kind_struct] = 0,
    [sidl_kind_interface] = sizeof(void*),
    [sidl_kind_class] = sizeof(void*),
    [sidl_kind_array] = sizeof(void*),
    [sidl_kind_rarray] = sizeof(struct raw_member),
    [sidl_kind_inline] = 0,
};

size_t inline_size(const struct sidl_type_ref* type) {
  size_t size = value_sizes[type->element];
  for (int d = 0; d < type->dimension; ++d) size *= (size_t)type->lengths[d];
  return size;
}

void value_destroy(const struct sidl_type_ref* type, void* value) {
  switch (type->kind) {
    case sidl_kind_string:
      sidl_String_free(*(char**)value);
      break;
    case sidl_kind_interface:
    case sidl_kind_class:
      reference_drop(*(void**)value);
      break;
    case sidl_kind_array:
      sidl__array_deleteRef(*(struct sidl__array**)value);
      break;
    case sidl_kind_rarray:
      sidl__array_deleteRef(((struct raw_member*)value)->owner);
      break;
    case sidl_kind_struct:
      sidl_struct_destroy(type->structure, value);
      return;
    default:
      break;
  }
  value_clear(type, value);
}

void value_move(const struct sidl_type_ref* type, void* from, void* to) {
  memcpy(to, from, value_size(type));
  memset(from, 0, value_size(type));
}

static bool copy_string(char* from, char** to) {
  *to = sidl_String_strdup(from);
  return *to != NULL || from == NULL;
}

static bool copy_array(const struct any_array* from, struct any_array** to) {
  *to = from == NULL ? NULL : array_duplicate(from);
  return *to != NULL || from == NULL;
}

static bool copy_members(const struct sidl_struct_info* info, const char* from, char* to) {
  sidl_struct_init(info, to);
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    if (!value_copy(&member->type, from + member->offset, to + member->offset)) {
      sidl_struct_destroy(info, to);
      return false;
    }
  }
  return true;
}

bool value_copy(const struct sidl_type_ref* type, const void* from, void* to) {
  switch (type->kind) {
    case sidl_kind_string:
      return copy_string(*(char* const*)from, to);
    case sidl_kind_interface:
    case sidl_kind_class:
      *(void**)to = reference_take(*(void* const*)from);
      return true;
    case sidl_kind_array:
      return copy_array(*(const struct any_array* const*)from, to);
    case sidl_kind_rarray:
      *(struct raw_member*)to = *(const struct raw_member*)from;
      sidl__array_addRef(((struct raw_member*)to)->owner);
      return true;
    case sidl_kind_struct:
      return copy_members(type->structure, from, to);
    default:
      memcpy(to, from, value_size(type));
      return true;
  }
}

void sidl_struct_init(const struct sidl_struct_info* info, void* data) {
  memset(data, 0, info->size);
}

uint32_t struct_kinds_of_members(const struct sidl_struct_info* info) {
  uint32_t kinds = 0;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    kinds |= SIDL_KIND_BIT(type->kind);
    if (is_array_kind(type->kind)) kinds |= SIDL_KIND_BIT(type->element);
  }
  return kinds;
}

bool struct_is_plain(const struct sidl_struct_info* info) {
  const uint32_t owning = struct_kinds(info) & OWNING_KINDS;
  if (owning == 0) return true;
  if (owning != SIDL_KIND_BIT(sidl_kind_struct)) return false;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    if (type->kind == sidl_kind_struct && !struct_is_plain(type->structure)) return false;
  }
  return true;
}

bool struct_assign(const struct sidl_struct_info* info, const void* from, void* to) {
  void* const copy = malloc(info->size);
  const bool ok = copy != NULL && copy_members(info, from, copy);
  if (ok) {
    sidl_struct_destroy(info, to);
    memcpy(to, copy, info->size);
  }
  free(copy);
  return ok;
}

static bool has_same_members(const struct sidl_struct_info* a, const struct sidl_struct_info* b,
                             struct seen* seen);

static bool is_same_type(const struct sidl_type_ref* a, const struct sidl_type_ref* b,
                         struct seen* seen) {
  if (a->kind != b->kind || a->element != b->element || a->dimension != b->dimension) return false;
  if (a->kind == sidl_kind_inline && !has_same_lengths(a, b)) return false;
  const bool is_struct = (a->kind == sidl_kind_array ? a->element : a->kind) == sidl_kind_struct;
  if (is_struct && !has_same_members(a->structure, b->structure, seen)) return false;
  return a->object == b->object ||
         (a->object != NULL && b->object != NULL && strcmp(a->object->name, b->object->name) == 0);
}

/* What has been seen is the same, or else the difference has been found. */
static bool has_same_members(const struct sidl_struct_info* a, const struct sidl_struct_info* b,
                             struct seen* seen) {
  if (a == b || seen_before(seen, a, b)) return true;
  if (strcmp(a->name, b->name) != 0 || a->size != b->size) return false;
  if (a->member_count != b->member_count) return false;
  for (int32_t i = 0; i < a->member_count; ++i) {
    if (a->members[i].offset != b->members[i].offset) return false;
    if (!is_same_type(&a->members[i].type, &b->members[i].type, seen)) return false;
  }
  return true;
}

bool struct_is_same(const struct sidl_struct_info* a, const struct sidl_struct_info* b) {
  struct seen seen = {0};
  if (a == b) return true;
  const bool same = has_same_members(a, b, &seen) && !seen.failed;
  seen_free(&seen);
  return same;
}

void sidl_struct_destroy(const struct sidl_struct_info* info, void* data) {
  if ((struct_kinds(info) & OWNING_KINDS) != 0) {
    for (int32_t i = 0; i < info->member_count; ++i) {
      value_release(&info->members[i].type, (char*)data + info->members[i].offset);
    }
  }
  memset(data, 0, info->size);
}

void sidl_struct_own(const struct sidl_struct_info* info, void* data) {
  const uint32_t wanted = SIDL_KIND_BIT(sidl_kind_string) | SIDL_KIND_BIT(sidl_kind_struct);
  if ((struct_kinds(info) & wanted) == 0) return;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    void* const member = (char*)data + info->members[i].offset;
    if (type->kind == sidl_kind_struct) sidl_struct_own(type->structure, member);
    if (type->kind != sidl_kind_string) continue;
    char** const text = member;
    if (((uintptr_t)*text & 1) != 0) *text = sidl_String_strdup(*text);
  }
}

/* Some at a time: most are kept by their array, as received ones are, all of them or none. */
static void texts_destroy(char* at, size_t step, size_t count) {
  enum { RUN = 8 };
  for (; count >= RUN; count -= RUN) {
    uintptr_t kept = 1;
    char* next = at;
#pragma GCC unroll 8
    for (int i = 0; i < RUN; ++i, next += step) {
      char* const text = *(char**)(void*)next;
      kept &= (uintptr_t)text;
    }
    for (; kept == 0 && at != next; at += step) sidl_String_free(*(char**)(void*)at);
    at = next;
  }
  for (; count > 0; --count, at += step) sidl_String_free(*(char**)(void*)at);
}

void structs_destroy(const struct sidl_struct_info* info, void* first, size_t step, size_t count) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    char* at = (char*)first + info->members[i].offset;
    if ((OWNING_KINDS & SIDL_KIND_BIT(type->kind)) == 0) continue;
    if (type->kind == sidl_kind_struct) {
      structs_destroy(type->structure, at, step, count);
      continue;
    }
    if (type->kind == sidl_kind_string) {
      texts_destroy(at, step, count);
      continue;
    }
    for (size_t n = 0; n < count; ++n, at += step) value_destroy(type, at);
  }
}

sidl_bool sidl_struct_replace(const struct sidl_struct_info* info, void* made, void* own,
                              struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (!raw_members_fit(info, made, own, _ex)) return FALSE;
  raw_members_return(info, made, own);
  sidl_struct_destroy(info, own);
  memcpy(own, made, info->size);
  sidl_struct_init(info, made);
  return TRUE;
}

void sidl_struct_copy(const struct sidl_struct_info* info, const void* from, void* to,
                      struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (!copy_members(info, from, to)) throw_memory(_ex);
}
