/*
 * calls.c: access to libsidl's tables for stubs.
 */
#include <stdarg.h>
#include <stdio.h>

#include "sidl_BaseException_IOR.h"
#include "sidl_BaseInterface_IOR.h"
#include "sidl_CastException.h"
#include "sidl_Exception.h"
#include "sidl_MemAllocException.h"
#include "sidl_fortran.h"

const struct sidl_type_info* sidl_fortran_base_interface(void) {
  return &sidl_BaseInterface__info;
}

const struct sidl_type_info* sidl_fortran_base_exception(void) {
  return &sidl_BaseException__info;
}

int sidl_fortran_has_hooks(const void* object) {
  return sidl_has_hooks(object);
}

void sidl_fortran_refuse(struct sidl_BaseInterface__object** _ex, const char* format, ...) {
  char note[200];
  struct sidl_BaseInterface__object* failure = NULL;
  va_list values;
  va_start(values, format);
  vsnprintf(note, sizeof note, format, values);
  va_end(values);
  void* const created = sidl_CastException__create(&failure);
  *_ex = sidl_prepare_exception(created, failure, note, __FILE__, __LINE__, "the Fortran binding");
}

void sidl_fortran_no_memory(struct sidl_BaseInterface__object** _ex) {
  struct sidl_BaseInterface__object* failure = NULL;
  if (*_ex != NULL) return;
  void* const created = sidl_MemAllocException__create(&failure);
  *_ex = sidl_prepare_exception(created, failure, "no memory for what a call brings", __FILE__,
                                __LINE__, "the Fortran binding");
}

void sidl_fortran_no_object(const char* where, struct sidl_BaseInterface__object** _ex) {
  sidl_fortran_refuse(_ex, "%s: the handle refers to no object", where);
}

void sidl_fortran_refuse_raw(const char* what, int64_t has, int64_t needs,
                             struct sidl_BaseInterface__object** _ex) {
  if (*_ex != NULL) return;
  if (has < 0) {
    sidl_fortran_refuse(_ex, "%s is not allocated, and should have %lld elements", what,
                        (long long)needs);
  } else if (needs < 0) {
    sidl_fortran_refuse(_ex, "%s was allocated, but the caller has no memory for its %lld elements",
                        what, (long long)has);
  } else {
    sidl_fortran_refuse(_ex, "%s has another shape than its extents say: %lld elements, not %lld",
                        what, (long long)has, (long long)needs);
  }
}

void* sidl_fortran_seen(void* object, const struct sidl_type_info* type,
                        struct sidl_BaseInterface__object** _ex) {
  if (*_ex != NULL || object == NULL) return NULL;
  void* const seen = sidl_cast(object, type, _ex);
  if (seen == NULL && *_ex == NULL) sidl_fortran_refuse(_ex, "an argument is not a %s", type->name);
  return seen;
}

static const struct sidl_method_info* method_of(const struct sidl_type_info* type, int slot) {
  return slot < 0 ? &type->statics[-1 - slot] : type->slots[slot];
}

struct sidl_rmi_Ticket__object* sidl_fortran_send(void* self, const struct sidl_type_info* type,
                                                  int slot, void* const* args,
                                                  struct sidl_BaseInterface__object** _ex) {
  return sidl_rmi_send(self, method_of(type, slot), args, _ex);
}

/* A raw array's memory is the caller's. */
void sidl_fortran_receive(void* self, const struct sidl_type_info* type, int slot,
                          struct sidl_rmi_Ticket__object* ticket, void* const* args, void* result,
                          struct sidl_BaseInterface__object** _ex) {
  sidl_rmi_receive_raw(self, method_of(type, slot), ticket, args, result, _ex);
}
