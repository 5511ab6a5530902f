/*
 * instances.h: the objects of this process that peers can reach: the state of
 * sidl.rmi.InstanceRegistry. One reference is held for each entry.
 */
#ifndef REMOTE_INSTANCES_H
#define REMOTE_INSTANCES_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * Registers an object under a new random id, or finds the one it has. Returns the id (to be freed),
 * or NULL with *_ex set. Any pointer to the object will do.
 */
char* instances_add(void* object, struct sidl_BaseInterface__object** _ex);

/* Registers an object under a name. False with *_ex set if another object has the name. */
bool instances_add_name(void* object, const char* name, struct sidl_BaseInterface__object** _ex);

/* The object with an id, with a reference for the caller, or NULL. */
void* instances_find(const char* id);

/* An id of the object, the random one if it has one; NULL if it has none; free. */
char* instances_id(const void* object);

/* Removes an entry; its reference passes to the caller. */
void* instances_remove(const char* id);

/* Removes all entries of an object; returns what instances_id would have; free. */
char* instances_remove_object(const void* object);

/*
 * Calls `visit` for each object with a public name, sorted by name, under the registry's lock: it
 * must not use the registry. False if memory is exhausted.
 */
bool instances_published(void (*visit)(const char* name, const void* object, void* data),
                         void* data);

#pragma GCC visibility pop
#endif
