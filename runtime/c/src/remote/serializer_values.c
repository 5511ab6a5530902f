/* serializer_values.c: values that a Serializer packs by its other methods (sidl_marshal.h). */
#include <stddef.h>
#include <string.h>

#include "array/array_core.h"
#include "base/reference.h"
#include "object/throw.h"
#include "remote/marshal_array.h"
#include "sidl_header.h"
#include "sidl_io_Deserializer_IOR.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_io_Serializer_IOR.h"
#include "sidl_memory_space.h"
#include "sidl_rmi_ProtocolException_IOR.h"

typedef struct sidl_BaseInterface__object* exception;

static const struct sidl_type_ref values_type = {.kind = sidl_kind_array,
                                                 .element = sidl_kind_interface,
                                                 .flags = sidl_ref_copy,
                                                 .object = &sidl_io_Serializable__info};

static struct sidl_type_ref longs_type(int32_t ordering) {
  return (struct sidl_type_ref){
      .kind = sidl_kind_array, .element = sidl_kind_long, .order = (uint8_t)ordering};
}

/* Facets are borrowed from the object, which lasts as long as the call. */
static struct sidl_serializer_sink sink_of(void* serializer, sidl_bool reuse) {
  void* const facet = sidl_cast_borrowed(serializer, &sidl_io_Serializer__info);
  return reuse ? sidl_sink_of_serializer(facet) : sink_that_copies(facet);
}

static struct sidl_deserializer_source source_of(void* deserializer) {
  return sidl_source_of_deserializer(sidl_cast_borrowed(deserializer, &sidl_io_Deserializer__info));
}

/* ---- pointers -------------------------------------------------------------------------------- */

static bool is_null_here(const char* key, int64_t number, exception* _ex) {
  if (number == 0) return true;
  THROW(_ex, sidl_rmi_ProtocolException,
        "%s is malformed: a pointer came from another process, which has no meaning here", key);
  return false;
}

static void refuse_pointer(const char* key, const char* which, exception* _ex) {
  THROW(_ex, sidl_rmi_ProtocolException,
        "%s is %s, which has no meaning in another process: pack what it points to, or null", key,
        which);
}

void sidl_serializer_pack_opaque(void* serializer, const char* key, void* value, exception* _ex) {
  const int64_t null = 0;
  *_ex = NULL;
  if (value != NULL) {
    refuse_pointer(key, "a pointer", _ex);
    return;
  }
  struct sidl_serializer_sink sink = sink_of(serializer, FALSE);
  sink.base.functions->put(&sink.base, key, sidl_kind_long, &null, _ex);
}

void* sidl_deserializer_unpack_opaque(void* deserializer, const char* key, exception* _ex) {
  int64_t number = 0;
  *_ex = NULL;
  struct sidl_deserializer_source source = source_of(deserializer);
  if (source.base.functions->get(&source.base, key, sidl_kind_long, &number, _ex)) {
    is_null_here(key, number, _ex);
  }
  return NULL;
}

/* The row or column order that elements have, or most of them. */
static int order_of(const struct sidl__array* array) {
  return sidl__array_isColumnOrder(array) && !sidl__array_isRowOrder(array)
             ? sidl_column_major_order
             : sidl_row_major_order;
}

