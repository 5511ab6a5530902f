#include "remote/marshal.h"

#include <stdlib.h>
#include <string.h>

#include "array/raw_member.h"
#include "array/value.h"
#include "base/reference.h"
#include "object/throw.h"
#include "remote/callers.h"
#include "remote/invoke.h"
#include "sidl_CastException_IOR.h"
#include "sidl_String.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_protocol.h"
#include "sidl_rmi_InstanceHandle.h"
#include "sidl_rmi_ProtocolException_IOR.h"

const char* marshal_key(char* buffer, bool is_wanted, const char* key, const char* part,
                        struct sidl_BaseInterface__object** _ex) {
  if (!is_wanted) return part;
  const size_t a = strlen(key);
  const size_t b = strlen(part) + 1;
  char* const joined = a + 1 + b <= MARSHAL_KEY_BUFFER ? buffer : malloc(a + 1 + b);
  if (joined == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  memcpy(joined, key, a);
  joined[a] = '.';
  memcpy(joined + a + 1, part, b);
  return joined;
}

void marshal_key_free(const char* buffer, bool is_wanted, const char* key) {
  if (is_wanted && key != buffer) free((void*)key);
}

static bool check_struct(const struct sidl_struct_info* info,
                         struct sidl_BaseInterface__object** _ex) {
  const uint32_t questionable = SIDL_KIND_BIT(sidl_kind_opaque) | SIDL_KIND_BIT(sidl_kind_struct);
  if ((struct_kinds(info) & questionable) == 0) return true;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    /* Structs may contain arrays of each other: those are checked when there is one. */
    const bool is_array = member->type.kind == sidl_kind_array;
    if (is_array && member->type.element == sidl_kind_struct) continue;
    if (!marshal_check(member->name, &member->type, _ex)) return false;
  }
  return true;
}

bool marshal_check(const char* key, const struct sidl_type_ref* type,
                   struct sidl_BaseInterface__object** _ex) {
  const bool is_array = type->kind == sidl_kind_array;
  if (type->kind == sidl_kind_opaque || (is_array && type->element == sidl_kind_opaque)) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "%s is opaque: a pointer has no meaning in another process", key);
    return false;
  }
  const bool is_struct =
      type->kind == sidl_kind_struct || (is_array && type->element == sidl_kind_struct);
  return !is_struct || check_struct(type->structure, _ex);
}

/* ---- out ---------------------------------------------------------------------------------------
 */

static bool put_raw_member(struct sidl_sink* sink, const char* key,
                           const struct sidl_member_info* member, const void* data,
                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = raw_member_type(member);
  struct sidl__array* const array = raw_member_array(member, data, _ex);
  const bool ok = array != NULL && marshal_put_array(sink, key, &type, array, _ex);
  sidl__array_deleteRef(array);
  return ok;
}

static bool put_inline(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* of,
                       const void* first, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = inline_type(of);
  struct sidl__array* const array = inline_array(of, first);
  if (array == NULL) throw_memory(_ex);
  const bool ok = array != NULL && marshal_put_array(sink, key, &type, array, _ex);
  sidl__array_deleteRef(array);
  return ok;
}

bool marshal_put_member(struct sidl_sink* sink, const char* key,
                        const struct sidl_member_info* member, const char* data,
                        struct sidl_BaseInterface__object** _ex) {
  if (member->type.kind == sidl_kind_rarray) return put_raw_member(sink, key, member, data, _ex);
  return marshal_put(sink, key, &member->type, data + member->offset, _ex);
}

static bool put_struct(struct sidl_sink* sink, const char* key, const struct sidl_struct_info* info,
                       const char* value, struct sidl_BaseInterface__object** _ex) {
  const bool keyed = sink->functions->wants_keys;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    char buffer[MARSHAL_KEY_BUFFER];
    const char* const name = marshal_key(buffer, keyed, key, member->name, _ex);
    const bool ok = name != NULL && marshal_put_member(sink, name, member, value, _ex);
    marshal_key_free(buffer, keyed, name);
    if (!ok) return false;
  }
  return true;
}

/* By value: the declared type is a sidl.io.Serializable, so the object can be cast to it. */
static bool put_copy(struct sidl_sink* sink, const char* key, void* object,
                     struct sidl_BaseInterface__object** _ex) {
  struct sidl_io_Serializable__object* const value =
      sidl_cast(object, &sidl_io_Serializable__info, _ex);
  const bool ok = *_ex == NULL && sink->functions->put_copy(sink, key, value, _ex);
  reference_drop(value);
  return ok;
}

