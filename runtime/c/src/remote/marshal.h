/*
 * marshal.h: puts values of any SIDL type into a sink and gets them from a source (sidl_marshal.h).
 *
 * All functions return false with *_ex set on failure.
 */
#ifndef REMOTE_MARSHAL_H
#define REMOTE_MARSHAL_H

#include <stdbool.h>

#include "sidl_marshal.h"

#pragma GCC visibility push(hidden)

/* The key of a method's result. */
#define RESULT_KEY "_retval"

/* A number or a string, which sinks and sources handle directly. */
static inline bool marshal_is_simple(const struct sidl_type_ref* type) {
  switch (type->kind) {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) case kind:
#define SIDL_LOCAL(name, kind, array, ctype, Name, numpy)
#include "sidl_kinds.def"
    return true;
    default:
      return false;
  }
}

bool marshal_put(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                 const void* value, struct sidl_BaseInterface__object** _ex);

/* `value` must be a zeroed variable; after a failure it is zero again. */
bool marshal_get(struct sidl_source* source, const char* key, const struct sidl_type_ref* type,
                 void* value, struct sidl_BaseInterface__object** _ex);

/* As marshal_get, with a fast path for numbers. *_ex must be NULL. */
static inline bool marshal_get_argument(struct sidl_source* source, const char* key,
                                        const struct sidl_type_ref* type, void* value,
                                        struct sidl_BaseInterface__object** _ex) {
  return marshal_is_simple(type)
             ? source->functions->get(source, key, (enum sidl_kind)type->kind, value, _ex)
             : marshal_get(source, key, type, value, _ex);
}

/* As sidl_sink_of_serializer, for arrays that may change once they are packed. */
struct sidl_serializer_sink sink_that_copies(void* serializer);

/* A member of the struct at `data`, and the check of raw arrays in a struct that has been read. */
bool marshal_put_member(struct sidl_sink* sink, const char* key,
                        const struct sidl_member_info* member, const char* data,
                        struct sidl_BaseInterface__object** _ex);
bool marshal_check_raw_members(const struct sidl_struct_info* info, const char* data,
                               struct sidl_BaseInterface__object** _ex);

/* The same for arrays. */
bool marshal_put_array(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                       struct sidl__array* array, struct sidl_BaseInterface__object** _ex);
bool marshal_get_array(struct sidl_source* source, const char* key,
                       const struct sidl_type_ref* type, struct sidl__array** array,
                       struct sidl_BaseInterface__object** _ex);

/* A method's in and inout arguments; refuses outputs that cannot be passed. */
bool marshal_put_arguments(struct sidl_sink* sink, const struct sidl_method_info* method,
                           void* const* args, struct sidl_BaseInterface__object** _ex);
bool marshal_get_arguments(struct sidl_source* source, const struct sidl_method_info* method,
                           void* const* args, struct sidl_BaseInterface__object** _ex);

/*
 * Its result, unless NULL, and then its out and inout arguments. (The counterpart is in outputs.h.)
 */
bool marshal_put_outputs(struct sidl_sink* sink, const struct sidl_method_info* method,
                         void* const* args, const void* result,
                         struct sidl_BaseInterface__object** _ex);

/* Refuses values that cannot be passed: opaque, and arrays and structs that contain it. */
bool marshal_check(const char* key, const struct sidl_type_ref* type,
                   struct sidl_BaseInterface__object** _ex);

/*
 * The key of a part of a value, in `buffer` if it fits; always to be passed to marshal_key_free. If
 * keys are not wanted it is `part`. NULL with *_ex set.
 */
enum { MARSHAL_KEY_BUFFER = 128 };
const char* marshal_key(char* buffer, bool is_wanted, const char* key, const char* part,
                        struct sidl_BaseInterface__object** _ex);
void marshal_key_free(const char* buffer, bool is_wanted, const char* key);

#pragma GCC visibility pop
#endif
