/*
 * nonblocking.c: the two halves of nonblocking methods.
 */
#include "array/raw_member.h"
#include "base/reference.h"
#include "object/object.h"
#include "object/throw.h"
#include "remote/invoke.h"
#include "remote/local_call.h"
#include "remote/ticket.h"
#include "sidl_CastException_IOR.h"
#include "sidl_protocol.h"
#include "sidl_rmi_Invocation.h"
#include "sidl_rmi_NetworkException_IOR.h"

static void send_remote(struct ticket* ticket, void* const* args,
                        struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_Invocation__object* const invocation =
      invoke_begin(ticket->target, ticket->method, args, _ex);
  if (*_ex == NULL) ticket->remote = sidl_rmi_Invocation_invokeNonblocking(invocation, _ex);
  reference_drop(invocation);
  if (*_ex != NULL) invoke_add_trace(ticket->method, *_ex);
}

struct sidl_rmi_Ticket__object* sidl_rmi_send(void* self, const struct sidl_method_info* method,
                                              void* const* args,
                                              struct sidl_BaseInterface__object** _ex) {
  const bool local = !sidl_is_remote(self);
  struct ticket* const ticket = ticket_create(self, method, args, local, _ex);
  if (ticket == NULL) return NULL;
  if (local) {
    local_call_run(ticket, args);
  } else {
    send_remote(ticket, args, _ex);
  }
  if (*_ex == NULL) return ticket_wrap(ticket, _ex);
  ticket_destroy(ticket);
  return NULL;
}

/* Types may be compiled into several libraries, each with tables of its own. */
static bool same_method(const struct sidl_method_info* a, const struct sidl_method_info* b) {
  return a == b || (a->digest == b->digest && a->type->id == b->type->id);
}

static bool same_object(void* a, void* b) {
  if (a == NULL || b == NULL) return a == b;
  if (object_of(a) == object_of(b)) return true;
  struct sidl_BaseInterface__object* const self = a;
  struct sidl_BaseInterface__object* ex = NULL;
  const bool same = self->d_epv->f_isSame(self->d_object, b, &ex);
  reference_drop(ex);
  return same;
}

static bool is_raw_inout(const struct sidl_arg_info* arg) {
  return arg->mode == sidl_mode_inout && (arg->type.flags & sidl_ref_raw) != 0;
}

/* Checks that the caller's memory for raw arrays fits what was sent. */
static bool check_memory(const struct ticket* ticket, void* const* memory,
                         struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = ticket->method;
  struct sidl_raw_array raw;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (!is_raw_inout(arg)) continue;
    if (!raw_memory_open(&arg->type, ticket->values, memory[i], arg->name, &raw, _ex)) return false;
  }
  return true;
}

/*
 * The ticket, if it belongs to a call of this method of this object whose answer was not taken, and
 * the memory for raw arrays, if any, fits; else NULL with *_ex set.
 */
static struct ticket* ticket_to_take(void* self, const struct sidl_method_info* method,
                                     struct sidl_rmi_Ticket__object* object, void* const* memory,
                                     struct sidl_BaseInterface__object** _ex) {
  const char* const type = method->type->name;
  const char* const name = method->name;
  struct ticket* const ticket = ticket_of(object);
  *_ex = NULL;
  if (object == NULL) {
    THROW(_ex, sidl_rmi_NetworkException,
          "%s.%s_recv needs the ticket returned by %s_send, but got null", type, name, name);
  } else if (ticket == NULL) {
    THROW(_ex, sidl_CastException, "%s.%s_recv needs the ticket returned by %s_send, but got a %s",
          type, name, name, sidl_object_type(object)->name);
  } else if (!same_method(ticket->method, method)) {
    THROW(_ex, sidl_CastException,
          "%s.%s_recv needs the ticket returned by %s_send, but got one from %s.%s_send", type,
          name, name, ticket->method->type->name, ticket->method->name);
  } else if (!same_object(ticket->target, self)) {
    THROW(_ex, sidl_CastException, "%s.%s_recv got the ticket of a call to another object", type,
          name);
  } else if ((memory == NULL || check_memory(ticket, memory, _ex)) &&
             __atomic_exchange_n(&ticket->taken, 1, __ATOMIC_ACQ_REL) != 0) {
    THROW(_ex, sidl_rmi_NetworkException,
          "%s.%s_recv has already returned the answer for this ticket: a ticket can be used once",
          type, name);
  }
  return *_ex == NULL ? ticket : NULL;
}

static void receive_remote(struct ticket* ticket, const struct outputs* outputs,
                           struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_Response__object* const response = ticket_response(ticket, _ex);
  if (*_ex == NULL) invoke_end(outputs, response, _ex);
  reference_drop(response);
  if (*_ex != NULL) invoke_add_trace(ticket->method, *_ex);
}

/* Copies the raw arrays of the answer to the caller's memory, which check_memory has checked. */
static void fill_memory(struct ticket* ticket, void* const* memory,
                        struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = ticket->method;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    struct sidl_raw_array raw;
    if (ticket->arrays[i] == NULL) continue;
    raw_memory_open(&arg->type, ticket->values, memory[i], arg->name, &raw, _ex);
    sidl_raw_array_close(&raw, ticket->arrays[i], arg->name, _ex);
  }
}

static void receive_local(struct ticket* ticket, const struct outputs* outputs,
                          struct sidl_BaseInterface__object** _ex) {
  if (ticket->thrown == NULL) {
    outputs_move(outputs, ticket->values, _ex);
    return;
  }
  *_ex = ticket->thrown;
  ticket->thrown = NULL;
}

/* `memory`: args if raw arrays are passed as memory, else NULL. */
static void receive(void* self, const struct sidl_method_info* method,
                    struct sidl_rmi_Ticket__object* object, void* const* args, void* const* memory,
                    void* result, struct sidl_BaseInterface__object** _ex) {
  struct outputs outputs = {method, args, method->result.kind == sidl_kind_void ? NULL : result};
  outputs_clear(&outputs);
  struct ticket* const ticket = ticket_to_take(self, method, object, memory, _ex);
  if (ticket == NULL) return;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    ticket->args[i] = arg->mode == sidl_mode_in             ? ticket->values[i]
                      : memory != NULL && is_raw_inout(arg) ? (void*)&ticket->arrays[i]
                                                            : args[i];
  }
  outputs.args = ticket->args;
  if (ticket->remote != NULL) {
    receive_remote(ticket, &outputs, _ex);
  } else {
    receive_local(ticket, &outputs, _ex);
  }
  if (memory != NULL) fill_memory(ticket, memory, _ex);
}

void sidl_rmi_receive(void* self, const struct sidl_method_info* method,
                      struct sidl_rmi_Ticket__object* ticket, void* const* args, void* result,
                      struct sidl_BaseInterface__object** _ex) {
  receive(self, method, ticket, args, NULL, result, _ex);
}

void sidl_rmi_receive_raw(void* self, const struct sidl_method_info* method,
                          struct sidl_rmi_Ticket__object* ticket, void* const* args, void* result,
                          struct sidl_BaseInterface__object** _ex) {
  receive(self, method, ticket, args, args, result, _ex);
}