static void refuse_passing(const char* key, struct sidl_rmi_InstanceHandle__object* handle,
                           const char* instead, struct sidl_BaseInterface__object** _ex) {
  char* const name = sidl_rmi_InstanceHandle_getObjectID(handle, _ex);
  if (*_ex != NULL) return;
  THROW(_ex, sidl_rmi_ProtocolException,
        "%s is '%s', which cannot be passed to other processes: %s", key, name == NULL ? "" : name,
        instead);
  sidl_String_free(name);
}

/* Fails for proxies that cannot be passed on. */
static bool put_object(struct sidl_sink* sink, const char* key,
                       struct sidl_BaseInterface__object* object,
                       struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_InstanceHandle__object* const handle = sidl_proxy_handle(object);
  const char* const instead = handle == NULL ? NULL : instead_of_passing(sidl_object_type(handle));
  if (instead == NULL) return sink->functions->put_object(sink, key, object, _ex);
  refuse_passing(key, handle, instead, _ex);
  return false;
}

bool marshal_put(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                 const void* value, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  switch ((enum sidl_kind)type->kind) {
    case sidl_kind_void:
    case sidl_kind_rarray: /* only in structs: put_struct */
      return true;
    case sidl_kind_enum:
      return sink->functions->put(sink, key, sidl_kind_long, value, _ex);
    case sidl_kind_opaque:
      return marshal_check(key, type, _ex);
    case sidl_kind_struct:
      return put_struct(sink, key, type->structure, value, _ex);
    case sidl_kind_interface:
    case sidl_kind_class:
      if (type->flags & sidl_ref_copy) return put_copy(sink, key, *(void* const*)value, _ex);
      return put_object(sink, key, *(struct sidl_BaseInterface__object* const*)value, _ex);
    case sidl_kind_array:
      return marshal_put_array(sink, key, type, *(struct sidl__array* const*)value, _ex);
    case sidl_kind_inline:
      return put_inline(sink, key, type, value, _ex);
    default:
      return sink->functions->put(sink, key, (enum sidl_kind)type->kind, value, _ex);
  }
}

/* As marshal_put, with a fast path: most arguments are numbers and arrays. *_ex must be NULL. */
static inline bool put_argument(struct sidl_sink* sink, const char* key,
                                const struct sidl_type_ref* type, const void* value,
                                struct sidl_BaseInterface__object** _ex) {
  if (marshal_is_simple(type)) {
    return sink->functions->put(sink, key, (enum sidl_kind)type->kind, value, _ex);
  }
  if (type->kind == sidl_kind_array) {
    return marshal_put_array(sink, key, type, *(struct sidl__array* const*)value, _ex);
  }
  return marshal_put(sink, key, type, value, _ex);
}

static inline bool can_travel(const char* key, const struct sidl_type_ref* type,
                              struct sidl_BaseInterface__object** _ex) {
  return marshal_is_simple(type) || type->kind == sidl_kind_void || marshal_check(key, type, _ex);
}

bool marshal_put_arguments(struct sidl_sink* sink, const struct sidl_method_info* method,
                           void* const* args, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (!can_travel("the result", &method->result, _ex)) return false;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_out) {
      if (!can_travel(arg->name, &arg->type, _ex)) return false;
      continue;
    }
    if (!put_argument(sink, arg->name, &arg->type, args[i], _ex)) return false;
  }
  return true;
}

sidl_bool sidl_rmi_put_outputs(struct sidl_sink* sink, const struct sidl_method_info* method,
                               void* const* args, const void* result,
                               struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  return marshal_put_outputs(sink, method, args, result, _ex);
}

bool marshal_put_outputs(struct sidl_sink* sink, const struct sidl_method_info* method,
                         void* const* args, const void* result,
                         struct sidl_BaseInterface__object** _ex) {
  if (result != NULL && !put_argument(sink, RESULT_KEY, &method->result, result, _ex)) return false;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_in) continue;
    if (!put_argument(sink, arg->name, &arg->type, args[i], _ex)) return false;
  }
  return true;
}

/* ---- in ----------------------------------------------------------------------------------------
 */

static bool get_copy(struct sidl_source* source, const char* key,
                     struct sidl_BaseInterface__object** object,
                     struct sidl_BaseInterface__object** _ex) {
  struct sidl_io_Serializable__object* value = NULL;
  const bool ok = source->functions->get_copy(source, key, &value, _ex);
  *object = (struct sidl_BaseInterface__object*)(void*)value;
  return ok;
}

