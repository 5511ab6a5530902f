/*
 * exceptions.c: support for protocols: exceptions by value, and throwing network exceptions.
 */
#include <stdlib.h>

#include "base/reference.h"
#include "object/class.h"
#include "object/object.h"
#include "object/stand_in.h"
#include "object/throw.h"
#include "sidl_BaseException_IOR.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_protocol.h"
#include "sidl_rmi_NetworkException.h"
#include "sidl_rmi_RequestFate.h"

struct sidl_BaseException__object* sidl_exception_by_name(const char* name,
                                                          struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = sidl_type_find(name);
  *_ex = NULL;
  /* the peer chose the name: only exceptions may be created */
  if (type == NULL || type->kind != sidl_kind_class) return NULL;
  if ((type->flags & sidl_type_abstract) != 0 || !type_is_a(type, &sidl_BaseException__info)) {
    return NULL;
  }
  const struct sidl_class* const class = exception_class(type, _ex);
  if (class == NULL) {
    /* known by name only: the caller tries the parent class */
    reference_drop(*_ex);
    *_ex = NULL;
    return NULL;
  }
  void* const object = object_create(class, _ex);
  return sidl_cast_borrowed(object, &sidl_BaseException__info);
}

const char** sidl_class_chain(const void* obj) {
  const struct sidl_type_info* const type = stand_in_type(obj);
  size_t count = 0;
  for (const struct sidl_type_info* t = type; t != NULL; t = t->parent) ++count;
  const char** const chain = malloc((count + 1) * sizeof *chain);
  if (chain == NULL) return NULL;
  count = 0;
  for (const struct sidl_type_info* t = type; t != NULL; t = t->parent) chain[count++] = t->name;
  chain[count] = NULL;
  return chain;
}

void sidl_rmi_throw(const struct sidl_type_info* type, const char* note, int32_t err, int64_t fate,
                    const char* file, int32_t line, const char* function,
                    struct sidl_BaseInterface__object** _ex) {
  struct sidl_BaseInterface__object* ignored = NULL;
  throw_note(type, _ex, file, line, function, "%s", note == NULL ? "" : note);
  struct sidl_rmi_NetworkException__object* const thrown =
      sidl_cast_borrowed(*_ex, &sidl_rmi_NetworkException__info);
  if (thrown == NULL) return; /* out of memory: *_ex is a sidl.MemAllocException */
  sidl_rmi_NetworkException_setErrno(thrown, err, &ignored);
  reference_drop(ignored);
  sidl_rmi_NetworkException_setFate(thrown, fate, &ignored);
  reference_drop(ignored);
}
