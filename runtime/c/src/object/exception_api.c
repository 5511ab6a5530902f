/* exception_api.c: sidl_Exception.h, origins, and the functions that report exhausted memory. */
#include <stdio.h>
#include <stdlib.h>

#include "base/reference.h"
#include "object/exception_text.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_BaseException.h"
#include "sidl_Exception.h"
#include "sidl_SIDLException_IOR.h"
#include "sidl_String.h"
#include "sidl_protocol.h"

void sidl_update_exception(struct sidl_BaseInterface__object* ex, const char* filename,
                           int32_t line, const char* funcname) {
  struct sidl_BaseException__object* const self = sidl_cast_borrowed(ex, &sidl_BaseException__info);
  struct sidl_BaseInterface__object* ignored = NULL;
  if (self == NULL) return;
  sidl_BaseException_add(self, filename, line, funcname, &ignored);
  reference_drop(ignored);
}

void sidl_report_exception(struct sidl_BaseInterface__object* ex) {
  struct sidl_BaseException__object* const self = sidl_cast_borrowed(ex, &sidl_BaseException__info);
  struct sidl_BaseInterface__object* ignored = NULL;
  if (ex == NULL) return;
  char* const note = self == NULL ? NULL : sidl_BaseException_getNote(self, &ignored);
  SIDL_CLEAR(ignored);
  char* const trace = self == NULL ? NULL : sidl_BaseException_getTrace(self, &ignored);
  SIDL_CLEAR(ignored);
  fprintf(stderr, "%s: %s\n%s", sidl_object_type(ex)->name, note == NULL ? "" : note,
          trace == NULL ? "" : trace);
  sidl_String_free(note);
  sidl_String_free(trace);
}

int SIDL_CATCH(struct sidl_BaseInterface__object* ex_var, const char* sidl_Name) {
  struct sidl_BaseInterface__object* ignored = NULL;
  if (ex_var == NULL || sidl_Name == NULL) return FALSE;
  const sidl_bool matches = ex_var->d_epv->f_isType(ex_var->d_object, sidl_Name, &ignored);
  reference_drop(ignored);
  return matches;
}

struct sidl_BaseInterface__object* sidl_prepare_exception(
    void* created, struct sidl_BaseInterface__object* failure, const char* note,
    const char* filename, int32_t line, const char* funcname) {
  if (created == NULL) return failure;
  struct sidl_BaseInterface__object* ignored = NULL;
  struct sidl_BaseException__object* const self =
      sidl_cast_borrowed(created, &sidl_BaseException__info);
  if (self != NULL) {
    sidl_BaseException_setNote(self, note, &ignored);
    SIDL_CLEAR(ignored);
    sidl_BaseException_add(self, filename, line, funcname, &ignored);
    SIDL_CLEAR(ignored);
  }
  return created;
}

void sidl_release_exception(void* ex) {
  reference_drop(ex);
}

/* NULL for a proxy, or if it is not a sidl.SIDLException. */
static struct exception_text* text_of(const void* ex) {
  struct sidl_object* const object = object_of(ex);
  if (object->d_class->is_remote) return NULL;
  if (!type_is_a(object->d_class->info, &sidl_SIDLException__info)) return NULL;
  return ((struct sidl_SIDLException__object*)object)->d_data;
}

sidl_bool sidl_exception_set_origin(void* ex, void* origin, void (*release)(void* origin)) {
  struct exception_text* const text = text_of(ex);
  if (text == NULL || text->frozen || text->release != NULL) return FALSE;
  text->origin = origin;
  text->release = release;
  return TRUE;
}

void* sidl_exception_origin(const void* ex, void (*release)(void* origin)) {
  const struct exception_text* const text = text_of(ex);
  return text != NULL && text->release == release ? text->origin : NULL;
}

void* sidl_malloc(size_t size, const char* note, const char* file, int32_t line,
                  const char* function, struct sidl_BaseInterface__object** _ex) {
  (void)note;
  void* const memory = malloc(size == 0 ? 1 : size);
  *_ex = NULL;
  if (memory == NULL) {
    throw_memory(_ex);
    sidl_update_exception(*_ex, file, line, function);
  }
  return memory;
}

/* Returns the string; sets *_ex if it is NULL but should not be. */
static char* checked(char* string, sidl_bool expected, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (string == NULL && expected) throw_memory(_ex);
  return string;
}

char* sidl_String_alloc_ex(size_t size, struct sidl_BaseInterface__object** _ex) {
  return checked(sidl_String_alloc(size), TRUE, _ex);
}

char* sidl_String_strdup_ex(const char* s, struct sidl_BaseInterface__object** _ex) {
  return checked(sidl_String_strdup(s), s != NULL, _ex);
}

char* sidl_String_strndup_ex(const char* s, size_t n, struct sidl_BaseInterface__object** _ex) {
  return checked(sidl_String_strndup(s, n), s != NULL, _ex);
}

char* sidl_String_concat2_ex(const char* s1, const char* s2,
                             struct sidl_BaseInterface__object** _ex) {
  return checked(sidl_String_concat2(s1, s2), TRUE, _ex);
}

char* sidl_String_concat3_ex(const char* s1, const char* s2, const char* s3,
                             struct sidl_BaseInterface__object** _ex) {
  return checked(sidl_String_concat3(s1, s2, s3), TRUE, _ex);
}

char* sidl_String_concat4_ex(const char* s1, const char* s2, const char* s3, const char* s4,
                             struct sidl_BaseInterface__object** _ex) {
  return checked(sidl_String_concat4(s1, s2, s3, s4), TRUE, _ex);
}
