#include "remote/local_call.h"

#include <string.h>

#include "array/value.h"
#include "sidl_rmi_Call_IOR.h"
#include "sidl_rmi_Return_IOR.h"

struct local_call {
  struct sidl_rmi_Call__object call;
  struct sidl_rmi_Return__object ret;
  struct ticket* ticket;
  void* const* args; /* the caller's */
  bool unpacked;     /* the dispatcher has what the ticket had */
};

/* Where an object has its EPV; no object has this one. */
static const char mark;

struct local_call* local_call_of(const void* call_or_return) {
  const struct sidl_facet_object* const facet = call_or_return;
  return facet->d_epv == &mark ? facet->d_object : NULL;
}

void local_call_run(struct ticket* ticket, void* const* args) {
  struct local_call local;
  struct sidl_BaseInterface__object* ex = NULL; /* never set: local_call_finish takes it all */
  local.call.d_epv = (const void*)&mark;
  local.call.d_object = &local;
  local.ret.d_epv = (const void*)&mark;
  local.ret.d_object = &local;
  local.ticket = ticket;
  local.args = args;
  local.unpacked = false;
  const struct sidl_method_info* const method = ticket->method;
  method->exec(sidl_cast_borrowed(ticket->target, method->type), &local.call, &local.ret, &ex);
}

/* In arguments are lent for the length of the call, the copies of inout arguments handed over. */
void local_call_unpack(struct local_call* local, void* const* args) {
  const struct sidl_method_info* const method = local->ticket->method;
  local->unpacked = true;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_in) memcpy(args[i], local->args[i], value_size(&arg->type));
    if (arg->mode == sidl_mode_inout) value_move(&arg->type, local->ticket->values[i], args[i]);
  }
}

void local_call_finish(struct local_call* local, void* const* args, void* result,
                       struct sidl_BaseInterface__object** _ex) {
  struct ticket* const ticket = local->ticket;
  const struct sidl_method_info* const method = ticket->method;
  ticket->thrown = *_ex;
  *_ex = NULL;
  if (!local->unpacked) return; /* the method could not be called */
  /* what a method that failed left there is destroyed with the ticket */
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode != sidl_mode_in) value_move(&arg->type, args[i], ticket->values[i]);
  }
  if (result != NULL) value_move(&method->result, result, ticket->values[method->arg_count]);
}
