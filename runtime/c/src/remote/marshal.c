#include "remote/marshal.h"

#include <stdlib.h>
#include <string.h>

#include "array/raw_member.h"
#include "array/value.h"
#include "base/reference.h"
#include "object/throw.h"
#include "sidl_CastException_IOR.h"
#include "sidl_io_Deserializer.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_io_Serializer.h"
#include "sidl_protocol.h"
#include "sidl_rmi_ProtocolException_IOR.h"

char* marshal_key(char* buffer, const char* key, const char* separator, const char* suffix,
                  struct sidl_BaseInterface__object** _ex) {
  const size_t a = strlen(key);
  const size_t b = strlen(separator);
  const size_t c = strlen(suffix) + 1;
  char* const joined = a + b + c <= MARSHAL_KEY_BUFFER ? buffer : malloc(a + b + c);
  if (joined == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  memcpy(joined, key, a);
  memcpy(joined + a, separator, b);
  memcpy(joined + a + b, suffix, c);
  return joined;
}

void marshal_key_free(char* buffer, char* key) {
  if (key != buffer) free(key);
}

bool marshal_check(const char* key, const struct sidl_type_ref* type,
                   struct sidl_BaseInterface__object** _ex) {
  const bool is_array = type->kind == sidl_kind_array;
  if (type->kind == sidl_kind_opaque || (is_array && type->element == sidl_kind_opaque)) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "%s is opaque: a pointer means nothing in another process", key);
    return false;
  }
  for (int32_t i = 0; type->kind == sidl_kind_struct && i < type->structure->member_count; ++i) {
    const struct sidl_member_info* const member = &type->structure->members[i];
    if (!marshal_check(member->name, &member->type, _ex)) return false;
  }
  return true;
}

static bool pack_raw_member(struct sidl_io_Serializer__object* ser, const char* key,
                            const struct sidl_member_info* member, const void* data,
                            struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = raw_member_type(member);
  struct sidl__array* const array = raw_member_array(member, data, _ex);
  if (array != NULL) marshal_pack_array(ser, key, &type, array, _ex);
  sidl__array_deleteRef(array);
  return *_ex == NULL;
}

static bool pack_member(struct sidl_io_Serializer__object* ser, const char* key,
                        const struct sidl_member_info* member, const char* data,
                        struct sidl_BaseInterface__object** _ex) {
  if (member->type.kind == sidl_kind_rarray) return pack_raw_member(ser, key, member, data, _ex);
  return marshal_pack(ser, key, &member->type, data + member->offset, _ex);
}

static bool pack_struct(struct sidl_io_Serializer__object* ser, const char* key,
                        const struct sidl_struct_info* info, const char* value,
                        struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    char buffer[MARSHAL_KEY_BUFFER];
    char* const name = marshal_key(buffer, key, ".", member->name, _ex);
    const bool ok = name != NULL && pack_member(ser, name, member, value, _ex);
    marshal_key_free(buffer, name);
    if (!ok) return false;
  }
  return true;
}

/* By value: the declared type is a sidl.io.Serializable, so the object can be seen as one. */
static void pack_copy(struct sidl_io_Serializer__object* ser, const char* key, void* object,
                      struct sidl_BaseInterface__object** _ex) {
  struct sidl_io_Serializable__object* const value =
      sidl_cast(object, &sidl_io_Serializable__info, _ex);
  if (*_ex == NULL) sidl_io_Serializer_packSerializable(ser, key, value, _ex);
  reference_drop(value);
}

bool marshal_pack(struct sidl_io_Serializer__object* ser, const char* key,
                  const struct sidl_type_ref* type, const void* value,
                  struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  switch ((enum sidl_kind)type->kind) {
    case sidl_kind_void:
      break;
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
    case sidl_kind_enum:
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
    case sidl_kind_opaque:
      return marshal_check(key, type, _ex);
    case sidl_kind_struct:
      return pack_struct(ser, key, type->structure, value, _ex);
    case sidl_kind_interface:
    case sidl_kind_class:
      if (type->flags & sidl_ref_copy) {
        pack_copy(ser, key, *(void* const*)value, _ex);
        break;
      }
      sidl_io_Serializer_packObject(ser, key, *(struct sidl_BaseInterface__object* const*)value,
                                    _ex);
      break;
    case sidl_kind_rarray: /* of a struct alone: pack_member */
      break;
    case sidl_kind_array:
      return marshal_pack_array(ser, key, type, *(struct sidl__array* const*)value, _ex);
  }
  return *_ex == NULL;
}

