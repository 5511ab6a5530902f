#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "base/reference.h"
#include "object/throw.h"
#include "remote/marshal.h"
#include "sidl_CastException_IOR.h"
#include "sidl_io_Deserializer.h"
#include "sidl_io_Serializer.h"
#include "sidl_rmi_ProtocolException_IOR.h"

typedef struct sidl_io_Serializer__object* serializer;
typedef struct sidl_io_Deserializer__object* deserializer;
typedef struct sidl_BaseInterface__object* exception;

/* ---- arrays of values: the protocol knows them ----------------------------------------------- */

static enum sidl_kind kind_of_array_type(int32_t type) {
  static const uint8_t kinds[] = {
      [sidl_bool_array] = sidl_kind_bool,
      [sidl_char_array] = sidl_kind_char,
      [sidl_dcomplex_array] = sidl_kind_dcomplex,
      [sidl_double_array] = sidl_kind_double,
      [sidl_fcomplex_array] = sidl_kind_fcomplex,
      [sidl_float_array] = sidl_kind_float,
      [sidl_int_array] = sidl_kind_int,
      [sidl_long_array] = sidl_kind_long,
      [sidl_opaque_array] = sidl_kind_opaque,
      [sidl_string_array] = sidl_kind_string,
      [sidl_interface_array] = sidl_kind_interface,
  };
  return type < 0 || type > sidl_interface_array ? sidl_kind_void : (enum sidl_kind)kinds[type];
}

static void pack_values(serializer ser, const char* key, const struct sidl_type_ref* type,
                        void* array, exception* _ex) {
  const int32_t order = type->order;
  const int32_t dimen = type->dimension;
  switch (type->element) {
    case sidl_kind_bool:
      sidl_io_Serializer_packBoolArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    case sidl_kind_char:
      sidl_io_Serializer_packCharArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    case sidl_kind_int:
      sidl_io_Serializer_packIntArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    case sidl_kind_long:
    case sidl_kind_enum:
      sidl_io_Serializer_packLongArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    case sidl_kind_float:
      sidl_io_Serializer_packFloatArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    case sidl_kind_double:
      sidl_io_Serializer_packDoubleArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    case sidl_kind_fcomplex:
      sidl_io_Serializer_packFcomplexArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    case sidl_kind_dcomplex:
      sidl_io_Serializer_packDcomplexArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    case sidl_kind_string:
      sidl_io_Serializer_packStringArray(ser, key, array, order, dimen, TRUE, _ex);
      break;
    default:
      THROW(_ex, sidl_rmi_ProtocolException, "%s: arrays of kind %d do not travel", key,
            type->element);
  }
}

/* `array` is the address of a pointer to an array; all such pointers look alike. */
static void unpack_values(deserializer des, const char* key, const struct sidl_type_ref* type,
                          void* array, exception* _ex) {
  const int32_t order = type->order;
  const int32_t dimen = type->dimension;
  switch (type->element) {
    case sidl_kind_bool:
      sidl_io_Deserializer_unpackBoolArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    case sidl_kind_char:
      sidl_io_Deserializer_unpackCharArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    case sidl_kind_int:
      sidl_io_Deserializer_unpackIntArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    case sidl_kind_long:
    case sidl_kind_enum:
      sidl_io_Deserializer_unpackLongArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    case sidl_kind_float:
      sidl_io_Deserializer_unpackFloatArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    case sidl_kind_double:
      sidl_io_Deserializer_unpackDoubleArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    case sidl_kind_fcomplex:
      sidl_io_Deserializer_unpackFcomplexArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    case sidl_kind_dcomplex:
      sidl_io_Deserializer_unpackDcomplexArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    case sidl_kind_string:
      sidl_io_Deserializer_unpackStringArray(des, key, array, order, dimen, FALSE, _ex);
      break;
    default:
      THROW(_ex, sidl_rmi_ProtocolException, "%s: arrays of kind %d do not travel", key,
            type->element);
  }
}

/* ---- arrays of objects: a shape, then the objects ---------------------------------------------
 */

static struct sidl_int__array* make_shape(const struct sidl__array* array) {
  const int32_t dimen = array->d_dimen;
  struct sidl_int__array* const shape = sidl_int__array_create1d(1 + 2 * dimen);
  if (shape == NULL) return NULL;
  int32_t* const values = shape->d_firstElement;
  values[0] = dimen;
  memcpy(values + 1, array->d_lower, (size_t)dimen * sizeof(int32_t));
  memcpy(values + 1 + dimen, array->d_upper, (size_t)dimen * sizeof(int32_t));
  return shape;
}

/* Goes to the next element, first index fastest; false behind the last. */
static bool next_index(const struct sidl__array* array, int32_t* index) {
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    if (++index[d] <= array->d_upper[d]) return true;
    index[d] = array->d_lower[d];
  }
  return false;
}

