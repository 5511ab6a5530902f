/* connect.c: from URLs to objects and back. */
#include <stdlib.h>

#include "base/reference.h"
#include "object/object.h"
#include "object/throw.h"
#include "remote/instances.h"
#include "remote/protocols.h"
#include "remote/servers.h"
#include "sidl_CastException_IOR.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_String.h"
#include "sidl_protocol.h"
#include "sidl_rmi_InstanceHandle.h"
#include "sidl_rmi_NetworkException_IOR.h"
#include "sidl_rmi_ObjectDoesNotExistException_IOR.h"

void* sidl_create_remote(const struct sidl_type_info* type, const char* url,
                         struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (type->kind != sidl_kind_class || (type->flags & sidl_type_abstract) != 0) {
    THROW(_ex, sidl_NotImplementedException, "%s is abstract: no objects of it can be created",
          type->name);
    return NULL;
  }
  struct sidl_rmi_InstanceHandle__object* const handle = protocols_create(url, type->name, _ex);
  if (handle == NULL) return NULL;
  void* const proxy = sidl_proxy_create(handle, type, _ex);
  reference_drop(handle);
  return proxy;
}

/* Casts `object` to `type`; NULL with *_ex set on failure. Consumes the reference to `object`. */
static void* expect(void* object, const struct sidl_type_info* type, const char* url,
                    struct sidl_BaseInterface__object** _ex) {
  void* const view = sidl_cast(object, type, _ex);
  if (view == NULL && *_ex == NULL) {
    THROW(_ex, sidl_CastException, "the object at \"%s\" is not a %s", url, type->name);
  }
  reference_drop(object);
  return view;
}

static void* connect_local(const struct sidl_type_info* type, const char* id, const char* url,
                           bool add_ref, struct sidl_BaseInterface__object** _ex) {
  void* const object = instances_find(id);
  if (object != NULL && !add_ref) reference_drop(object);
  if (object != NULL) return expect(object, type, url, _ex);
  THROW(_ex, sidl_rmi_ObjectDoesNotExistException, "no object at \"%s\" in this process", url);
  return NULL;
}

static void* connect_remote(const struct sidl_type_info* type, const char* url, bool add_ref,
                            struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_InstanceHandle__object* const handle =
      protocols_connect(url, type->name, add_ref, _ex);
  if (handle == NULL) return NULL;
  void* const proxy = sidl_proxy_create(handle, NULL, _ex);
  reference_drop(handle);
  return proxy == NULL ? NULL : expect(proxy, type, url, _ex);
}

void* sidl_connect(const struct sidl_type_info* type, const char* url,
                   struct sidl_BaseInterface__object** _ex) {
  return sidl_connect_counted(type, url, TRUE, _ex);
}

void* sidl_connect_counted(const struct sidl_type_info* type, const char* url, sidl_bool addRef,
                           struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (url == NULL) url = "";
  char* const id = servers_local_object(url, _ex);
  if (*_ex != NULL) return NULL;
  void* const object = *id != '\0' ? connect_local(type, id, url, addRef, _ex)
                                   : connect_remote(type, url, addRef, _ex);
  sidl_String_free(id);
  return object;
}

char* sidl_get_url(void* obj, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  struct sidl_rmi_InstanceHandle__object* const handle = sidl_proxy_handle(obj);
  if (handle != NULL) return sidl_rmi_InstanceHandle_getObjectURL(handle, _ex);
  struct sidl_rmi_ServerInfo__object* const server = servers_get();
  if (server == NULL) {
    THROW(_ex, sidl_rmi_NetworkException,
          "a local object has a URL only if its process runs a server "
          "(sidl.rmi.ServerRegistry.registerServer)");
    return NULL;
  }
  reference_drop(server);
  char* const id = instances_add(obj, _ex);
  char* const url = id == NULL ? NULL : servers_url(id, _ex);
  sidl_String_free(id);
  return url;
}
