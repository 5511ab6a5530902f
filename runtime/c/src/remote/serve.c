/*
 * serve.c: running calls of peers: what every dispatcher does.
 */
#include <string.h>

#include "array/value.h"
#include "base/reference.h"
#include "object/class.h"
#include "object/object.h"
#include "object/throw.h"
#include "remote/deadline.h"
#include "remote/fate.h"
#include "remote/incoming.h"
#include "remote/marshal.h"
#include "remote/tally.h"
#include "sidl_BaseException_IOR.h"
#include "sidl_marshal.h"
#include "sidl_protocol.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_rmi_RequestFate.h"
#include "sidl_rmi_Return.h"

/* True from a failed sidl_rmi_unpack to the sidl_rmi_finish that follows it: nothing has run. */
static _Thread_local bool is_without_arguments;

/* As sidl_rmi_unpack. */
static bool take_arguments(struct sidl_source* source, const struct sidl_method_info* method,
                           void* const* args, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (method->arg_count == 0 || marshal_get_arguments(source, method, args, _ex)) return true;
  is_without_arguments = true;
  return false;
}

sidl_bool sidl_rmi_unpack(const struct sidl_method_info* method, struct sidl_rmi_Call__object* call,
                          void* const* args, struct sidl_BaseInterface__object** _ex) {
  struct incoming* const incoming = incoming_of(call);
  if (incoming != NULL) return incoming->unpack(incoming, method, args, _ex);
  struct sidl_deserializer_source source = sidl_source_of_deserializer(call);
  return take_arguments(&source.base, method, args, _ex);
}

/* Destination of an answer: given by a plug-in, or a Return. */
struct answer {
  struct sidl_sink* outputs;
  struct sidl_rmi_incoming* incoming;
  struct sidl_rmi_Return__object* ret; /* if incoming is NULL */
};

static void throw_exception(const struct answer* answer, struct sidl_BaseException__object* thrown,
                            struct sidl_BaseInterface__object** _ex) {
  if (answer->incoming != NULL) {
    answer->incoming->throw_exception(answer->incoming, thrown, _ex);
  } else {
    sidl_rmi_Return_throwException(answer->ret, thrown, _ex);
  }
}

/*
 * Answers with the exception in *_ex and the call's fate; *_ex is then NULL, or says why even that
 * failed.
 */
static void answer_exception(const struct answer* answer, int64_t fate,
                             struct sidl_BaseInterface__object** _ex) {
  struct sidl_BaseInterface__object* const thrown = *_ex;
  struct sidl_BaseException__object* const exception =
      sidl_cast_borrowed(thrown, &sidl_BaseException__info);
  *_ex = NULL;
  if (exception == NULL) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "the method threw an object of class %s, which is not an "
          "exception",
          sidl_object_type(thrown)->name);
    reference_drop(thrown);
    answer_exception(answer, fate, _ex);
    return;
  }
  tally_error();
  struct fate_answer packed;
  fate_begin(&packed, thrown, fate);
  throw_exception(answer, exception, _ex);
  fate_end(&packed);
  reference_drop(thrown);
}

/* The fate of the call that has failed. */
static int64_t take_fate(void) {
  const bool has_run = !is_without_arguments;
  is_without_arguments = false;
  return has_run ? sidl_rmi_RequestFate_executed : sidl_rmi_RequestFate_notSent;
}

static void release_values(const struct sidl_method_info* method, void* const* args, void* result) {
  for (int32_t i = 0; i < method->arg_count; ++i) value_release(&method->args[i].type, args[i]);
  if (result != NULL) value_release(&method->result, result);
}

/* As sidl_rmi_finish; `result` is NULL if there is none. */
static void put_answer(const struct answer* answer, const struct sidl_method_info* method,
                       void* const* args, void* result, struct sidl_BaseInterface__object** _ex) {
  const bool has_outputs = method->arg_count != 0 || result != NULL;
  if (*_ex == NULL && has_outputs) marshal_put_outputs(answer->outputs, method, args, result, _ex);
  if (*_ex != NULL) answer_exception(answer, take_fate(), _ex);
  if (has_outputs) release_values(method, args, result);
}

