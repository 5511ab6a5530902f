/* values.c: values of any type, in frames and elsewhere. */
#include <string.h>

#include "internal.h"
#include "sidl_String.h"

size_t size_of(const struct sidl_type_ref* type) {
  switch (type->kind) {
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  case number:                                              \
    return sizeof(ctype);
#include "sidl_kinds.def"
    case sidl_kind_struct:
      return type->structure->size;
    case sidl_kind_enum:
      return sizeof(int64_t);
    case sidl_kind_void:
      return 0;
    case sidl_kind_inline: {
      size_t size = (size_t)sidl__array_element_size(sidl_array_type_of(type->element));
      for (int d = 0; d < type->dimension; ++d) size *= (size_t)type->lengths[d];
      return size;
    }
    default:
      return sizeof(void*);
  }
}

size_t slot_of(const struct sidl_type_ref* type) {
  return (size_of(type) + 7) / 8 * 8;
}

sidl_bool is_object(const struct sidl_type_ref* type) {
  return type->kind == sidl_kind_class || type->kind == sidl_kind_interface;
}

void add_ref(void* ior) {
  struct sidl_BaseInterface__object* const object = ior;
  struct sidl_BaseInterface__object* ex = NULL;
  object->d_epv->f_addRef(object->d_object, &ex);
  if (ex != NULL) drop(ex);
}

void drop(void* ior) {
  struct sidl_BaseInterface__object* const object = ior;
  struct sidl_BaseInterface__object* ex = NULL;
  object->d_epv->f_deleteRef(object->d_object, &ex);
  if (ex != NULL) drop(ex);
}

void destroy(const struct sidl_type_ref* type, void* value) {
  if (type->kind == sidl_kind_struct) {
    sidl_struct_destroy(type->structure, value);
    return;
  }
  const sidl_bool owns =
      is_object(type) || type->kind == sidl_kind_array || type->kind == sidl_kind_string;
  void* owned = NULL;
  if (owns) memcpy(&owned, value, sizeof owned);
  memset(value, 0, size_of(type));
  if (owned == NULL) return;
  if (is_object(type)) {
    drop(owned);
  } else if (type->kind == sidl_kind_array) {
    sidl__array_deleteRef(owned);
  } else {
    sidl_String_free(owned);
  }
}
