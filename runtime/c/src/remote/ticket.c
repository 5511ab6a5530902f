#include "remote/ticket.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "array/raw_member.h"
#include "array/value.h"
#include "base/fork.h"
#include "base/reference.h"
#include "object/throw.h"
#include "sidl_MemAllocException_IOR.h"
#include "sidl_rmi_ObservableTicket.h"
#include "sidl_rmi_Response_IOR.h"
#include "sidl_rmi_Ticket.h"
#include "sidl_rmi_TicketI_IOR.h"
#include "sidl_rmi_TicketObserver.h"

enum { ALIGNMENT = 16 };

static size_t aligned(size_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* ---- values ------------------------------------------------------------------------------------
 */

static const struct sidl_type_ref* type_of(const struct sidl_method_info* method, int32_t i) {
  return i < method->arg_count ? &method->args[i].type : &method->result;
}

/* Whether the ticket keeps value i: outputs of local calls, and what extents may refer to. */
static bool is_kept(const struct sidl_method_info* method, int32_t i, bool local) {
  const uint8_t kind = type_of(method, i)->kind;
  const bool is_in = i < method->arg_count && method->args[i].mode == sidl_mode_in;
  return is_in ? kind == sidl_kind_int || kind == sidl_kind_long : local && kind != sidl_kind_void;
}

/* A copy that shares only objects with the caller. */
static bool copy_inout(const struct sidl_type_ref* type, const void* from, void* to,
                       struct sidl_BaseInterface__object** _ex) {
  if (!value_copy(type, from, to)) {
    throw_memory(_ex);
    return false;
  }
  return type->kind != sidl_kind_struct || raw_members_detach(type->structure, to, _ex);
}

static bool keep_arguments(struct ticket* ticket, void* const* args,
                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = ticket->method;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (ticket->values[i] == NULL || arg->mode == sidl_mode_out) continue;
    if (!copy_inout(&arg->type, args[i], ticket->values[i], _ex)) return false;
  }
  return true;
}

struct ticket* ticket_create(void* target, const struct sidl_method_info* method, void* const* args,
                             bool local, struct sidl_BaseInterface__object** _ex) {
  const size_t count = (size_t)method->arg_count + 1;
  const size_t head = aligned(sizeof(struct ticket) + 3 * count * sizeof(void*));
  size_t size = head;
  *_ex = NULL;
  for (int32_t i = 0; i <= method->arg_count; ++i) {
    if (is_kept(method, i, local)) size += aligned(value_size(type_of(method, i)));
  }
  struct ticket* const ticket = calloc(1, size);
  if (ticket == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  ticket->method = method;
  ticket->target = reference_take(target);
  ticket->args = &ticket->values[count];
  ticket->arrays = (struct sidl__array**)(void*)&ticket->values[2 * count];
  char* place = (char*)ticket + head;
  for (int32_t i = 0; i <= method->arg_count; ++i) {
    if (!is_kept(method, i, local)) continue;
    ticket->values[i] = place;
    place += aligned(value_size(type_of(method, i)));
  }
  if (keep_arguments(ticket, args, _ex)) return ticket;
  ticket_destroy(ticket);
  return NULL;
}

void ticket_destroy(struct ticket* ticket) {
  if (ticket == NULL) return;
  for (int32_t i = 0; i <= ticket->method->arg_count; ++i) {
    if (ticket->values[i] != NULL) value_destroy(type_of(ticket->method, i), ticket->values[i]);
  }
  reference_drop(ticket->thrown);
  reference_drop(ticket->response);
  reference_drop(ticket->remote);
  reference_drop(ticket->target);
  free(ticket);
}

/* ---- objects -----------------------------------------------------------------------------------
 */

struct sidl_rmi_Ticket__object* ticket_wrap(struct ticket* ticket,
                                            struct sidl_BaseInterface__object** _ex) {
  void* const object = sidl_wrap(&sidl_rmi_TicketI__info, ticket, _ex);
  if (object == NULL) ticket_destroy(ticket);
  return sidl_cast_borrowed(object, &sidl_rmi_Ticket__info);
}

struct ticket* ticket_of(struct sidl_rmi_Ticket__object* object) {
  struct sidl_rmi_TicketI__object* const self =
      sidl_is_remote(object) ? NULL : sidl_cast_borrowed(object, &sidl_rmi_TicketI__info);
  return self == NULL ? NULL : self->d_data;
}

TABLE_LOCK(lock); /* guards the responses of all tickets */

struct sidl_rmi_Response__object* ticket_response(struct ticket* ticket,
                                                  struct sidl_BaseInterface__object** _ex) {
  pthread_mutex_lock(&lock);
  struct sidl_rmi_Response__object* known = reference_take(ticket->response);
  pthread_mutex_unlock(&lock);
  *_ex = NULL;
  if (known != NULL) return known;
  struct sidl_rmi_Response__object* const answer = sidl_rmi_Ticket_getResponse(ticket->remote, _ex);
  if (*_ex != NULL) return NULL;
  pthread_mutex_lock(&lock);
  if (ticket->response == NULL) ticket->response = reference_take(answer);
  known = reference_take(ticket->response);
  pthread_mutex_unlock(&lock);
  reference_drop(answer);
  return known;
}

/* ---- observers ---------------------------------------------------------------------------------
 */

/* What a watching thread needs, with references. */
struct watch {
  struct sidl_rmi_Ticket__object* ticket;
  struct sidl_rmi_TicketObserver__object* observer;
};

static void watch_destroy(struct watch* watch) {
  reference_drop(watch->ticket);
  reference_drop(watch->observer);
  free(watch);
}

static void* watch_main(void* data) {
  struct watch* const watch = data;
  struct sidl_BaseInterface__object* ex = NULL;
  sidl_rmi_Ticket_block(watch->ticket, &ex);
  reference_drop(ex); /* a ticket that cannot wait will fail again when it is asked */
  sidl_rmi_TicketObserver_over(watch->observer, &ex);
  reference_drop(ex);
  watch_destroy(watch);
  return NULL;
}

static void start_watch(struct sidl_rmi_Ticket__object* ticket,
                        struct sidl_rmi_TicketObserver__object* observer,
                        struct sidl_BaseInterface__object** _ex) {
  struct watch* const watch = malloc(sizeof *watch);
  pthread_t thread;
  if (watch == NULL) {
    throw_memory(_ex);
    return;
  }
  watch->ticket = reference_take(ticket);
  watch->observer = reference_take(observer);
  const int failed = pthread_create(&thread, NULL, watch_main, watch);
  if (failed == 0) {
    pthread_detach(thread);
    return;
  }
  watch_destroy(watch);
  THROW(_ex, sidl_MemAllocException,
        "no thread can be started that waits for an answer: %s; ulimit -u and pids.max of the "
        "control group say how many there may be",
        strerror(failed));
}

void ticket_observe(struct sidl_rmi_Ticket__object* ticket,
                    struct sidl_rmi_TicketObserver__object* observer,
                    struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_ObservableTicket__object* const observable =
      sidl_cast_borrowed(ticket, &sidl_rmi_ObservableTicket__info);
  *_ex = NULL;
  if (observable != NULL) {
    sidl_rmi_ObservableTicket_observe(observable, observer, _ex);
  } else {
    start_watch(ticket, observer, _ex);
  }
}
