/*
 * proxy_cast.c: sidl_cast, the only cast that may have to ask a server.
 */
#include "base/reference.h"
#include "object/object.h"
#include "remote/deadline.h"
#include "remote/proxy.h"

/*
 * A proxy that cannot be cast to `type` may still represent an object of that type: the caller then
 * gets another proxy over the same handle.
 */
static void* cast_remote(void* obj, const struct sidl_type_info* type,
                         struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_InstanceHandle__object* const handle = sidl_proxy_handle(obj);
  const struct sidl_type_info* const real = proxy_real_type(handle, _ex);
  if (*_ex != NULL) return NULL;
  const sidl_bool is_type =
      real != NULL ? type_is_a(real, type) : proxy_ask_type(obj, type->name, _ex);
  if (*_ex != NULL || !is_type) return NULL;
  void* const proxy = sidl_proxy_create(handle, type, _ex);
  if (proxy != NULL) proxy_tail(proxy)->deadline = deadline_of_object(obj);
  return proxy;
}

void* sidl_cast(void* obj, const struct sidl_type_info* type,
                struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  void* const view = sidl_cast_borrowed(obj, type);
  if (view != NULL) return reference_take(view);
  if (obj == NULL) return NULL;
  if (sidl_is_remote(obj)) return cast_remote(obj, type, _ex);
  cast_fits(obj, type, _ex);
  return NULL;
}

void* sidl_cast_over(void* obj, const struct sidl_type_info* type) {
  void* const view = sidl_cast_borrowed(obj, type);
  if (view != NULL || obj == NULL) return view;
  struct sidl_BaseInterface__object* ex = NULL;
  void* const other = sidl_cast(obj, type, &ex);
  reference_drop(ex);
  reference_drop(obj);
  return other;
}