/* An array of nulls or of zeros with the bounds and the order of another one. */
static struct any_array* make_nulls(enum sidl_array_type type, const struct sidl__array* like,
                                    exception* _ex) {
  const struct element_type of = {type, NULL};
  struct any_array* const made = array_create(of, order_of(like) == sidl_row_major_order,
                                              like->d_dimen, like->d_lower, like->d_upper);
  if (made == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  const size_t count = sidl__array_element_count(&made->meta);
  if (count > 0) memset(made->first, 0, count * sidl__array_element_bytes(&made->meta));
  return made;
}

/* Whether all are null; elements in other memory are looked at in the host's. */
static bool are_null(const char* key, struct sidl__array* array, exception* _ex) {
  struct sidl__array* const here = sidl__array_in(NULL, array);
  if (here == NULL) {
    sidl__array_require_host(array, key, _ex);
    return false;
  }
  struct any_array* const dense =
      array_ensure((struct any_array*)(void*)here, here->d_dimen, order_of(here));
  sidl__array_deleteRef(here);
  if (dense == NULL) {
    throw_memory(_ex);
    return false;
  }
  void* const* const first = dense->first;
  const size_t count = sidl__array_element_count(&dense->meta);
  bool all = true;
  for (size_t i = 0; i < count && all; ++i) all = first[i] == NULL;
  sidl__array_deleteRef(&dense->meta);
  if (!all) refuse_pointer(key, "an array with a pointer", _ex);
  return all;
}

static void put_nulls(struct sidl_sink* sink, const char* key, const struct sidl__array* like,
                      exception* _ex) {
  const struct sidl_type_ref type = longs_type(sidl_general_order);
  struct any_array* const zeros = like == NULL ? NULL : make_nulls(sidl_long_array, like, _ex);
  if (*_ex != NULL) return;
  marshal_put_array(sink, key, &type, (struct sidl__array*)(void*)zeros, _ex);
  sidl__array_deleteRef((struct sidl__array*)(void*)zeros);
}

void sidl_serializer_pack_opaques(void* serializer, const char* key,
                                  struct sidl_opaque__array* value, exception* _ex) {
  struct sidl__array* const array = (struct sidl__array*)(void*)value;
  *_ex = NULL;
  if (array != NULL && !are_null(key, array, _ex)) return;
  struct sidl_serializer_sink sink = sink_of(serializer, TRUE);
  put_nulls(&sink.base, key, array, _ex);
}

static struct sidl__array* get_nulls(struct sidl_source* source, const char* key, int32_t ordering,
                                     exception* _ex) {
  const struct sidl_type_ref type = longs_type(ordering);
  struct sidl__array* zeros = NULL;
  struct any_array* nulls = NULL;
  if (!marshal_get_array(source, key, &type, &zeros, _ex) || zeros == NULL) return NULL;
  struct any_array* const dense =
      array_ensure((struct any_array*)(void*)zeros, zeros->d_dimen, order_of(zeros));
  if (dense == NULL) {
    throw_memory(_ex);
  } else {
    const int64_t* const first = dense->first;
    const size_t count = sidl__array_element_count(&dense->meta);
    bool ok = true;
    for (size_t i = 0; i < count && ok; ++i) ok = is_null_here(key, first[i], _ex);
    if (ok) nulls = make_nulls(sidl_opaque_array, zeros, _ex);
    sidl__array_deleteRef(&dense->meta);
  }
  sidl__array_deleteRef(zeros);
  return (struct sidl__array*)(void*)nulls;
}

struct sidl_opaque__array* sidl_deserializer_unpack_opaques(void* deserializer, const char* key,
                                                            int32_t ordering, exception* _ex) {
  *_ex = NULL;
  struct sidl_deserializer_source source = source_of(deserializer);
  return (struct sidl_opaque__array*)(void*)get_nulls(&source.base, key, ordering, _ex);
}

/* ---- objects by value ------------------------------------------------------------------------ */

void sidl_serializer_pack_values(void* serializer, const char* key,
                                 struct sidl_interface__array* value, exception* _ex) {
  struct sidl_serializer_sink sink = sink_of(serializer, TRUE);
  marshal_put_array(&sink.base, key, &values_type, (struct sidl__array*)(void*)value, _ex);
}

struct sidl_interface__array* sidl_deserializer_unpack_values(void* deserializer, const char* key,
                                                              int32_t ordering, exception* _ex) {
  struct sidl_type_ref type = values_type;
  struct sidl__array* array = NULL;
  type.order = (uint8_t)ordering;
  struct sidl_deserializer_source source = source_of(deserializer);
  marshal_get_array(&source.base, key, &type, &array, _ex);
  return (struct sidl_interface__array*)(void*)array;
}

/* ---- arrays of any type ---------------------------------------------------------------------- */

void sidl_serializer_pack_any(void* serializer, const char* key, struct sidl__array* value,
                              sidl_bool reuse, exception* _ex) {
  struct sidl_serializer_sink sink = sink_of(serializer, reuse);
  struct sidl_type_ref type = {.kind = sidl_kind_array, .element = sidl_kind_void};
  *_ex = NULL;
  if (sidl__array_type(value) != sidl_opaque_array) {
    marshal_put_array(&sink.base, key, &type, value, _ex);
  } else if (are_null(key, value, _ex) &&
             marshal_put_element_type(&sink.base, key, value, &type, _ex)) {
    put_nulls(&sink.base, key, value, _ex);
  }
}

struct sidl__array* sidl_deserializer_unpack_any(void* deserializer, const char* key,
                                                 exception* _ex) {
  struct sidl_deserializer_source source = source_of(deserializer);
  struct sidl_type_ref type;
  struct sidl__array* array = NULL;
  *_ex = NULL;
  if (!marshal_get_element_type(&source.base, key, &type, _ex)) return NULL;
  if (type.element == sidl_kind_opaque) {
    return get_nulls(&source.base, key, sidl_general_order, _ex);
  }
  if (type.element != sidl_kind_void) marshal_get_array(&source.base, key, &type, &array, _ex);
  return array;
}
