#include "remote/serializer_sink.h"

#include "sidl_io_Deserializer.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_io_Serializer.h"

typedef struct sidl_BaseInterface__object* exception;

static struct sidl_io_Serializer__object* serializer_of(struct sidl_sink* self) {
  return ((struct serializer_sink*)self)->serializer;
}

static struct sidl_io_Deserializer__object* deserializer_of(struct sidl_source* self) {
  return ((struct deserializer_source*)self)->deserializer;
}

static sidl_bool put(struct sidl_sink* self, const char* key, enum sidl_kind kind,
                     const void* value, exception* _ex) {
  struct sidl_io_Serializer__object* const ser = serializer_of(self);
  switch (kind) {
    case sidl_kind_bool:
      sidl_io_Serializer_packBool(ser, key, *(const sidl_bool*)value != 0, _ex);
      break;
    case sidl_kind_char:
      sidl_io_Serializer_packChar(ser, key, *(const char*)value, _ex);
      break;
    case sidl_kind_int:
      sidl_io_Serializer_packInt(ser, key, *(const int32_t*)value, _ex);
      break;
    case sidl_kind_long:
      sidl_io_Serializer_packLong(ser, key, *(const int64_t*)value, _ex);
      break;
    case sidl_kind_float:
      sidl_io_Serializer_packFloat(ser, key, *(const float*)value, _ex);
      break;
    case sidl_kind_double:
      sidl_io_Serializer_packDouble(ser, key, *(const double*)value, _ex);
      break;
    case sidl_kind_fcomplex:
      sidl_io_Serializer_packFcomplex(ser, key, *(const struct sidl_fcomplex*)value, _ex);
      break;
    case sidl_kind_dcomplex:
      sidl_io_Serializer_packDcomplex(ser, key, *(const struct sidl_dcomplex*)value, _ex);
      break;
    case sidl_kind_string:
      sidl_io_Serializer_packString(ser, key, *(const char* const*)value, _ex);
      break;
    default:
      break;
  }
  return *_ex == NULL;
}

static sidl_bool put_array(struct sidl_sink* self, const char* key,
                           const struct sidl_type_ref* type, struct sidl__array* elements,
                           exception* _ex) {
  struct sidl_io_Serializer__object* const ser = serializer_of(self);
  void* const array = elements; /* which is of its element's type */
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
      break;
  }
  return *_ex == NULL;
}

static sidl_bool put_object(struct sidl_sink* self, const char* key, exception object,
                            exception* _ex) {
  sidl_io_Serializer_packObject(serializer_of(self), key, object, _ex);
  return *_ex == NULL;
}

static sidl_bool put_copy(struct sidl_sink* self, const char* key,
                          struct sidl_io_Serializable__object* object, exception* _ex) {
  sidl_io_Serializer_packSerializable(serializer_of(self), key, object, _ex);
  return *_ex == NULL;
}

static sidl_bool get(struct sidl_source* self, const char* key, enum sidl_kind kind, void* value,
                     exception* _ex) {
  struct sidl_io_Deserializer__object* const des = deserializer_of(self);
  switch (kind) {
    case sidl_kind_bool:
      sidl_io_Deserializer_unpackBool(des, key, value, _ex);
      break;
    case sidl_kind_char:
      sidl_io_Deserializer_unpackChar(des, key, value, _ex);
      break;
    case sidl_kind_int:
      sidl_io_Deserializer_unpackInt(des, key, value, _ex);
      break;
    case sidl_kind_long:
      sidl_io_Deserializer_unpackLong(des, key, value, _ex);
      break;
    case sidl_kind_float:
      sidl_io_Deserializer_unpackFloat(des, key, value, _ex);
      break;
    case sidl_kind_double:
      sidl_io_Deserializer_unpackDouble(des, key, value, _ex);
      break;
    case sidl_kind_fcomplex:
      sidl_io_Deserializer_unpackFcomplex(des, key, value, _ex);
      break;
    case sidl_kind_dcomplex:
      sidl_io_Deserializer_unpackDcomplex(des, key, value, _ex);
      break;
    case sidl_kind_string:
      sidl_io_Deserializer_unpackString(des, key, value, _ex);
      break;
    default:
      break;
  }
  return *_ex == NULL;
}

static sidl_bool get_array(struct sidl_source* self, const char* key,
                           const struct sidl_type_ref* type, struct sidl__array** elements,
                           exception* _ex) {
  struct sidl_io_Deserializer__object* const des = deserializer_of(self);
  void* const array = elements; /* all pointers to arrays look alike */
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
      break;
  }
  return *_ex == NULL;
}

static sidl_bool get_object(struct sidl_source* self, const char* key, exception* object,
                            exception* _ex) {
  sidl_io_Deserializer_unpackObject(deserializer_of(self), key, object, _ex);
  return *_ex == NULL;
}

static sidl_bool get_copy(struct sidl_source* self, const char* key,
                          struct sidl_io_Serializable__object** object, exception* _ex) {
  sidl_io_Deserializer_unpackSerializable(deserializer_of(self), key, object, _ex);
  return *_ex == NULL;
}

struct serializer_sink serializer_sink(void* serializer) {
  static const struct sidl_sink_functions functions = {TRUE, put, put_array, put_object, put_copy};
  return (struct serializer_sink){{&functions}, serializer};
}

struct deserializer_source deserializer_source(void* deserializer) {
  static const struct sidl_source_functions functions = {TRUE, get, get_array, get_object,
                                                         get_copy};
  return (struct deserializer_source){{&functions}, deserializer};
}
