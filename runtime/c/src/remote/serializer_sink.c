#include "remote/marshal.h"

#include "sidl_io_Deserializer.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_io_Serializer.h"
#include "sidl_memory_space.h"

typedef struct sidl_BaseInterface__object* exception;

static struct sidl_io_Serializer__object* serializer_of(struct sidl_sink* self) {
  return ((struct sidl_serializer_sink*)self)->serializer;
}

static struct sidl_io_Deserializer__object* deserializer_of(struct sidl_source* self) {
  return ((struct sidl_deserializer_source*)self)->deserializer;
}

static sidl_bool put(struct sidl_sink* self, const char* key, enum sidl_kind kind,
                     const void* value, exception* _ex) {
  struct sidl_io_Serializer__object* const ser = serializer_of(self);
  const sidl_bool is_true = kind == sidl_kind_bool && *(const sidl_bool*)value != 0;
  if (kind == sidl_kind_bool) value = &is_true; /* any number that is not zero is */
  switch (kind) {
#define SIDL_LOCAL(name, number, array_type, ctype, Name, numpy)
#define SIDL_BASIC(name, number, array_type, ctype, Name, numpy)        \
  case number:                                                          \
    sidl_io_Serializer_pack##Name(ser, key, *(ctype const*)value, _ex); \
    break;
#include "sidl_kinds.def"
    default:
      break;
  }
  return *_ex == NULL;
}

static void pack_array(struct sidl_io_Serializer__object* ser, const char* key,
                       const struct sidl_type_ref* type, struct sidl__array* elements,
                       sidl_bool reuse, exception* _ex) {
  void* const array = elements; /* which is of its element's type */
  const int32_t order = type->order;
  const int32_t dimen = type->dimension;
  switch (type->element == sidl_kind_enum ? sidl_kind_long : type->element) {
#define SIDL_LOCAL(name, number, array_type, ctype, Name, numpy)
#define SIDL_BASIC(name, number, array_type, ctype, Name, numpy)                     \
  case number:                                                                       \
    sidl_io_Serializer_pack##Name##Array(ser, key, array, order, dimen, reuse, _ex); \
    break;
#include "sidl_kinds.def"
    default:
      break;
  }
}

/* A serializer reads elements: it gets those that are elsewhere in host memory. */
static sidl_bool put_in_host(struct sidl_sink* self, const char* key,
                             const struct sidl_type_ref* type, struct sidl__array* elements,
                             sidl_bool reuse, exception* _ex) {
  struct sidl__array* const array = sidl__array_in(NULL, elements);
  if (array != NULL || elements == NULL) {
    pack_array(serializer_of(self), key, type, array, reuse, _ex);
  } else {
    sidl__array_require_host(elements, key, _ex);
  }
  sidl__array_deleteRef(array);
  return *_ex == NULL;
}

static sidl_bool put_array(struct sidl_sink* self, const char* key,
                           const struct sidl_type_ref* type, struct sidl__array* elements,
                           exception* _ex) {
  return put_in_host(self, key, type, elements, TRUE, _ex);
}

/* For arrays that change before the message has left. */
static sidl_bool put_copied(struct sidl_sink* self, const char* key,
                            const struct sidl_type_ref* type, struct sidl__array* elements,
                            exception* _ex) {
  return put_in_host(self, key, type, elements, FALSE, _ex);
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
#define SIDL_LOCAL(name, number, array_type, ctype, Name, numpy)
#define SIDL_BASIC(name, number, array_type, ctype, Name, numpy) \
  case number:                                                   \
    sidl_io_Deserializer_unpack##Name(des, key, value, _ex);     \
    break;
#include "sidl_kinds.def"
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
  switch (type->element == sidl_kind_enum ? sidl_kind_long : type->element) {
#define SIDL_LOCAL(name, number, array_type, ctype, Name, numpy)
#define SIDL_BASIC(name, number, array_type, ctype, Name, numpy)                         \
  case number:                                                                           \
    sidl_io_Deserializer_unpack##Name##Array(des, key, array, order, dimen, FALSE, _ex); \
    break;
#include "sidl_kinds.def"
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

struct sidl_serializer_sink sidl_sink_of_serializer(void* serializer) {
  static const struct sidl_sink_functions functions = {TRUE, put, put_array, put_object, put_copy};
  return (struct sidl_serializer_sink){{&functions}, serializer};
}

struct sidl_serializer_sink sink_that_copies(void* serializer) {
  static const struct sidl_sink_functions functions = {TRUE, put, put_copied, put_object, put_copy};
  return (struct sidl_serializer_sink){{&functions}, serializer};
}

struct sidl_deserializer_source sidl_source_of_deserializer(void* deserializer) {
  static const struct sidl_source_functions functions = {TRUE, get, get_array, get_object,
                                                         get_copy};
  return (struct sidl_deserializer_source){{&functions}, deserializer};
}
