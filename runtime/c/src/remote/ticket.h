/*
 * ticket.h: the state of sidl.rmi.TicketI, the ticket of every nonblocking call.
 *
 * It records its call, so that its answer is not taken for another's, and keeps what is needed to
 * take the answer: the index arguments of raw arrays, and the outputs of a call in this process,
 * which is over before its ticket is returned.
 */
#ifndef REMOTE_TICKET_H
#define REMOTE_TICKET_H

#include <stdbool.h>

#include "sidl_ior.h"

struct sidl__array;
struct sidl_rmi_Response__object;
struct sidl_rmi_TicketObserver__object;

#pragma GCC visibility push(hidden)

struct ticket {
  const struct sidl_method_info* method;
  void* target; /* the object called, with a reference; NULL for a static method */
  struct sidl_rmi_Ticket__object* remote;     /* the protocol's, with a reference; NULL: none */
  struct sidl_rmi_Response__object* response; /* once requested; guarded by a lock */
  struct sidl_BaseInterface__object* thrown;  /* by a call in this process */
  int32_t taken;                              /* the answer was taken; accessed atomically */
  void** args;                                /* space for sidl_rmi_receive: an address and */
  struct sidl__array** arrays;                /* an array (NULL) for each argument */
  /*
   * Addresses of the values of the arguments, then of the result; NULL where nothing is kept.
   * Values follow the ticket in memory and belong to it.
   */
  void* values[];
};

/*
 * A ticket for a call that is about to begin; `local`: in this process, with copies of inout
 * arguments and space for outputs. NULL with *_ex set.
 */
struct ticket* ticket_create(void* target, const struct sidl_method_info* method, void* const* args,
                             bool local, struct sidl_BaseInterface__object** _ex);
void ticket_destroy(struct ticket* ticket);

/* Wraps the ticket in an object, which takes it over even on failure. NULL with *_ex set. */
struct sidl_rmi_Ticket__object* ticket_wrap(struct ticket* ticket,
                                            struct sidl_BaseInterface__object** _ex);

/* The state of a ticket object; NULL if it is not a TicketI of this process, or an empty one. */
struct ticket* ticket_of(struct sidl_rmi_Ticket__object* object);

/* The protocol's response, with a reference for the caller. NULL with *_ex set. */
struct sidl_rmi_Response__object* ticket_response(struct ticket* ticket,
                                                  struct sidl_BaseInterface__object** _ex);

/*
 * Has observer.over() called once the call of a ticket, of any implementation, is over. For tickets
 * that do not support observers a thread waits.
 */
void ticket_observe(struct sidl_rmi_Ticket__object* ticket,
                    struct sidl_rmi_TicketObserver__object* observer,
                    struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