static bool get_object(struct sidl_source* source, const char* key, const struct sidl_type_ref* ref,
                       void** value, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = ref->object;
  struct sidl_BaseInterface__object* object = NULL;
  const bool ok = ref->flags & sidl_ref_copy
                      ? get_copy(source, key, &object, _ex)
                      : source->functions->get_object(source, key, &object, _ex);
  if (!ok || object == NULL) return ok;
  *value = sidl_cast(object, type, _ex);
  if (*value == NULL && *_ex == NULL) {
    THROW(_ex, sidl_CastException, "%s: an object of class %s is not a %s", key,
          sidl_object_type(object)->name, type->name);
  }
  reference_drop(object);
  return *_ex == NULL;
}

static bool get_raw_member(struct sidl_source* source, const char* key,
                           const struct sidl_member_info* member, struct raw_member* value,
                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = raw_member_type(member);
  struct sidl__array* array = NULL;
  const bool ok = marshal_get(source, key, &type, &array, _ex);
  raw_member_own(value, array);
  return ok;
}

/* To be called when all members that extents may refer to have been read. */
bool marshal_check_raw_members(const struct sidl_struct_info* info, const char* data,
                               struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    if (member->type.kind != sidl_kind_rarray) continue;
    const struct raw_member* const raw = (const void*)(data + member->offset);
    if (!raw_array_check(&member->type, data, raw->owner, member->name, _ex)) return false;
  }
  return true;
}

static bool get_struct(struct sidl_source* source, const char* key,
                       const struct sidl_struct_info* info, char* value,
                       struct sidl_BaseInterface__object** _ex) {
  const bool keyed = source->functions->wants_keys;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    void* const at = value + member->offset;
    char buffer[MARSHAL_KEY_BUFFER];
    const char* const name = marshal_key(buffer, keyed, key, member->name, _ex);
    const bool ok = name != NULL && (member->type.kind == sidl_kind_rarray
                                         ? get_raw_member(source, name, member, at, _ex)
                                         : marshal_get(source, name, &member->type, at, _ex));
    marshal_key_free(buffer, keyed, name);
    if (!ok) return false;
  }
  return marshal_check_raw_members(info, value, _ex);
}

static bool get_inline(struct sidl_source* source, const char* key, const struct sidl_type_ref* of,
                       void* first, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = inline_type(of);
  struct sidl__array* array = NULL;
  const bool ok = marshal_get_array(source, key, &type, &array, _ex) &&
                  inline_assign(of, array, first, key, _ex);
  sidl__array_deleteRef(array);
  return ok;
}

static bool get_compound(struct sidl_source* source, const char* key,
                         const struct sidl_type_ref* type, void* value,
                         struct sidl_BaseInterface__object** _ex) {
  switch ((enum sidl_kind)type->kind) {
    case sidl_kind_opaque:
      return marshal_check(key, type, _ex);
    case sidl_kind_struct:
      return get_struct(source, key, type->structure, value, _ex);
    case sidl_kind_interface:
    case sidl_kind_class:
      return get_object(source, key, type, value, _ex);
    case sidl_kind_inline:
      return get_inline(source, key, type, value, _ex);
    default: /* no value, or a raw array, which only structs have: get_struct */
      return true;
  }
}

/* After a failure simple values and arrays are zero. */
bool marshal_get(struct sidl_source* source, const char* key, const struct sidl_type_ref* type,
                 void* value, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (marshal_is_simple(type)) {
    return source->functions->get(source, key, (enum sidl_kind)type->kind, value, _ex);
  }
  if (type->kind == sidl_kind_array) return marshal_get_array(source, key, type, value, _ex);
  if (type->kind == sidl_kind_enum) {
    return source->functions->get(source, key, sidl_kind_long, value, _ex);
  }
  if (get_compound(source, key, type, value, _ex)) return true;
  value_destroy(type, value);
  return false;
}

bool marshal_get_arguments(struct sidl_source* source, const struct sidl_method_info* method,
                           void* const* args, struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_out) continue;
    if (!marshal_get_argument(source, arg->name, &arg->type, args[i], _ex)) {
      invoke_add_argument(method, arg, *_ex);
      return false;
    }
  }
  return true;
}

sidl_bool sidl_rmi_take_arguments(struct sidl_source* source, const struct sidl_method_info* method,
                                  void* const* args, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  return marshal_get_arguments(source, method, args, _ex);
}
