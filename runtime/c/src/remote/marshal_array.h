/*
 * marshal_array.h: the parts of arrays that do not go to sinks as they are.
 *
 * All functions return false with *_ex set on failure.
 */
#ifndef REMOTE_MARSHAL_ARRAY_H
#define REMOTE_MARSHAL_ARRAY_H

#include "remote/marshal.h"
#include "sidlArray.h"

#pragma GCC visibility push(hidden)

/* A shape that a peer has sent, and how many elements that makes. */
struct marshal_shape {
  int32_t dimen;
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION];
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION];
  int64_t count;
};

/* A value beside an array: "key.part". */
bool marshal_put_part(struct sidl_sink* sink, const char* key, const char* part,
                      enum sidl_kind kind, const void* value,
                      struct sidl_BaseInterface__object** _ex);
bool marshal_get_part(struct sidl_source* source, const char* key, const char* part,
                      enum sidl_kind kind, void* value, struct sidl_BaseInterface__object** _ex);

/* The same for an array of char. `flags`: enum sidl_ref_flags. */
bool marshal_put_chars(struct sidl_sink* sink, const char* key, const char* part,
                       struct sidl__array* chars, uint8_t flags,
                       struct sidl_BaseInterface__object** _ex);
/* It may be NULL, else is dense and of any number of dimensions. */
bool marshal_get_chars(struct sidl_source* source, const char* key, const char* part,
                       struct sidl__array** chars, struct sidl_BaseInterface__object** _ex);

/* The shape of an array, which may be NULL. */
bool marshal_put_shape(struct sidl_sink* sink, const char* key, const struct sidl__array* array,
                       struct sidl_BaseInterface__object** _ex);
/* The shape of an array of `dimen` dimensions, 0: any, or none, as *is_null says. */
bool marshal_get_shape(struct sidl_source* source, const char* key, int32_t dimen,
                       struct marshal_shape* shape, bool* is_null,
                       struct sidl_BaseInterface__object** _ex);

/* A generic array's type, which is packed first, of structs also their name; `actual` is the type
 * it is then treated as. Without an array that is one of sidl_kind_void. */
bool marshal_put_element_type(struct sidl_sink* sink, const char* key,
                              const struct sidl__array* array, struct sidl_type_ref* actual,
                              struct sidl_BaseInterface__object** _ex);
bool marshal_get_element_type(struct sidl_source* source, const char* key,
                              struct sidl_type_ref* actual,
                              struct sidl_BaseInterface__object** _ex);

/* Strides of a dense array of that shape, which has elements. */
void marshal_dense_strides(const struct marshal_shape* shape, int32_t order, int64_t stride[]);

/* Arrays of structs: marshal_records.c. */
bool marshal_put_structs(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                         struct sidl__array* array, struct sidl_BaseInterface__object** _ex);
bool marshal_get_structs(struct sidl_source* source, const char* key,
                         const struct sidl_type_ref* type, struct sidl__array** array,
                         struct sidl_BaseInterface__object** _ex);

/* The elements, of which there are some, of an array of structs that own nothing: marshal_plain.c.
 * The second returns NULL with *_ex set. */
bool marshal_put_plain(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                       struct sidl__array* array, struct sidl_BaseInterface__object** _ex);
struct sidl__array* marshal_get_plain(struct sidl_source* source, const char* key,
                                      const struct sidl_type_ref* type,
                                      const struct marshal_shape* shape,
                                      struct sidl_BaseInterface__object** _ex);
/* Sets *_ex: the peer's structs are others. Returns false. */
bool marshal_refuse_layout(const char* key, const struct sidl_struct_info* structure,
                           struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
