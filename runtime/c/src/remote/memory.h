/*
 * memory.h: passes values from packObj to unpackObj within the process.
 */
#ifndef REMOTE_MEMORY_H
#define REMOTE_MEMORY_H

#include <stddef.h>

#include "sidlArray.h"
#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

struct memory_item;

/* The private data of a libsidl.Memory; all zero at first. */
struct memory {
  struct memory_item* items;
  size_t count;
  size_t capacity;
  size_t next; /* index of the next item to take */
  int depth;   /* nesting of objects by value */
};

/* Frees what has not been taken, and the list. */
void memory_clear(struct memory* memory);

/*
 * Adds the value of `kind` (enum sidl_kind) at `value`. The list takes over what the value owns,
 * even if there is an exception.
 */
void memory_put(struct memory* memory, int kind, const void* value, size_t size,
                struct sidl_BaseInterface__object** _ex);

/* Moves the next value to `to`; an exception if it is of another kind, or if there is none. */
void memory_take(struct memory* memory, const char* key, int kind, void* to, size_t size,
                 struct sidl_BaseInterface__object** _ex);

/* The same for arrays, which are copied; the last takes one of any type, in the order it has. */
void memory_put_array(struct memory* memory, const void* array,
                      struct sidl_BaseInterface__object** _ex);
void* memory_take_array(struct memory* memory, const char* key, enum sidl_array_type type,
                        int ordering, struct sidl_BaseInterface__object** _ex);
void* memory_take_any_array(struct memory* memory, const char* key,
                            struct sidl_BaseInterface__object** _ex);

/* As sidl_copy_object, for an object nested `depth` deep. */
void* copy_object(void* obj, int depth, struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
