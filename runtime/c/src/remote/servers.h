/* servers.h: the server of this process: the state of sidl.rmi.ServerRegistry. */
#ifndef REMOTE_SERVERS_H
#define REMOTE_SERVERS_H

#include <stdbool.h>

#include "sidl_ior.h"

struct sidl_rmi_ServerInfo__object;

#pragma GCC visibility push(hidden)

/* Adds a reference; NULL: there is no server any more. */
void servers_set(struct sidl_rmi_ServerInfo__object* server,
                 struct sidl_BaseInterface__object** _ex);

/* With a reference for the caller; NULL if there is none. */
struct sidl_rmi_ServerInfo__object* servers_get(void);

/* As the methods of ServerRegistry: never NULL unless *_ex is set; free. */
char* servers_url(const char* object_id, struct sidl_BaseInterface__object** _ex);
char* servers_local_object(const char* url, struct sidl_BaseInterface__object** _ex);

/* Whether servers started from now on let peers inspect them. */
void servers_allow_inspection(bool allowed);

#pragma GCC visibility pop
#endif
