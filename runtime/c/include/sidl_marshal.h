/**
 * sidl_marshal.h: packs values into messages and unpacks them, by their SIDL type.
 *
 * libsidl walks over the values of a call and puts their parts into a sink, one after another; at
 * the other end it gets them from a source in the same order. A protocol's codec is a sink and a
 * source; so is any sidl.io.Serializer and sidl.io.Deserializer.
 *
 * A struct is packed as its members, in order; an enum as a long. An array of objects is packed as
 * a long array, its shape (dimensions, then lower and upper bounds; null for a null array), and
 * then the objects, first index fastest. A generic array is an int (enum sidl_array_type; 0 for a
 * null array), if it is one of structs a string, their name, and then the array.
 *
 * An array of structs is its shape and, if it has elements, more, first index fastest. Of structs
 * that own nothing: a long, the digest of their layout; an int, the order in which they lie (enum
 * sidl_array_ordering); their bytes, an array of char. Of others, as far as they have such members:
 *
 *   - a long, the digest of their layout, if they have numbers or strings;
 *   - an array of char, the numbers, enums and arrays of numbers that lie in it of one struct after
 *     the other, without gaps, a bool as a byte that is 0 or 1;
 *   - an array of char, the strings of one struct after the other: a byte for each, its length, or
 *     254 if that is more than 253, or 255 if it is null; after all these the texts of up to 253
 *     bytes, each with a zero at its end and beginning at an odd place, zeros filling the gaps;
 *   - each other member of all elements, the values one by one;
 *   - the longer strings, one by one.
 *
 * Members of a struct within the struct take its place.
 *
 * Functions return FALSE with *_ex set on failure; *_ex is NULL when they are called.
 */
#ifndef SIDL_MARSHAL_H
#define SIDL_MARSHAL_H

#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sidl__array;
struct sidl_interface__array;
struct sidl_opaque__array;
struct sidl_io_Serializable__object;
struct sidl_io_Serializer__object;
struct sidl_io_Deserializer__object;

struct sidl_sink;
struct sidl_source;

/**
 * `key` is the name of the argument or member that contains the value, for messages. If
 * `wants_keys`, it is unique for each value: "argument.member", "argument.shape" and
 * "argument.type".
 */
struct sidl_sink_functions {
  sidl_bool wants_keys;
  /** `value` is the address of a variable of this kind, a basic one (an enum is a long) or a
   * string. */
  sidl_bool (*put)(struct sidl_sink* self, const char* key, enum sidl_kind kind, const void* value,
                   struct sidl_BaseInterface__object** _ex);
  /**
   * Elements of basic kinds or strings. `array` may be NULL, and fits the type's dimension. It
   * lasts as long as the call does; if the type's flags have sidl_ref_made, only as long as
   * somebody has a reference.
   */
  sidl_bool (*put_array)(struct sidl_sink* self, const char* key, const struct sidl_type_ref* type,
                         struct sidl__array* array, struct sidl_BaseInterface__object** _ex);
  /** A reference. */
  sidl_bool (*put_object)(struct sidl_sink* self, const char* key,
                          struct sidl_BaseInterface__object* object,
                          struct sidl_BaseInterface__object** _ex);
  /** The object by value. */
  sidl_bool (*put_copy)(struct sidl_sink* self, const char* key,
                        struct sidl_io_Serializable__object* object,
                        struct sidl_BaseInterface__object** _ex);
};

/** Values read belong to the caller. Variables are zero before, and stay so on failure. */
struct sidl_source_functions {
  sidl_bool wants_keys;
  sidl_bool (*get)(struct sidl_source* self, const char* key, enum sidl_kind kind, void* value,
                   struct sidl_BaseInterface__object** _ex);
  /** The caller checks that it has the declared type, except the size of elements. */
  sidl_bool (*get_array)(struct sidl_source* self, const char* key,
                         const struct sidl_type_ref* type, struct sidl__array** array,
                         struct sidl_BaseInterface__object** _ex);
  sidl_bool (*get_object)(struct sidl_source* self, const char* key,
                          struct sidl_BaseInterface__object** object,
                          struct sidl_BaseInterface__object** _ex);
  sidl_bool (*get_copy)(struct sidl_source* self, const char* key,
                        struct sidl_io_Serializable__object** object,
                        struct sidl_BaseInterface__object** _ex);
};

