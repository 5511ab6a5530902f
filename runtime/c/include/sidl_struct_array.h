/**
 * sidl_struct_array.h: arrays whose elements are structs.
 *
 * The elements are C structs, one after the other, which the array owns: it copies what is stored
 * in it, and frees what its elements own (strings, arrays, objects). Elements may be read and
 * changed in place, by address. Elements of a new array are zero, but those of a plain struct,
 * which owns nothing, are not initialised, as numbers are not.
 *
 * Each struct has typed functions (sidl_struct_array_functions.h), which call these; what does not
 * depend on elements is in sidlArray.h. `structure` is the struct's description, <pkg>_<S>__info.
 */
#ifndef SIDL_STRUCT_ARRAY_H
#define SIDL_STRUCT_ARRAY_H

#include "sidlArray.h"
#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What all arrays of structs are, whatever their type. */
struct sidl_struct__array {
  struct sidl__array d_metadata;
  void* d_firstElement; /**< the element with the lowest indices */
};

/** As createRow if `ordering` is sidl_row_major_order, else as createCol. */
struct sidl__array* sidl_struct__array_create(const struct sidl_struct_info* structure,
                                              int32_t ordering, int32_t dimen,
                                              const int64_t lower[], const int64_t upper[]);

/** As borrow: an array over structs of the caller's. */
struct sidl__array* sidl_struct__array_borrow(const struct sidl_struct_info* structure,
                                              void* firstElement, int32_t dimen,
                                              const int64_t lower[], const int64_t upper[],
                                              const int64_t stride[]);

/** As borrow_owned: `release` must also free what the structs own. */
struct sidl__array* sidl_struct__array_borrow_owned(const struct sidl_struct_info* structure,
                                                    void* firstElement, int32_t dimen,
                                                    const int64_t lower[], const int64_t upper[],
                                                    const int64_t stride[],
                                                    void (*release)(void* owner), void* owner);

/** As init64. */
void sidl_struct__array_init64(const struct sidl_struct_info* structure, void* firstElement,
                               struct sidl_struct__array* result, int32_t dimen,
                               const int64_t lower[], const int64_t upper[],
                               const int64_t stride[]);

/** `array` if its elements are such structs, else NULL. Takes no reference. */
struct sidl__array* sidl_struct__array_cast(const struct sidl_struct_info* structure,
                                            struct sidl__array* array);

/** The element with these `count` indices; NULL if there is none, or not in host memory. */
void* sidl_struct__array_at(const struct sidl__array* array, int32_t count,
                            const int64_t indices[]);

/** Makes *to, the caller's to destroy, a copy of that element; zero if there is none. */
void sidl_struct__array_get(const struct sidl_struct_info* structure,
                            const struct sidl__array* array, int32_t count, const int64_t indices[],
                            void* to);

/** Makes that element, if there is one, a copy of *from. */
void sidl_struct__array_set(struct sidl__array* array, int32_t count, const int64_t indices[],
                            const void* from);

/** Packs an array, or NULL, under `name`, in the same form as an argument. */
void sidl_struct__array_serialize(const struct sidl_struct_info* structure,
                                  struct sidl__array* array, struct sidl_io_Serializer__object* ser,
                                  const char* name, struct sidl_BaseInterface__object** _ex);

/** Unpacks it, with a reference for the caller; NULL for a null array, or with *_ex set. */
struct sidl__array* sidl_struct__array_deserialize(const struct sidl_struct_info* structure,
                                                   struct sidl_io_Deserializer__object* des,
                                                   const char* name,
                                                   struct sidl_BaseInterface__object** _ex);

/** As sidl_loan_begin (sidl_raw_array.h). */
struct sidl__array* sidl_struct_loan_begin(const struct sidl_struct_info* structure, void* first,
                                           int32_t dimen, const int64_t lower[],
                                           const int64_t upper[], const int64_t stride[]);

/** True if structs of the type own nothing: their bytes are all there is to them. */
sidl_bool sidl_struct_is_plain(const struct sidl_struct_info* structure);

/**
 * Of a plain struct: where members of which kinds lie; of another: of which kinds its numbers and
 * strings are. Sent before them (sidl_marshal.h).
 */
int64_t sidl_struct_layout_digest(const struct sidl_struct_info* structure);

#ifdef __cplusplus
}
#endif
#endif