static void pack_elements(serializer ser, const char* key,
                          const struct sidl_interface__array* array, exception* _ex) {
  int32_t index[SIDL_MAX_ARRAY_DIMENSION];
  const struct sidl__array* const meta = &array->d_metadata;
  if (sidl__array_element_count(meta) == 0) return;
  memcpy(index, meta->d_lower, (size_t)meta->d_dimen * sizeof(int32_t));
  do {
    exception object = sidl_interface__array_get(array, index);
    sidl_io_Serializer_packObject(ser, key, object, _ex);
    reference_drop(object);
  } while (*_ex == NULL && next_index(meta, index));
}

static void pack_objects(serializer ser, const char* key, const struct sidl_interface__array* array,
                         exception* _ex) {
  char buffer[MARSHAL_KEY_BUFFER];
  struct sidl_int__array* const shape = array == NULL ? NULL : make_shape(&array->d_metadata);
  char* const shape_key = marshal_key(buffer, key, ".", "shape", _ex);
  if (array != NULL && shape == NULL) {
    throw_memory(_ex);
  } else if (shape_key != NULL) {
    sidl_io_Serializer_packIntArray(ser, shape_key, shape, 0, 1, FALSE, _ex);
    if (*_ex == NULL && array != NULL) pack_elements(ser, key, array, _ex);
  }
  sidl_int__array_deleteRef(shape);
  marshal_key_free(buffer, shape_key);
}

struct shape {
  int32_t dimen;
  int32_t lower[SIDL_MAX_ARRAY_DIMENSION];
  int32_t upper[SIDL_MAX_ARRAY_DIMENSION];
  uint64_t count;
};

/* A shape comes from the peer: nothing about it is certain. */
static bool read_shape(const struct sidl_int__array* from, int32_t dimen, struct shape* shape) {
  const int32_t length = sidl_int__array_length(from, 0);
  const int32_t first = sidl_int__array_lower(from, 0);
  shape->dimen = length > 0 ? sidl_int__array_get1(from, first) : 0;
  shape->count = 1;
  if (shape->dimen < 1 || shape->dimen > SIDL_MAX_ARRAY_DIMENSION) return false;
  if (length != 1 + 2 * shape->dimen || (dimen != 0 && dimen != shape->dimen)) return false;
  for (int32_t d = 0; d < shape->dimen; ++d) {
    shape->lower[d] = sidl_int__array_get1(from, first + 1 + d);
    shape->upper[d] = sidl_int__array_get1(from, first + 1 + shape->dimen + d);
    const int64_t extent = (int64_t)shape->upper[d] - shape->lower[d] + 1;
    if (extent < 0 || extent > INT32_MAX) return false;
    if (__builtin_mul_overflow(shape->count, (uint64_t)extent, &shape->count)) return false;
  }
  return true;
}

/*
 * Unpacks objects into memory that grows with them, so that a shape that lies cannot make us take
 * more memory than the message can fill. Returns how many there are.
 */
static size_t unpack_elements(deserializer des, const char* key, const struct sidl_type_info* type,
                              uint64_t count, void*** objects, exception* _ex) {
  size_t n = 0;
  size_t capacity = 0;
  const struct sidl_type_ref ref = {.kind = sidl_kind_interface, .object = type};
  *objects = NULL;
  while (n < count && *_ex == NULL) {
    if (n == capacity) {
      capacity = capacity == 0 ? 16 : 2 * capacity;
      void** const more = realloc(*objects, capacity * sizeof(void*));
      if (more == NULL) {
        throw_memory(_ex);
        break;
      }
      *objects = more;
    }
    void* object = NULL;
    if (marshal_unpack(des, key, &ref, &object, _ex)) {
      /* arrays hold any object as a sidl.BaseInterface, which it is at its address */
      (*objects)[n++] = object;
    }
  }
  return n;
}

static struct sidl_interface__array* make_object_array(const struct shape* shape, bool row_order,
                                                       void** objects) {
  struct sidl_interface__array* const array =
      row_order ? sidl_interface__array_createRow(shape->dimen, shape->lower, shape->upper)
                : sidl_interface__array_createCol(shape->dimen, shape->lower, shape->upper);
  if (array == NULL || shape->count == 0) return array;
  int32_t index[SIDL_MAX_ARRAY_DIMENSION];
  memcpy(index, shape->lower, (size_t)shape->dimen * sizeof(int32_t));
  do {
    sidl_interface__array_set(array, index, *objects++);
  } while (next_index(&array->d_metadata, index));
  return array;
}

static void unpack_objects(deserializer des, const char* key, const struct sidl_type_ref* type,
                           struct sidl__array** array, exception* _ex) {
  char buffer[MARSHAL_KEY_BUFFER];
  struct sidl_int__array* from = NULL;
  struct shape shape;
  char* const shape_key = marshal_key(buffer, key, ".", "shape", _ex);
  if (shape_key == NULL) return;
  sidl_io_Deserializer_unpackIntArray(des, shape_key, &from, 0, 1, FALSE, _ex);
  marshal_key_free(buffer, shape_key);
  if (*_ex != NULL || from == NULL) return;
  if (read_shape(from, type->dimension, &shape)) {
    void** objects = NULL;
    const size_t n = unpack_elements(des, key, type->object, shape.count, &objects, _ex);
    if (*_ex == NULL) {
      *array = (struct sidl__array*)make_object_array(&shape, type->order == sidl_row_major_order,
                                                      objects);
      if (*array == NULL) throw_memory(_ex);
    }
    for (size_t i = 0; i < n; ++i) reference_drop(objects[i]);
    free(objects);
  } else {
    THROW(_ex, sidl_rmi_ProtocolException, "%s: not the shape of an array of %d dimensions", key,
          type->dimension);
  }
  sidl_int__array_deleteRef(from);
}