void sidl_rmi_finish(const struct sidl_method_info* method, struct sidl_rmi_Return__object* ret,
                     void* const* args, void* result, struct sidl_BaseInterface__object** _ex) {
  struct incoming* const incoming = incoming_of(ret);
  if (method->result.kind == sidl_kind_void || *_ex != NULL) result = NULL;
  if (incoming != NULL) {
    incoming->finish(incoming, method, args, result, _ex);
    return;
  }
  struct sidl_serializer_sink sink = sidl_sink_of_serializer(ret);
  const struct answer answer = {&sink.base, NULL, ret};
  put_answer(&answer, method, args, result, _ex);
}

/* ---- calls that a plug-in packs and unpacks itself ----------------------------------------------
 */

struct whole_call {
  struct incoming base;
  struct sidl_rmi_incoming* of_plug_in;
};

static struct sidl_rmi_incoming* plug_in_of(struct incoming* incoming) {
  return ((struct whole_call*)(void*)incoming)->of_plug_in;
}

static sidl_bool take_whole(struct incoming* self, const struct sidl_method_info* method,
                            void* const* args, struct sidl_BaseInterface__object** _ex) {
  return take_arguments(plug_in_of(self)->arguments, method, args, _ex);
}

static void answer_whole(struct incoming* self, const struct sidl_method_info* method,
                         void* const* args, void* result, struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_incoming* const of_plug_in = plug_in_of(self);
  const struct answer answer = {of_plug_in->outputs, of_plug_in, NULL};
  put_answer(&answer, method, args, result, _ex);
}

/* ---- finding and running methods ---------------------------------------------------------------
 */

static const struct sidl_method_info* find_method(const struct sidl_type_info* type,
                                                  const char* name) {
  for (uint16_t s = 0; s < type->slot_count; ++s) {
    if (strcmp(type->slots[s]->name, name) == 0) return type->slots[s];
  }
  return NULL;
}

/* Finds by digest, which covers the name, so that one string comparison suffices. */
static const struct sidl_method_info* find_digest(const struct sidl_type_info* type,
                                                  const char* name, uint64_t digest) {
  for (uint16_t s = 0; s < type->slot_count; ++s) {
    const struct sidl_method_info* const method = type->slots[s];
    if (method->digest == digest && strcmp(method->name, name) == 0) return method;
  }
  return NULL;
}

/* The server books a peer's references; peers must not change the object's own count. */
static bool counts_references(const struct sidl_method_info* method) {
  if (method->type->id != sidl_BaseInterface__info.id) return false;
  return strcmp(method->name, "addRef") == 0 || strcmp(method->name, "deleteRef") == 0;
}

const struct sidl_method_info* sidl_rmi_find_method(const struct sidl_type_info* type,
                                                    const char* name, uint64_t digest) {
  const struct sidl_method_info* const found = find_digest(type, name, digest);
  return found != NULL && found->exec != NULL && !counts_references(found) ? found : NULL;
}

static void execute(void* obj, const struct sidl_method_info* method,
                    struct sidl_rmi_Call__object* call, struct sidl_rmi_Return__object* ret,
                    struct sidl_BaseInterface__object** _ex) {
  const uint64_t begun = tally_begin();
  *_ex = NULL;
  method->exec(sidl_cast_borrowed(obj, method->type), call, ret, _ex);
  tally_end(begun);
}

void sidl_rmi_dispatch_incoming(void* obj, const struct sidl_method_info* method,
                                struct sidl_rmi_incoming* incoming,
                                struct sidl_BaseInterface__object** _ex) {
  struct whole_call call = {{&take_whole, &answer_whole}, incoming};
  const int64_t deadline = deadline_enter();
  const uint64_t begun = tally_begin();
  *_ex = NULL;
  incoming_run(sidl_cast_borrowed(obj, method->type), method, &call.base, _ex);
  tally_end(begun);
  deadline_leave(deadline);
}

