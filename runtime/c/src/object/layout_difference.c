#include "object/layout_difference.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/seen.h"
#include "base/text.h"
#include "object/layout.h"
#include "object/type_refs.h"

static bool same_name(const char* a, const char* b) {
  return strcmp(a, b) == 0;
}

/*
 * Prefix for the name of a type that may be a class in one description and an interface in the
 * other.
 */
static const char* sort_of_ref(const struct sidl_type_ref* ref) {
  const uint8_t kind = ref->kind == sidl_kind_array ? ref->element : ref->kind;
  if (ref->object != NULL) return ref->object->kind == sidl_kind_class ? "class " : "interface ";
  if (kind == sidl_kind_struct) return "struct ";
  return kind == sidl_kind_enum && (ref->flags & sidl_ref_raw) == 0 ? "enum " : "";
}

static const char* name_of_ref(const struct sidl_type_ref* ref) {
  const uint8_t kind = ref->kind == sidl_kind_array ? ref->element : ref->kind;
  if (ref->object != NULL) return ref->object->name;
  if (kind == sidl_kind_struct) return ref->structure->name;
  if (kind == sidl_kind_enum && (ref->flags & sidl_ref_raw) == 0) return ref->enumeration->name;
  return sidl_kind_name(kind);
}

/*
 * ---- values -------------------------------------------------------------------------------------
 * Each function returns a description of the difference; NULL if there is none or memory is
 * exhausted.
 */

static char* in_ref(const char* what, const struct sidl_type_ref* a, const struct sidl_type_ref* b,
                    struct seen* seen);

static char* in_enum(const struct sidl_enum_info* a, const struct sidl_enum_info* b) {
  for (int32_t i = 0; i < a->enumerator_count; ++i) {
    const struct sidl_enumerator_info* const item = &a->enumerators[i];
    int32_t j = 0;
    while (j < b->enumerator_count && !same_name(item->name, b->enumerators[j].name)) ++j;
    if (j == b->enumerator_count)
      return text_format("%s.%s is in only one of them", a->name, item->name);
    if (b->enumerators[j].value != item->value) {
      return text_format("%s.%s is %" PRId64 " in the first and %" PRId64 " in the second", a->name,
                         item->name, item->value, b->enumerators[j].value);
    }
  }
  return a->enumerator_count == b->enumerator_count
             ? NULL
             : text_format("%s has %d enumerators in the first and %d in the second", a->name,
                           (int)a->enumerator_count, (int)b->enumerator_count);
}

static char* in_struct(const struct sidl_struct_info* a, const struct sidl_struct_info* b,
                       struct seen* seen) {
  if (seen_before(seen, a, b)) return NULL;
  const int32_t count = a->member_count < b->member_count ? a->member_count : b->member_count;
  for (int32_t i = 0; i < count; ++i) {
    const struct sidl_member_info* const x = &a->members[i];
    const struct sidl_member_info* const y = &b->members[i];
    if (!same_name(x->name, y->name)) {
      return text_format("member %d of %s is %s in the first and %s in the second", (int)i + 1,
                         a->name, x->name, y->name);
    }
    char* const what = text_format("member %s.%s", a->name, x->name);
    char* const found = what == NULL ? NULL : in_ref(what, &x->type, &y->type, seen);
    free(what);
    if (found != NULL) return found;
  }
  return a->member_count == b->member_count
             ? NULL
             : text_format("%s has %d members in the first and %d in the second", a->name,
                           (int)a->member_count, (int)b->member_count);
}

