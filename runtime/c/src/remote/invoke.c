/*
 * invoke.c: what every remote stub does.
 *
 * The result and `out` arguments are unpacked where they belong and cleared again if something
 * fails; `inout` arguments go to temporaries first, because the caller's values must survive a
 * failure. A call whose inout arguments are few needs no memory of ours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/raw_member.h"
#include "array/value.h"
#include "base/reference.h"
#include "object/throw.h"
#include "remote/deadline.h"
#include "remote/marshal.h"
#include "sidl_BaseException.h"
#include "sidl_io_Deserializer.h"
#include "sidl_io_Serializer.h"
#include "sidl_protocol.h"
#include "sidl_rmi_InstanceHandle.h"
#include "sidl_rmi_Invocation.h"
#include "sidl_rmi_NetworkException_IOR.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_rmi_Response.h"

enum { TEMPORARY_BYTES = 512, TEMPORARY_ALIGNMENT = 16 };

struct call {
  const struct sidl_method_info* method;
  void* const* args;
  void* result; /* NULL for none */
  char* temporaries;
  _Alignas(TEMPORARY_ALIGNMENT) char buffer[TEMPORARY_BYTES];
};

static size_t temporary_size(const struct sidl_type_ref* type) {
  return (value_size(type) + TEMPORARY_ALIGNMENT - 1) / TEMPORARY_ALIGNMENT * TEMPORARY_ALIGNMENT;
}

static void clear_outputs(const struct call* call) {
  const struct sidl_method_info* const method = call->method;
  if (call->result != NULL) memset(call->result, 0, value_size(&method->result));
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (method->args[i].mode == sidl_mode_out) {
      memset(call->args[i], 0, value_size(&method->args[i].type));
    }
  }
}

/* Everything that could not travel is refused before the first byte leaves. */
static bool check_types(const struct call* call, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = call->method;
  if (!marshal_check("the result", &method->result, _ex)) return false;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (!marshal_check(method->args[i].name, &method->args[i].type, _ex)) return false;
  }
  return true;
}

static bool pack_arguments(const struct call* call, struct sidl_rmi_Invocation__object* invocation,
                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = call->method;
  /* an Invocation's EPV begins with Serializer's */
  struct sidl_io_Serializer__object* const ser =
      (struct sidl_io_Serializer__object*)(void*)invocation;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_out) continue;
    if (!marshal_pack(ser, arg->name, &arg->type, call->args[i], _ex)) return false;
  }
  return true;
}

/* Zeroed room for the inout arguments. */
static bool make_temporaries(struct call* call, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = call->method;
  size_t size = 0;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (method->args[i].mode == sidl_mode_inout) size += temporary_size(&method->args[i].type);
  }
  call->temporaries = size <= sizeof call->buffer ? call->buffer : malloc(size);
  if (call->temporaries == NULL) {
    throw_memory(_ex);
    return false;
  }
  if (size > 0) memset(call->temporaries, 0, size);
  return true;
}

static void free_temporaries(struct call* call) {
  if (call->temporaries != call->buffer) free(call->temporaries);
  call->temporaries = NULL;
}

/* Whether an inout value that came back can take the place of the caller's: raw memory stays. */
static bool fits_caller(const struct call* call, const struct sidl_arg_info* arg, const void* made,
                        const void* own, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref* const type = &arg->type;
  if (type->kind == sidl_kind_struct) return raw_members_fit(type->structure, made, own, _ex);
  return !(type->flags & sidl_ref_raw) ||
         raw_array_check(type, call->args, *(struct sidl__array* const*)made, arg->name, _ex);
}

/* Replaces the caller's inout values by the temporaries (commit) or drops the temporaries. */
static void settle_temporaries(struct call* call, bool commit) {
  char* temporary = call->temporaries;
  for (int32_t i = 0; i < call->method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &call->method->args[i];
    if (arg->mode != sidl_mode_inout) continue;
    if (commit) {
      if (arg->type.kind == sidl_kind_struct) {
        raw_members_return(arg->type.structure, temporary, call->args[i]);
      }
      value_destroy(&arg->type, call->args[i]);
      memcpy(call->args[i], temporary, value_size(&arg->type));
    } else {
      value_destroy(&arg->type, temporary);
    }
    temporary += temporary_size(&arg->type);
  }
}

