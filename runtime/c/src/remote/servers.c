#include "remote/servers.h"

#include "base/fork.h"
#include "base/reference.h"
#include "remote/inspect.h"
#include "remote/instances.h"
#include "sidl_String.h"
#include "sidl_protocol.h"
#include "sidl_rmi_Inspection_IOR.h"
#include "sidl_rmi_ServerInfo.h"

TABLE_LOCK(lock);
static struct sidl_rmi_ServerInfo__object* current;
static bool inspection_allowed = true;

/*
 * In a forked child there is no server: it is the parent's, and the reference to it is not dropped.
 */
static void forget_parents_server(void) {
  current = NULL;
}

__attribute__((constructor)) static void begin(void) {
  static struct sidl_fork_handler handler = {
      .level = sidl_fork_protocol,
      .in_child = forget_parents_server,
  };
  sidl_at_fork(&handler);
}

void servers_allow_inspection(bool allowed) {
  pthread_mutex_lock(&lock);
  inspection_allowed = allowed;
  pthread_mutex_unlock(&lock);
}

/* Publishes the inspection object, unless the name is taken by an object of the program. */
static void publish_inspection(struct sidl_BaseInterface__object** _ex) {
  void* const known = instances_find(INSPECTION_NAME);
  *_ex = NULL;
  if (known == NULL) {
    void* const inspection = sidl_create(&sidl_rmi_Inspection__info, _ex);
    if (inspection != NULL) instances_add_name(inspection, INSPECTION_NAME, _ex);
    reference_drop(inspection);
  }
  reference_drop(known);
}

static void withdraw_inspection(void) {
  void* const known = instances_find(INSPECTION_NAME);
  const bool ours = known != NULL && sidl_object_type(known)->id == sidl_rmi_Inspection__info.id;
  if (ours) reference_drop(instances_remove(INSPECTION_NAME));
  reference_drop(known);
}

void servers_set(struct sidl_rmi_ServerInfo__object* server,
                 struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  reference_take(server);
  pthread_mutex_lock(&lock);
  struct sidl_rmi_ServerInfo__object* const old = current;
  current = server;
  const bool published = server != NULL && inspection_allowed;
  pthread_mutex_unlock(&lock);
  reference_drop(old);
  if (published) {
    publish_inspection(_ex);
  } else {
    withdraw_inspection();
  }
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