/* ---- calls of which somebody else has the values ------------------------------------------------
 */

struct framed_call {
  struct incoming base;
  struct sidl_rmi_frame* frame;
};

static struct sidl_rmi_frame* frame_of(struct incoming* incoming) {
  return ((struct framed_call*)(void*)incoming)->frame;
}

static sidl_bool take_framed(struct incoming* self, const struct sidl_method_info* method,
                             void* const* args, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  return frame_of(self)->take(frame_of(self), method, args, _ex);
}

static void give_framed(struct incoming* self, const struct sidl_method_info* method,
                        void* const* args, void* result, struct sidl_BaseInterface__object** _ex) {
  frame_of(self)->give(frame_of(self), method, args, result, _ex);
  release_values(method, args, result);
}

void sidl_rmi_run(void* obj, const struct sidl_method_info* method, struct sidl_rmi_frame* frame,
                  struct sidl_BaseInterface__object** _ex) {
  struct framed_call call = {{&take_framed, &give_framed}, frame};
  *_ex = NULL;
  incoming_run(sidl_cast_borrowed(obj, method->type), method, &call.base, _ex);
}

/* The version of the type's package, for messages; the caller adds its own to the trace. */
static const char* version_of(const struct sidl_type_info* type) {
  return type->version[0] == '\0' ? "?" : type->version;
}

void sidl_rmi_dispatch(void* obj, const char* method, uint64_t digest,
                       struct sidl_rmi_Call__object* call, struct sidl_rmi_Return__object* ret,
                       struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = sidl_object_type(obj);
  const struct sidl_method_info* const found = sidl_rmi_find_method(type, method, digest);
  *_ex = NULL;
  if (found != NULL) {
    const int64_t deadline = deadline_enter();
    execute(obj, found, call, ret, _ex);
    deadline_leave(deadline);
    return;
  }
  if (find_digest(type, method, digest) != NULL) {
    THROW(_ex, sidl_rmi_ProtocolException, "%s.%s cannot be called from another process",
          type->name, method);
  } else if (find_method(type, method) != NULL) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "the server's %s.%s (version %s) has a different signature than the caller's: generate "
          "and build both from the same SIDL files",
          type->name, method, version_of(find_method(type, method)->type));
  } else {
    THROW(_ex, sidl_rmi_ProtocolException,
          "the server's class %s (version %s) has no method %s: generate and build caller and "
          "server from the same SIDL files",
          type->name, version_of(type), method);
  }
  const struct answer answer = {NULL, NULL, ret};
  answer_exception(&answer, sidl_rmi_RequestFate_notSent, _ex);
}

void sidl_exec(void* obj, const char* name, struct sidl_rmi_Call__object* call,
               struct sidl_rmi_Return__object* ret, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = sidl_object_type(obj);
  const struct sidl_method_info* const method = name == NULL ? NULL : find_method(type, name);
  *_ex = NULL;
  if (method == NULL || method->exec == NULL) {
    THROW(_ex, sidl_rmi_ProtocolException, "class %s has no method %s", type->name,
          name == NULL ? "" : name);
    return;
  }
  execute(obj, method, call, ret, _ex);
}

void sidl_static_exec(const struct sidl_type_info* type, const char* name,
                      struct sidl_rmi_Call__object* call, struct sidl_rmi_Return__object* ret,
                      struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  for (uint16_t i = 0; i < type->static_count; ++i) {
    const struct sidl_method_info* const method = &type->statics[i];
    if (name == NULL || strcmp(method->name, name) != 0) continue;
    if (method->exec != NULL) {
      method->exec(NULL, call, ret, _ex);
    } else {
      THROW(_ex, sidl_rmi_ProtocolException,
            "%s.%s is local: it can only be called through its stub, not by name", type->name,
            name);
    }
    return;
  }
  THROW(_ex, sidl_rmi_ProtocolException, "class %s has no static method %s", type->name,
        name == NULL ? "" : name);
}