static bool unpack_outputs(struct call* call, struct sidl_io_Deserializer__object* des,
                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = call->method;
  char* temporary = call->temporaries;
  if (call->result != NULL &&
      !marshal_unpack(des, RESULT_KEY, &method->result, call->result, _ex)) {
    return false;
  }
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_in) continue;
    const bool inout = arg->mode == sidl_mode_inout;
    void* const value = inout ? temporary : call->args[i];
    if (!marshal_unpack(des, arg->name, &arg->type, value, _ex)) return false;
    if (inout && !fits_caller(call, arg, value, call->args[i], _ex)) return false;
    if (inout) temporary += temporary_size(&arg->type);
  }
  return true;
}

static void destroy_outputs(const struct call* call) {
  const struct sidl_method_info* const method = call->method;
  if (call->result != NULL) value_destroy(&method->result, call->result);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (method->args[i].mode == sidl_mode_out) {
      value_destroy(&method->args[i].type, call->args[i]);
    }
  }
}

static void take_response(struct call* call, struct sidl_rmi_Response__object* response,
                          struct sidl_BaseInterface__object** _ex) {
  struct sidl_BaseException__object* const thrown =
      sidl_rmi_Response_getExceptionThrown(response, _ex);
  if (*_ex != NULL) return;
  if (thrown != NULL) {
    /* the exception variable holds the object, not its facet */
    *_ex = thrown->d_object;
    return;
  }
  if (!make_temporaries(call, _ex)) return;
  const bool ok = unpack_outputs(call, (struct sidl_io_Deserializer__object*)(void*)response, _ex);
  if (!ok) destroy_outputs(call);
  settle_temporaries(call, ok);
  free_temporaries(call);
}

static void run(struct call* call, const void* self, struct sidl_rmi_InstanceHandle__object* handle,
                struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = call->method;
  struct sidl_rmi_Invocation__object* const invocation =
      sidl_rmi_InstanceHandle_createInvocation(handle, method->name, (int64_t)method->digest, _ex);
  if (*_ex != NULL) return;
  struct sidl_rmi_Response__object* response = NULL;
  if (deadline_apply(self, invocation, _ex) && pack_arguments(call, invocation, _ex)) {
    response = sidl_rmi_Invocation_invokeMethod(invocation, _ex);
  }
  reference_drop(invocation);
  if (*_ex == NULL) take_response(call, response, _ex);
  reference_drop(response);
}

static void add_trace(const struct sidl_method_info* method,
                      struct sidl_BaseInterface__object* ex) {
  struct sidl_BaseException__object* const thrown =
      sidl_cast_borrowed(ex, &sidl_BaseException__info);
  struct sidl_BaseInterface__object* ignored = NULL;
  char line[256];
  if (thrown == NULL) return;
  snprintf(line, sizeof line, "in %s.%s called remotely", method->type->name, method->name);
  sidl_BaseException_addLine(thrown, line, &ignored);
  reference_drop(ignored);
}

void sidl_rmi_invoke(void* self, const struct sidl_method_info* method, void* const* args,
                     void* result, struct sidl_BaseInterface__object** _ex) {
  struct call call;
  call.method = method;
  call.args = args;
  call.result = method->result.kind == sidl_kind_void ? NULL : result;
  call.temporaries = NULL;
  *_ex = NULL;
  clear_outputs(&call);
  struct sidl_rmi_InstanceHandle__object* const handle = sidl_proxy_handle(self);
  if (handle == NULL) {
    THROW(_ex, sidl_rmi_NetworkException, "%s.%s: the object is not remote", method->type->name,
          method->name);
  } else if (method->exec == NULL) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "%s.%s is local: it cannot be called on an object in another process", method->type->name,
          method->name);
  } else if (check_types(&call, _ex)) {
    run(&call, self, handle, _ex);
  }
  if (*_ex != NULL) add_trace(method, *_ex);
}