static char* in_ref(const char* what, const struct sidl_type_ref* a, const struct sidl_type_ref* b,
                    struct seen* seen) {
  if (a->kind != b->kind || a->element != b->element ||
      !same_name(name_of_ref(a), name_of_ref(b))) {
    return text_format("%s is of type %s%s%s in the first and of type %s%s%s in the second", what,
                       a->kind == sidl_kind_array ? "array of " : "", sort_of_ref(a),
                       name_of_ref(a), b->kind == sidl_kind_array ? "array of " : "",
                       sort_of_ref(b), name_of_ref(b));
  }
  if (a->dimension != b->dimension || a->order != b->order || a->flags != b->flags) {
    return text_format("%s differs in the number or order of its dimensions, or in copy", what);
  }
  if (a->kind == sidl_kind_inline && !has_same_lengths(a, b)) {
    return text_format("%s differs in its lengths", what);
  }
  const uint8_t kind = a->kind == sidl_kind_array ? a->element : a->kind;
  if (kind == sidl_kind_struct) return in_struct(a->structure, b->structure, seen);
  const bool is_enum = kind == sidl_kind_enum && (a->flags & sidl_ref_raw) == 0;
  return is_enum ? in_enum(a->enumeration, b->enumeration) : NULL;
}

/* ---- methods ------------------------------------------------------------------------------------
 */

static bool same_method(const struct sidl_method_info* a, const struct sidl_method_info* b) {
  return a == b ||
         (a->digest == b->digest && a->type->id == b->type->id && same_name(a->name, b->name));
}

static char* in_method(const struct sidl_method_info* a, const struct sidl_method_info* b) {
  const char* const type = a->type->name;
  if (!same_name(a->name, b->name) || a->type->id != b->type->id) {
    return text_format("the first has %s.%s where the second has %s.%s", type, a->name,
                       b->type->name, b->name);
  }
  if (a->arg_count != b->arg_count) {
    return text_format("%s.%s differs in its number of arguments", type, a->name);
  }
  struct seen seen = {0};
  char* const result = text_format("the result of %s.%s", type, a->name);
  char* found = result == NULL ? NULL : in_ref(result, &a->result, &b->result, &seen);
  free(result);
  for (int32_t i = 0; i < a->arg_count && found == NULL; ++i) {
    char* const what = text_format("argument %s of %s.%s", a->args[i].name, type, a->name);
    if (what != NULL && a->args[i].mode != b->args[i].mode) {
      found = text_format("%s differs in its mode", what);
    } else if (what != NULL) {
      found = in_ref(what, &a->args[i].type, &b->args[i].type, &seen);
    }
    free(what);
  }
  seen_free(&seen);
  return found != NULL ? found : text_format("%s.%s differs in its signature", type, a->name);
}

static char* first_difference(const struct sidl_type_info* user,
                              const struct sidl_type_info* provider, bool* alike) {
  *alike = false;
  if (user->id != provider->id || user->kind != provider->kind) {
    return text_format("%s is a class in the first and an interface in the second", user->name);
  }
  for (uint16_t s = 0; s < user->slot_count; ++s) {
    if (s == provider->slot_count) {
      return text_format("%s.%s is in only one of them", user->name, user->slots[s]->name);
    }
    if (!same_method(user->slots[s], provider->slots[s])) {
      return in_method(user->slots[s], provider->slots[s]);
    }
  }
  for (uint16_t s = 0; s < user->static_count; ++s) {
    if (s == provider->static_count) {
      return text_format("%s.%s is in only one of them", user->name, user->statics[s].name);
    }
    if (!same_method(&user->statics[s], &provider->statics[s])) {
      return in_method(&user->statics[s], &provider->statics[s]);
    }
  }
  if (user->parent != NULL && layout_part(provider, user->parent->id) == NULL) {
    return text_format("%s is a %s in only one of them", user->name, user->parent->name);
  }
  for (uint16_t f = 0; f < user->facet_count; ++f) {
    if (layout_part(provider, user->facets[f].type->id) == NULL) {
      return text_format("%s is a %s in only one of them", user->name, user->facets[f].type->name);
    }
  }
  *alike = true;
  return NULL;
}

bool layout_begins_alike(const struct sidl_type_info* user, const struct sidl_type_info* provider,
                         char** difference) {
  bool alike = false;
  char* const text = first_difference(user, provider, &alike);
  if (difference != NULL) {
    *difference = text;
  } else {
    free(text);
  }
  return alike;
}