static void unpack_copy(struct sidl_io_Deserializer__object* des, const char* key,
                        struct sidl_BaseInterface__object** object,
                        struct sidl_BaseInterface__object** _ex) {
  struct sidl_io_Serializable__object* value = NULL;
  sidl_io_Deserializer_unpackSerializable(des, key, &value, _ex);
  *object = value == NULL ? NULL : (struct sidl_BaseInterface__object*)(void*)value;
}

static bool unpack_object(struct sidl_io_Deserializer__object* des, const char* key,
                          const struct sidl_type_ref* ref, void** value,
                          struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = ref->object;
  struct sidl_BaseInterface__object* object = NULL;
  if (ref->flags & sidl_ref_copy) {
    unpack_copy(des, key, &object, _ex);
  } else {
    sidl_io_Deserializer_unpackObject(des, key, &object, _ex);
  }
  if (*_ex != NULL || object == NULL) return *_ex == NULL;
  *value = sidl_cast(object, type, _ex);
  if (*value == NULL && *_ex == NULL) {
    THROW(_ex, sidl_CastException, "%s: an object of class %s is not a %s", key,
          sidl_object_type(object)->name, type->name);
  }
  reference_drop(object);
  return *_ex == NULL;
}

static bool unpack_member(struct sidl_io_Deserializer__object* des, const char* key,
                          const struct sidl_member_info* member, char* data,
                          struct sidl_BaseInterface__object** _ex) {
  void* const value = data + member->offset;
  if (member->type.kind != sidl_kind_rarray) {
    return marshal_unpack(des, key, &member->type, value, _ex);
  }
  const struct sidl_type_ref type = raw_member_type(member);
  struct sidl__array* array = NULL;
  marshal_unpack(des, key, &type, &array, _ex);
  raw_member_own(value, array);
  return *_ex == NULL;
}

/* Only now are all members there that the extents may name. */
static bool check_raw_members(const struct sidl_struct_info* info, const char* data,
                              struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    if (member->type.kind != sidl_kind_rarray) continue;
    const struct raw_member* const raw = (const void*)(data + member->offset);
    if (!raw_array_check(&member->type, data, raw->owner, member->name, _ex)) return false;
  }
  return true;
}

static bool unpack_struct(struct sidl_io_Deserializer__object* des, const char* key,
                          const struct sidl_struct_info* info, char* value,
                          struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    char buffer[MARSHAL_KEY_BUFFER];
    char* const name = marshal_key(buffer, key, ".", member->name, _ex);
    const bool ok = name != NULL && unpack_member(des, name, member, value, _ex);
    marshal_key_free(buffer, name);
    if (!ok) return false;
  }
  return check_raw_members(info, value, _ex);
}

static void unpack_value(struct sidl_io_Deserializer__object* des, const char* key,
                         const struct sidl_type_ref* type, void* value,
                         struct sidl_BaseInterface__object** _ex) {
  switch ((enum sidl_kind)type->kind) {
    case sidl_kind_void:
      break;
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
    case sidl_kind_enum:
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
    case sidl_kind_opaque:
      marshal_check(key, type, _ex);
      break;
    case sidl_kind_struct:
      unpack_struct(des, key, type->structure, value, _ex);
      break;
    case sidl_kind_interface:
    case sidl_kind_class:
      unpack_object(des, key, type, value, _ex);
      break;
    case sidl_kind_rarray: /* of a struct alone: unpack_member */
      break;
    case sidl_kind_array:
      marshal_unpack_array(des, key, type, value, _ex);
      break;
  }
}

bool marshal_unpack(struct sidl_io_Deserializer__object* des, const char* key,
                    const struct sidl_type_ref* type, void* value,
                    struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  unpack_value(des, key, type, value, _ex);
  if (*_ex == NULL) return true;
  value_destroy(type, value);
  return false;
}
