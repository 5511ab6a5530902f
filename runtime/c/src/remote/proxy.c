#include "remote/proxy.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "base/hash.h"
#include "base/reference.h"
#include "object/alive.h"
#include "object/class.h"
#include "object/class_info.h"
#include "object/layout.h"
#include "object/object.h"
#include "object/plan.h"
#include "object/throw.h"
#include "remote/callers.h"
#include "remote/deadline.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_String.h"
#include "sidl_rmi_InstanceHandle.h"

struct sidl_rmi_InstanceHandle__object* sidl_proxy_handle(const void* obj) {
  if (!sidl_is_remote(obj)) return NULL;
  return ((const struct sidl_BaseClass__object*)(const void*)object_of(obj))->d_data;
}

const struct sidl_type_info* proxy_real_type(struct sidl_rmi_InstanceHandle__object* handle,
                                             struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  char* const name = sidl_rmi_InstanceHandle_getTypeName(handle, _ex);
  const struct sidl_type_info* const type = *_ex == NULL ? sidl_type_find(name) : NULL;
  sidl_String_free(name);
  return type;
}

/*
 * The type to use for a proxy: the real one if it is known here and a subtype of the wanted one
 * with a compatible layout, else the wanted one.
 */
static const struct sidl_type_info* best_type(const struct sidl_type_info* real,
                                              const struct sidl_type_info* wanted) {
  const struct sidl_type_info* const part =
      real == NULL || wanted == NULL ? real : layout_part(real, wanted->id);
  if (part != NULL && (wanted == NULL || layout_fits(wanted, part))) return real;
  return wanted == NULL || wanted->id == sidl_BaseInterface__info.id ? &sidl_BaseClass__info
                                                                     : wanted;
}

