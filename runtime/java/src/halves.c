/* halves.c: nonblocking calls. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_rmi_Ticket_IOR.h"

/* Addresses of the values in a frame whose arguments have a mode that is wanted. */
static void** addresses(const struct sidl_java_call* call, uint8_t unwanted) {
  const struct sidl_method_info* const method = call->method;
  void** const all = calloc((size_t)method->arg_count + 1, sizeof *all);
  char* slot = call->frame;
  for (int32_t i = 0; all != NULL && i < method->arg_count; ++i) {
    if (method->args[i].mode != unwanted) all[i] = slot;
    slot += slot_of(&method->args[i].type);
  }
  if (all != NULL) all[method->arg_count] = slot; /* the result */
  return all;
}

static sidl_bool begin(struct sidl_java_call* call, JNIEnv* env, jobject object, jlong info,
                       jint number, jlong frame) {
  return sidl_java_begin(call, env, sidl_java_address(cell_of(env, object)),
                         method_of(sidl_java_pointer(info), number), frame);
}

static jlong JNICALL send(JNIEnv* env, jclass type, jobject object, jlong info, jint number,
                          jlong frame) {
  (void)type;
  struct sidl_java_call call;
  if (!begin(&call, env, object, info, number, frame)) return 0;
  void** const args = addresses(&call, sidl_mode_out);
  void* const ticket = args == NULL ? NULL : sidl_rmi_send(call.self, call.method, args, &call.ex);
  free(args);
  sidl_java_end(&call);
  return sidl_java_address(ticket);
}

static void JNICALL receive(JNIEnv* env, jclass type, jobject object, jlong info, jint number,
                            jobject ticket, jlong frame) {
  (void)type;
  struct sidl_java_call call;
  struct use use;
  if (!begin_use(env, ticket, &use)) return;
  if (begin(&call, env, object, info, number, frame)) {
    struct sidl_BaseInterface__object* failure = NULL;
    struct sidl_rmi_Ticket__object* const as_ticket =
        sidl_cast(use.object, &sidl_rmi_Ticket__info, &failure);
    void** const args = addresses(&call, sidl_mode_in);
    const sidl_bool returns = call.method->result.kind != sidl_kind_void;
    if (args != NULL && as_ticket != NULL) {
      sidl_rmi_receive(call.self, call.method, as_ticket, args,
                       returns ? args[call.method->arg_count] : NULL, &call.ex);
    }
    if (as_ticket != NULL) drop(as_ticket);
    if (failure != NULL) drop(failure);
    free(args);
    sidl_java_end(&call);
  }
  finish_use(&use);
}

#define HANDLE "Lsidl/binding/Handle;"

void register_halves(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("send", "(" HANDLE "JIJ)J", send),
      SIDL_JAVA_NATIVE("receive", "(" HANDLE "JI" HANDLE "J)V", receive),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
