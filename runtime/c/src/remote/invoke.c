/* invoke.c: what every remote stub does. */
#include "remote/invoke.h"

#include <stdio.h>

#include "base/reference.h"
#include "object/dynamic.h"
#include "object/object.h"
#include "object/throw.h"
#include "remote/deadline.h"
#include "remote/fate.h"
#include "remote/marshal.h"
#include "remote/proxy.h"
#include "sidl_BaseException.h"
#include "sidl_marshal.h"
#include "sidl_protocol.h"
#include "sidl_rmi_InstanceHandle.h"
#include "sidl_rmi_Invocation.h"
#include "sidl_rmi_ObjectDoesNotExistException_IOR.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_rmi_RequestFate.h"
#include "sidl_rmi_Response.h"

sidl_bool sidl_rmi_put_arguments(struct sidl_sink* sink, const struct sidl_method_info* method,
                                 void* const* args, struct sidl_BaseInterface__object** _ex) {
  return marshal_put_arguments(sink, method, args, _ex);
}

static bool check_arguments(const struct sidl_method_info* method,
                            struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (!marshal_check(arg->name, &arg->type, _ex)) return false;
  }
  return true;
}

/*
 * Checks first whether all values can be passed, as an Invocation may keep what was packed into it.
 */
static bool pack_arguments(const struct sidl_method_info* method, void* const* args,
                           struct sidl_rmi_Invocation__object* invocation,
                           struct sidl_BaseInterface__object** _ex) {
  struct sidl_serializer_sink sink = sidl_sink_of_serializer(invocation);
  return check_arguments(method, _ex) && marshal_put_arguments(&sink.base, method, args, _ex);
}

/* The handle of the proxy `self`, if the method may be called through it. NULL with *_ex set. */
static struct sidl_rmi_InstanceHandle__object* callable_handle(
    void* self, const struct sidl_method_info* method, struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_InstanceHandle__object* const handle = sidl_proxy_handle(self);
  *_ex = NULL;
  if (handle == NULL) {
    THROW(_ex, sidl_rmi_ObjectDoesNotExistException,
          "%s.%s: the object has been destroyed, or its constructor has failed", method->type->name,
          method->name);
  } else if (method->exec == NULL) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "%s.%s is local: it cannot be called on an object in another process", method->type->name,
          method->name);
  }
  return *_ex == NULL ? handle : NULL;
}

static bool is_oneway(const struct sidl_method_info* method) {
  return (method->flags & sidl_method_oneway) != 0;
}

struct sidl_rmi_Invocation__object* invoke_begin(void* self, const struct sidl_method_info* method,
                                                 void* const* args,
                                                 struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_InstanceHandle__object* const handle = callable_handle(self, method, _ex);
  if (handle == NULL) return NULL;
  struct sidl_rmi_Invocation__object* const invocation =
      sidl_rmi_InstanceHandle_createInvocation(handle, method->name, (int64_t)method->digest, _ex);
  if (*_ex != NULL) return NULL;
  if ((is_oneway(method) || deadline_apply(self, invocation, _ex)) &&
      pack_arguments(method, args, invocation, _ex)) {
    return invocation;
  }
  reference_drop(invocation);
  return NULL;
}

void invoke_end(const struct outputs* outputs, struct sidl_rmi_Response__object* response,
                struct sidl_BaseInterface__object** _ex) {
  struct sidl_BaseException__object* const thrown =
      sidl_rmi_Response_getExceptionThrown(response, _ex);
  if (*_ex != NULL) {
    fate_set(*_ex, sidl_rmi_RequestFate_mayHaveExecuted);
    return;
  }
  if (thrown != NULL) {
    /* the exception variable holds the object, not its facet */
    *_ex = thrown->d_object;
    return;
  }
  struct sidl_deserializer_source source = sidl_source_of_deserializer(response);
  sidl_rmi_get_outputs(&source.base, outputs->method, outputs->args, outputs->result, _ex);
}

static void add_line(struct sidl_BaseInterface__object* ex, const char* line) {
  struct sidl_BaseException__object* const thrown =
      sidl_cast_borrowed(ex, &sidl_BaseException__info);
  if (thrown == NULL) return;
  struct sidl_BaseInterface__object* ignored = NULL;
  sidl_BaseException_addLine(thrown, line, &ignored);
  reference_drop(ignored);
}

void invoke_add_trace(const struct sidl_method_info* method,
                      struct sidl_BaseInterface__object* ex) {
  char line[256];
  /* for a missing or different method both versions matter */
  const bool says_version = sidl_cast_borrowed(ex, &sidl_rmi_ProtocolException__info) != NULL &&
                            method->type->version[0] != '\0';
  snprintf(line, sizeof line, "in %s.%s called remotely%s%s", method->type->name, method->name,
           says_version ? ", by a caller with version " : "",
           says_version ? method->type->version : "");
  add_line(ex, line);
}

void invoke_add_argument(const struct sidl_method_info* method, const struct sidl_arg_info* arg,
                         struct sidl_BaseInterface__object* ex) {
  char line[256];
  snprintf(line, sizeof line, "in argument '%s' of %s.%s", arg->name, method->type->name,
           method->name);
  add_line(ex, line);
}

static void run(const struct outputs* outputs, struct sidl_rmi_Invocation__object* invocation,
                struct sidl_BaseInterface__object** _ex) {
  if (is_oneway(outputs->method)) {
    sidl_rmi_Invocation_invokeOneWay(invocation, _ex);
    return;
  }
  struct sidl_rmi_Response__object* const response =
      sidl_rmi_Invocation_invokeMethod(invocation, _ex);
  if (*_ex == NULL) invoke_end(outputs, response, _ex);
  reference_drop(response);
}

/* Makes the call as a whole if the protocol can; false if it has to be made step by step. */
static bool invoke_whole(void* self, const struct outputs* outputs,
                         struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = outputs->method;
  struct sidl_rmi_InstanceHandle__object* handle = NULL;
  const sidl_rmi_caller caller = proxy_caller(self, &handle);
  int64_t deadline = 0;
  if (caller == NULL || method->exec == NULL) return false;
  if (deadline_is_used()) {
    if (is_oneway(method)) {
      deadline = deadline_of_sending(self);
    } else if (!deadline_find(self, &deadline, _ex)) {
      deadline = -1;
    }
  }
  return caller(handle, method, outputs->args, outputs->result, deadline, _ex);
}

/* False: the class of the object was not made at run time. */
static bool invoke_dynamic(void* self, const struct outputs* outputs,
                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_dynamic_functions* const functions = dynamic_functions(self);
  if (functions == NULL) return false;
  *_ex = NULL;
  functions->call(*dynamic_data(self), object_of(self), outputs->method, outputs->args,
                  outputs->result, _ex);
  return true;
}

void sidl_rmi_invoke(void* self, const struct sidl_method_info* method, void* const* args,
                     void* result, struct sidl_BaseInterface__object** _ex) {
  const struct outputs outputs = {method, args,
                                  method->result.kind == sidl_kind_void ? NULL : result};
  outputs_clear(&outputs);
  if (!invoke_whole(self, &outputs, _ex) && !invoke_dynamic(self, &outputs, _ex)) {
    struct sidl_rmi_Invocation__object* const invocation = invoke_begin(self, method, args, _ex);
    if (*_ex == NULL) run(&outputs, invocation, _ex);
    reference_drop(invocation);
  }
  if (*_ex != NULL && sidl_is_remote(self)) invoke_add_trace(method, *_ex);
}