/** Implementations append their own data. */
struct sidl_sink {
  const struct sidl_sink_functions* functions;
};
struct sidl_source {
  const struct sidl_source_functions* functions;
};

/**
 * Puts a method's in and inout arguments. Refuses anything that cannot be passed, outputs included.
 * `args` has the address of each argument's variable, as for sidl_rmi_invoke.
 */
sidl_bool sidl_rmi_put_arguments(struct sidl_sink* sink, const struct sidl_method_info* method,
                                 void* const* args, struct sidl_BaseInterface__object** _ex);

/**
 * Gets a method's result (`result` is NULL if it has none) and then its out and inout arguments,
 * from an answer that is not an exception. The result and out arguments must be zero before, and
 * are zero after a failure; inout arguments are then unchanged (except for elements that the
 * protocol has already stored in place), and *_ex has the fate `executed`.
 */
sidl_bool sidl_rmi_get_outputs(struct sidl_source* source, const struct sidl_method_info* method,
                               void* const* args, void* result,
                               struct sidl_BaseInterface__object** _ex);

/** The counterparts in the callee: of sidl_rmi_put_arguments; args[i] are variables, and zero. */
sidl_bool sidl_rmi_take_arguments(struct sidl_source* source, const struct sidl_method_info* method,
                                  void* const* args, struct sidl_BaseInterface__object** _ex);

/** Of sidl_rmi_get_outputs. */
sidl_bool sidl_rmi_put_outputs(struct sidl_sink* sink, const struct sidl_method_info* method,
                               void* const* args, const void* result,
                               struct sidl_BaseInterface__object** _ex);

/** Any Serializer as a sink, and any Deserializer as a source. */
struct sidl_serializer_sink {
  struct sidl_sink base;
  struct sidl_io_Serializer__object* serializer; /**< borrowed */
};
struct sidl_deserializer_source {
  struct sidl_source base;
  struct sidl_io_Deserializer__object* deserializer; /**< borrowed */
};

/** `serializer` may be of any interface that extends Serializer. */
struct sidl_serializer_sink sidl_sink_of_serializer(void* serializer);
struct sidl_deserializer_source sidl_source_of_deserializer(void* deserializer);

/*
 * What a Serializer can leave to its other methods, with a Deserializer that does the same. Both
 * may be objects of any class or interface that is one.
 *
 * A pointer is a long, 0, as only null leaves the process; an array of them is an array of long.
 * Arrays of objects by value and generic arrays are packed as arguments are (see above).
 */

/** For packOpaque; throws unless it is null. */
void sidl_serializer_pack_opaque(void* serializer, const char* key, void* value,
                                 struct sidl_BaseInterface__object** _ex);
/** For packOpaqueArray; throws unless all elements are null. */
void sidl_serializer_pack_opaques(void* serializer, const char* key,
                                  struct sidl_opaque__array* value,
                                  struct sidl_BaseInterface__object** _ex);
/** For packSerializableArray. */
void sidl_serializer_pack_values(void* serializer, const char* key,
                                 struct sidl_interface__array* value,
                                 struct sidl_BaseInterface__object** _ex);
/** For packGenericArray. `reuse`: as for packIntArray. */
void sidl_serializer_pack_any(void* serializer, const char* key, struct sidl__array* value,
                              sidl_bool reuse, struct sidl_BaseInterface__object** _ex);

/** For unpackOpaque: null, or with *_ex set. */
void* sidl_deserializer_unpack_opaque(void* deserializer, const char* key,
                                      struct sidl_BaseInterface__object** _ex);
/** For unpackOpaqueArray and so on, with a reference for the caller. `ordering`: as there. */
struct sidl_opaque__array* sidl_deserializer_unpack_opaques(
    void* deserializer, const char* key, int32_t ordering, struct sidl_BaseInterface__object** _ex);
struct sidl_interface__array* sidl_deserializer_unpack_values(
    void* deserializer, const char* key, int32_t ordering, struct sidl_BaseInterface__object** _ex);
struct sidl__array* sidl_deserializer_unpack_any(void* deserializer, const char* key,
                                                 struct sidl_BaseInterface__object** _ex);

#ifdef __cplusplus
}
#endif
#endif
