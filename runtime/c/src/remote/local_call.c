#include "remote/local_call.h"

#include <string.h>

#include "array/value.h"
#include "remote/incoming.h"

struct local_call {
  struct incoming incoming;
  struct ticket* ticket;
  void* const* args; /* the caller's */
  bool unpacked;     /* the dispatcher has taken the ticket's values */
};

/* In arguments are borrowed for the call, copies of inout arguments are moved. */
static sidl_bool unpack(struct incoming* incoming, const struct sidl_method_info* method,
                        void* const* args, struct sidl_BaseInterface__object** _ex) {
  struct local_call* const local = (struct local_call*)(void*)incoming;
  *_ex = NULL;
  local->unpacked = true;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_in) memcpy(args[i], local->args[i], value_size(&arg->type));
    if (arg->mode == sidl_mode_inout) value_move(&arg->type, local->ticket->values[i], args[i]);
  }
  return TRUE;
}

static void finish(struct incoming* incoming, const struct sidl_method_info* method,
                   void* const* args, void* result, struct sidl_BaseInterface__object** _ex) {
  struct local_call* const local = (struct local_call*)(void*)incoming;
  struct ticket* const ticket = local->ticket;
  ticket->thrown = *_ex;
  *_ex = NULL;
  if (!local->unpacked) return; /* the method could not be called */
  /* what a failed method left there is destroyed with the ticket */
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode != sidl_mode_in) value_move(&arg->type, args[i], ticket->values[i]);
  }
  if (result != NULL) value_move(&method->result, result, ticket->values[method->arg_count]);
}

void local_call_run(struct ticket* ticket, void* const* args) {
  struct local_call local = {{&unpack, &finish}, ticket, args, false};
  struct sidl_BaseInterface__object* ex = NULL; /* never set: finish takes it all */
  const struct sidl_method_info* const method = ticket->method;
  incoming_run(sidl_cast_borrowed(ticket->target, method->type), method, &local.incoming, &ex);
}
