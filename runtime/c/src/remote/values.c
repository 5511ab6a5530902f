/*
 * values.c: support for protocols: objects by value.
 */
#include "object/class.h"
#include "object/object.h"
#include "sidl_BaseException_IOR.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_protocol.h"

struct sidl_io_Serializable__object* sidl_value_by_name(const char* name,
                                                        struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = sidl_type_find(name);
  *_ex = NULL;
  /* the peer chose the name: only classes passed by value may be created */
  if (type == NULL || type->kind != sidl_kind_class) return NULL;
  if (type_is_a(type, &sidl_BaseException__info)) {
    return sidl_cast_borrowed(sidl_exception_by_name(name, _ex), &sidl_io_Serializable__info);
  }
  if ((type->flags & sidl_type_abstract) != 0 || !type_is_a(type, &sidl_io_Serializable__info)) {
    return NULL;
  }
  const struct sidl_class* const class = class_load_linked(type, _ex);
  if (class == NULL) return NULL; /* known by name only: the caller tries the parent class */
  return sidl_cast_borrowed(object_create(class, _ex), &sidl_io_Serializable__info);
}
