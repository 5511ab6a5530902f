#include "remote/exports.h"

#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "base/text.h"
#include "object/class.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_string_IOR.h"

TABLE_LOCK(lock);
static const struct sidl_class** exports; /* sorted by name */
static size_t export_count;

/* Index of the class, or where to insert it. */
static size_t position_locked(const char* name, bool* found) {
  size_t i = 0;
  while (i < export_count && strcmp(exports[i]->info->name, name) < 0) ++i;
  *found = i < export_count && strcmp(exports[i]->info->name, name) == 0;
  return i;
}

static bool insert_locked(const struct sidl_class* class) {
  bool found = false;
  const size_t i = position_locked(class->info->name, &found);
  if (found) return true;
  const struct sidl_class** const more = realloc(exports, (export_count + 1) * sizeof *exports);
  if (more == NULL) return false;
  exports = more;
  memmove(&exports[i + 1], &exports[i], (export_count - i) * sizeof *exports);
  exports[i] = class;
  ++export_count;
  return true;
}

bool exports_add(const char* class_name, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (class_name == NULL) class_name = "";
  const struct sidl_class* const class = class_load_by_name(class_name, _ex);
  if (class == NULL) return false;
  if ((class->info->flags & sidl_type_abstract) != 0) {
    THROW(_ex, sidl_NotImplementedException,
          "class %s is abstract: no objects of it can be created", class_name);
    return false;
  }
  pthread_mutex_lock(&lock);
  const bool ok = insert_locked(class);
  pthread_mutex_unlock(&lock);
  if (!ok) throw_memory(_ex);
  return ok;
}

static const struct sidl_class* find(const char* class_name) {
  bool found = false;
  if (class_name == NULL) return NULL;
  pthread_mutex_lock(&lock);
  const size_t i = position_locked(class_name, &found);
  const struct sidl_class* const class = found ? exports[i] : NULL;
  pthread_mutex_unlock(&lock);
  return class;
}

bool exports_contains(const char* class_name) {
  return find(class_name) != NULL;
}

/* The exported classes for an error text, at most ten. NULL if memory is exhausted. */
static char* offer(void) {
  enum { MOST = 10 };
  struct text text = {NULL, 0, 0};
  pthread_mutex_lock(&lock);
  bool ok = text_append_string(&text, export_count == 0 ? "it exports no classes" : "it exports ");
  for (size_t i = 0; ok && i < export_count && i < MOST; ++i) {
    ok = text_append_format(&text, "%s%s", i == 0 ? "" : ", ", exports[i]->info->name);
  }
  if (ok && export_count > MOST) {
    ok = text_append_format(&text, " and %zu more", export_count - MOST);
  }
  pthread_mutex_unlock(&lock);
  if (ok) return text.chars;
  text_free(&text);
  return NULL;
}

static void throw_not_exported(const char* class_name, struct sidl_BaseInterface__object** _ex) {
  char* const offered = offer();
  if (offered == NULL) {
    throw_memory(_ex);
    return;
  }
  THROW(_ex, sidl_rmi_ProtocolException, "this server does not export class '%s': %s", class_name,
        offered);
  free(offered);
}

void* exports_create(const char* class_name, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_class* const class = find(class_name);
  *_ex = NULL;
  if (class != NULL) return object_create(class, _ex);
  throw_not_exported(class_name == NULL ? "" : class_name, _ex);
  return NULL;
}

struct sidl_string__array* exports_list(struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  pthread_mutex_lock(&lock);
  struct sidl_string__array* const list = sidl_string__array_create1d((int32_t)export_count);
  for (size_t i = 0; i < export_count; ++i) {
    sidl_string__array_set1(list, (int32_t)i, exports[i]->info->name);
  }
  pthread_mutex_unlock(&lock);
  if (list == NULL) throw_memory(_ex);
  return list;
}
