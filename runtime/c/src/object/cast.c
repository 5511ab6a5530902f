/*
 * cast.c: casts between types of an object.
 *
 * Types are compared by layout, not by address: the same type may be compiled into several
 * libraries. If layouts differ they are compared by id, and checked for compatibility. sidl_cast
 * itself, which may have to ask a server, is in remote/proxy_cast.c.
 */
#include "object/layout.h"
#include "object/object.h"
#include "object/plan.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_BaseInterface_IOR.h"
#include "sidl_CastException_IOR.h"
#include "sidl_protocol.h"

ptrdiff_t type_view_offset(const struct sidl_type_info* type, uint64_t id) {
  if (type->kind == sidl_kind_class) {
    for (const struct sidl_type_info* t = type; t != NULL; t = t->parent) {
      if (t->id == id) return 0;
    }
  }
  for (int i = 0; i < type->facet_count; ++i) {
    if (type->facets[i].type->id == id) return (ptrdiff_t)type->facets[i].offset;
  }
  /* what every object is, including a proxy for an interface */
  return id == sidl_BaseInterface__info.id || id == sidl_BaseClass__info.id ? 0 : -1;
}

bool type_id_is_a(const struct sidl_type_info* type, uint64_t id) {
  return type->id == id || type_view_offset(type, id) >= 0;
}

bool type_is_a(const struct sidl_type_info* type, const struct sidl_type_info* as) {
  return type_id_is_a(type, as->id);
}

/* Casts to a type that the object's class knows in another layout, or not at all. */
__attribute__((noinline)) static void* view_in_other_layout(struct sidl_object* object,
                                                            const struct sidl_type_info* type) {
  const struct sidl_type_info* const class = object->d_class->info;
  const struct sidl_type_info* const part = layout_part(class, type->id);
  if (part == NULL || !layout_fits(type, part)) return NULL;
  return (char*)object + type_view_offset(class, type->id);
}

bool cast_fits(const void* obj, const struct sidl_type_info* type,
               struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const part = layout_part(sidl_object_type(obj), type->id);
  *_ex = NULL;
  return part == NULL || layout_check(type, part, &sidl_CastException__info, _ex);
}

void* sidl_cast_borrowed(void* obj, const struct sidl_type_info* type) {
  if (obj == NULL) return NULL;
  struct sidl_object* const object = object_of(obj);
  const ptrdiff_t offset = plan_view(object->d_class->plan, type->layout);
  return offset < 0 ? view_in_other_layout(object, type) : (char*)object + offset;
}

sidl_bool sidl_is_remote(const void* obj) {
  return obj != NULL && object_of(obj)->d_class->is_remote != 0;
}

const struct sidl_type_info* sidl_object_type(const void* obj) {
  return obj == NULL ? NULL : object_of(obj)->d_class->info;
}
