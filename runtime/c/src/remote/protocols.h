/*
 * protocols.h: the handle and server classes of the protocol of a URL.
 */
#ifndef REMOTE_PROTOCOLS_H
#define REMOTE_PROTOCOLS_H

#include <stdbool.h>

#include "sidl_ior.h"

struct sidl_rmi_InstanceHandle__object;
struct sidl_rmi_Server__object;

#pragma GCC visibility push(hidden)

/* False if another class has the prefix, or if memory is exhausted. */
bool protocols_add(const char* prefix, const char* class_name);

/* False if the protocol is not known, or if another class serves it. */
bool protocols_add_server(const char* prefix, const char* class_name);

bool protocols_remove(const char* prefix);

/* Name of the class, or NULL; free. */
char* protocols_find(const char* prefix);

/* A handle to a new object, or to an existing one; NULL with *_ex set. */
struct sidl_rmi_InstanceHandle__object* protocols_create(const char* url, const char* type_name,
                                                         struct sidl_BaseInterface__object** _ex);
struct sidl_rmi_InstanceHandle__object* protocols_connect(const char* url, const char* type_name,
                                                          bool add_ref,
                                                          struct sidl_BaseInterface__object** _ex);

/* A new server; NULL with *_ex set. */
struct sidl_rmi_Server__object* protocols_create_server(const char* url,
                                                        struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
