/*
 * marshal.h: values of any SIDL type into a Serializer and out of a Deserializer.
 *
 * On the wire a struct is its members, in order, with the keys "<key>.<member>"; an enum is a long;
 * an object is packObject's business. An array of objects is an int array "<key>.shape"
 * (dimensions, then lower and upper bounds; null for no array), then the objects, first index
 * fastest. A generic array is an int "<key>.type" (enum sidl_array_type; 0 for no array), then the
 * array.
 *
 * All functions return false with *_ex set on failure.
 */
#ifndef REMOTE_MARSHAL_H
#define REMOTE_MARSHAL_H

#include <stdbool.h>

#include "sidl_ior.h"

struct sidl__array;
struct sidl_io_Serializer__object;
struct sidl_io_Deserializer__object;

#pragma GCC visibility push(hidden)

/* The name under which a method's result travels. */
#define RESULT_KEY "_retval"

bool marshal_pack(struct sidl_io_Serializer__object* ser, const char* key,
                  const struct sidl_type_ref* type, const void* value,
                  struct sidl_BaseInterface__object** _ex);

/* `value` is a zeroed variable; after a failure it is zero again. */
bool marshal_unpack(struct sidl_io_Deserializer__object* des, const char* key,
                    const struct sidl_type_ref* type, void* value,
                    struct sidl_BaseInterface__object** _ex);

bool marshal_pack_array(struct sidl_io_Serializer__object* ser, const char* key,
                        const struct sidl_type_ref* type, struct sidl__array* array,
                        struct sidl_BaseInterface__object** _ex);
bool marshal_unpack_array(struct sidl_io_Deserializer__object* des, const char* key,
                          const struct sidl_type_ref* type, struct sidl__array** array,
                          struct sidl_BaseInterface__object** _ex);

/* Refuses what cannot travel: opaque, and arrays and structs that contain it. */
bool marshal_check(const char* key, const struct sidl_type_ref* type,
                   struct sidl_BaseInterface__object** _ex);

/* A key with a suffix, in `buffer` if it fits; marshal_key_free in any case. NULL: *_ex is set. */
enum { MARSHAL_KEY_BUFFER = 128 };
char* marshal_key(char* buffer, const char* key, const char* separator, const char* suffix,
                  struct sidl_BaseInterface__object** _ex);
void marshal_key_free(char* buffer, char* key);

#pragma GCC visibility pop
#endif