void* sidl_proxy_create(struct sidl_rmi_InstanceHandle__object* handle,
                        const struct sidl_type_info* type,
                        struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const real = proxy_real_type(handle, _ex);
  if (*_ex != NULL) return NULL;
  const struct sidl_class* const class = class_proxy(best_type(real, type), _ex);
  if (class == NULL) return NULL;
  struct sidl_BaseClass__object* const proxy = object_allocate(class);
  if (proxy == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  alive_proxy(class, +1);
  proxy->d_data = reference_take(handle);
  struct proxy_tail* const tail = proxy_tail(proxy);
  tail->deadline = NO_DEADLINE;
  tail->caller = caller_of(sidl_object_type(handle));
  return sidl_cast_borrowed(proxy, type == NULL ? &sidl_BaseInterface__info : type);
}

_Static_assert(sizeof(struct proxy_tail) <= PLAN_TAIL_SIZE, "a proxy has room for its tail");

static inline struct proxy_tail* tail_of(struct sidl_object* proxy) {
  return (struct proxy_tail*)(void*)((char*)proxy + plan_tail(proxy->d_class->plan));
}

struct proxy_tail* proxy_tail(const void* obj) {
  return sidl_is_remote(obj) ? tail_of(object_of(obj)) : NULL;
}

sidl_rmi_caller proxy_caller(const void* obj, struct sidl_rmi_InstanceHandle__object** handle) {
  struct sidl_object* const object = object_of(obj);
  if (object->d_class->is_remote == 0) return NULL;
  *handle = ((const struct sidl_BaseClass__object*)(const void*)object)->d_data;
  return *handle == NULL ? NULL : tail_of(object)->caller;
}

/*
 * ---- the slots of sidl.BaseInterface ----------------------------------------------------------
 * Destroyed stand-ins have them as well, but no handle.
 */

void sidl_proxy_addRef(void* self, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  refcount_take(&object_of(self)->d_refcount);
}

void sidl_proxy_deleteRef(void* self, struct sidl_BaseInterface__object** _ex) {
  struct sidl_object* const object = object_of(self);
  *_ex = NULL;
  if (!refcount_drop(&object->d_refcount)) return;
  alive_proxy(object->d_class, -1);
  reference_drop(sidl_proxy_handle(self));
  free(object);
}

/* Slots in every EPV. */
enum { IS_SAME = 2, IS_TYPE = 3 };

/* "/7" of "simhandle://host:4711/7", "#board" of "simhandle+unix:///path#board". */
static const char* last_separator(const char* url) {
  const char* last = url;
  for (const char* c = url; *c != '\0'; ++c) {
    if (*c == '/' || *c == '#') last = c;
  }
  return last;
}

/* Whether the two URLs differ in nothing but the name of the object. */
static bool are_of_one_server(const char* a, const char* b) {
  const size_t server = (size_t)(last_separator(a) - a);
  return server == (size_t)(last_separator(b) - b) && strncmp(a, b, server) == 0;
}

/* The server knows: an object may have a published name besides its id. */
static sidl_bool ask_same(void* self, struct sidl_BaseInterface__object* other,
                          struct sidl_BaseInterface__object** _ex) {
  sidl_bool answer = FALSE;
  void* const args[] = {&other};
  sidl_rmi_invoke(object_of(self), sidl_BaseInterface__info.slots[IS_SAME], args, &answer, _ex);
  return answer;
}

/* Objects of clients, which run no server, have no URLs, and ids that no other client's have. */
static sidl_bool have_same_id(struct sidl_rmi_InstanceHandle__object* mine,
                              struct sidl_rmi_InstanceHandle__object* theirs,
                              struct sidl_BaseInterface__object** _ex) {
  char* const a = sidl_rmi_InstanceHandle_getObjectID(mine, _ex);
  char* const b = *_ex == NULL ? sidl_rmi_InstanceHandle_getObjectID(theirs, _ex) : NULL;
  const sidl_bool same = *_ex == NULL && a != NULL && b != NULL && strcmp(a, b) == 0;
  sidl_String_free(a);
  sidl_String_free(b);
  return same;
}

sidl_bool sidl_proxy_isSame(void* self, struct sidl_BaseInterface__object* other,
                            struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (other == NULL) return FALSE;
  struct sidl_rmi_InstanceHandle__object* const mine = sidl_proxy_handle(self);
  struct sidl_rmi_InstanceHandle__object* const theirs = sidl_proxy_handle(other);
  if (mine == NULL || theirs == NULL) return object_of(self) == object_of(other);
  if (mine->d_object == theirs->d_object) return TRUE;
  char* const a = sidl_rmi_InstanceHandle_getObjectURL(mine, _ex);
  char* const b = *_ex == NULL ? sidl_rmi_InstanceHandle_getObjectURL(theirs, _ex) : NULL;
  sidl_bool same = FALSE;
  if (*_ex == NULL && a != NULL && b != NULL) {
    same = *a == '\0' && *b == '\0'
               ? have_same_id(mine, theirs, _ex)
               : strcmp(a, b) == 0 || (are_of_one_server(a, b) && ask_same(self, other, _ex));
  }
  sidl_String_free(a);
  sidl_String_free(b);
  return same;
}

sidl_bool proxy_ask_type(void* self, const char* name, struct sidl_BaseInterface__object** _ex) {
  sidl_bool answer = FALSE;
  void* const args[] = {&name};
  sidl_rmi_invoke(object_of(self), sidl_BaseInterface__info.slots[IS_TYPE], args, &answer, _ex);
  return answer;
}

sidl_bool sidl_proxy_isType(void* self, const char* name, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const seen = sidl_object_type(self);
  *_ex = NULL;
  if (name == NULL) return FALSE;
  if (type_id_is_a(seen, fnv1a(name))) return TRUE;
  struct sidl_rmi_InstanceHandle__object* const handle = sidl_proxy_handle(self);
  if (handle == NULL) return FALSE;
  const struct sidl_type_info* const real = proxy_real_type(handle, _ex);
  if (*_ex != NULL) return FALSE;
  if (real != NULL) return type_id_is_a(real, fnv1a(name));
  return proxy_ask_type(self, name, _ex);
}

struct sidl_ClassInfo__object* sidl_proxy_getClassInfo(void* self,
                                                       struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_InstanceHandle__object* const handle = sidl_proxy_handle(self);
  const struct sidl_type_info* const seen = sidl_object_type(self);
  *_ex = NULL;
  if (handle == NULL) return class_info_create(seen->name, seen->version, _ex);
  char* const name = sidl_rmi_InstanceHandle_getTypeName(handle, _ex);
  const struct sidl_type_info* const real = *_ex == NULL ? sidl_type_find(name) : NULL;
  struct sidl_ClassInfo__object* const info =
      *_ex == NULL
          ? class_info_create(name == NULL ? "" : name, real == NULL ? "" : real->version, _ex)
          : NULL;
  sidl_String_free(name);
  return info;
}
