#include "remote/servers.h"

#include <pthread.h>

#include "base/reference.h"
#include "sidl_String.h"
#include "sidl_rmi_ServerInfo.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sidl_rmi_ServerInfo__object* current;

void servers_set(struct sidl_rmi_ServerInfo__object* server) {
  reference_take(server);
  pthread_mutex_lock(&lock);
  struct sidl_rmi_ServerInfo__object* const old = current;
  current = server;
  pthread_mutex_unlock(&lock);
  reference_drop(old);
}

struct sidl_rmi_ServerInfo__object* servers_get(void) {
  pthread_mutex_lock(&lock);
  struct sidl_rmi_ServerInfo__object* const server = reference_take(current);
  pthread_mutex_unlock(&lock);
  return server;
}

static char* not_null(char* string, struct sidl_BaseInterface__object** _ex) {
  return string != NULL || *_ex != NULL ? string : sidl_String_strdup_ex("", _ex);
}

char* servers_url(const char* object_id, struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_ServerInfo__object* const server = servers_get();
  *_ex = NULL;
  char* const url =
      server == NULL ? NULL : sidl_rmi_ServerInfo_getServerURL(server, object_id, _ex);
  reference_drop(server);
  return not_null(url, _ex);
}

char* servers_local_object(const char* url, struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_ServerInfo__object* const server = servers_get();
  *_ex = NULL;
  char* const id = server == NULL ? NULL : sidl_rmi_ServerInfo_isLocalObject(server, url, _ex);
  reference_drop(server);
  return not_null(id, _ex);
}