/* ---- all arrays ---------------------------------------------------------------------------------
 */

static bool holds_objects(const struct sidl_type_ref* type) {
  return type->element == sidl_kind_interface || type->element == sidl_kind_class;
}

/* A generic array's type travels first; returns the type it is then treated as. */
static struct sidl_type_ref pack_element_type(serializer ser, const char* key,
                                              const struct sidl__array* array, exception* _ex) {
  char buffer[MARSHAL_KEY_BUFFER];
  const int32_t element = sidl__array_type(array);
  char* const type_key = marshal_key(buffer, key, ".", "type", _ex);
  if (type_key != NULL) sidl_io_Serializer_packInt(ser, type_key, element, _ex);
  marshal_key_free(buffer, type_key);
  return (struct sidl_type_ref){.kind = sidl_kind_array,
                                .element = (uint8_t)kind_of_array_type(element),
                                .dimension = (uint8_t)sidl__array_dimen(array)};
}

static struct sidl_type_ref unpack_element_type(deserializer des, const char* key, exception* _ex) {
  char buffer[MARSHAL_KEY_BUFFER];
  int32_t element = 0;
  char* const type_key = marshal_key(buffer, key, ".", "type", _ex);
  if (type_key != NULL) sidl_io_Deserializer_unpackInt(des, type_key, &element, _ex);
  marshal_key_free(buffer, type_key);
  const enum sidl_kind kind = kind_of_array_type(element);
  if (*_ex == NULL && kind == sidl_kind_void && element != sidl_undefined_array) {
    THROW(_ex, sidl_rmi_ProtocolException, "%s: there are no arrays of the type %d", key,
          (int)element);
  }
  return (struct sidl_type_ref){
      .kind = sidl_kind_array, .element = (uint8_t)kind, .object = &sidl_BaseInterface__info};
}

bool marshal_pack_array(struct sidl_io_Serializer__object* ser, const char* key,
                        const struct sidl_type_ref* type, struct sidl__array* array,
                        struct sidl_BaseInterface__object** _ex) {
  struct sidl_type_ref actual = *type;
  *_ex = NULL;
  if (type->element == sidl_kind_void) {
    actual = pack_element_type(ser, key, array, _ex);
    if (*_ex != NULL || array == NULL) return *_ex == NULL;
  }
  if (!marshal_check(key, &actual, _ex)) return false;
  if (array != NULL && actual.dimension != 0 && array->d_dimen != actual.dimension) {
    THROW(_ex, sidl_CastException, "%s has %d dimension%s, not %d", key, (int)array->d_dimen,
          array->d_dimen == 1 ? "" : "s", actual.dimension);
    return false;
  }
  if (holds_objects(&actual)) {
    pack_objects(ser, key, (const struct sidl_interface__array*)(void*)array, _ex);
  } else {
    pack_values(ser, key, &actual, array, _ex);
  }
  return *_ex == NULL;
}

/* What the protocol gave us must be what the method declares. */
static void check_array(const char* key, const struct sidl_type_ref* type,
                        struct sidl__array** array, exception* _ex) {
  if (*array == NULL) return;
  const int32_t dimen = sidl__array_dimen(*array);
  const enum sidl_kind element = kind_of_array_type(sidl__array_type(*array));
  const uint8_t expected = type->element == sidl_kind_enum    ? sidl_kind_long
                           : type->element == sidl_kind_class ? sidl_kind_interface
                                                              : type->element;
  if (element != expected || (type->dimension != 0 && dimen != type->dimension)) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "%s: the array that came has another type or %d instead "
          "of %d dimensions",
          key, (int)dimen, type->dimension);
  } else if (type->order != sidl_general_order) {
    struct any_array* const ordered =
        array_ensure((struct any_array*)(void*)*array, dimen, type->order);
    if (ordered == NULL) {
      throw_memory(_ex);
      return;
    }
    sidl__array_deleteRef(*array);
    *array = &ordered->meta;
  }
}

bool marshal_unpack_array(struct sidl_io_Deserializer__object* des, const char* key,
                          const struct sidl_type_ref* type, struct sidl__array** array,
                          struct sidl_BaseInterface__object** _ex) {
  struct sidl_type_ref actual = *type;
  *_ex = NULL;
  if (type->element == sidl_kind_void) {
    actual = unpack_element_type(des, key, _ex);
    if (*_ex != NULL || actual.element == sidl_kind_void) return *_ex == NULL;
  }
  if (!marshal_check(key, &actual, _ex)) return false;
  if (holds_objects(&actual)) {
    unpack_objects(des, key, &actual, array, _ex);
  } else {
    unpack_values(des, key, &actual, array, _ex);
  }
  if (*_ex == NULL) check_array(key, &actual, array, _ex);
  return *_ex == NULL;
}
