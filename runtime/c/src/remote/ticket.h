/*
 * ticket.h: the state behind sidl.rmi.TicketI, which every nonblocking call gets.
 *
 * It knows which call it belongs to, so that its answer is not taken for another's, and keeps what
 * taking the answer will need: the index arguments of raw arrays, and for a call in this process,
 * which is over before its ticket is given out, whatever came of it.
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
  void* target; /* the object that was called, with a reference; NULL for a static method */
  struct sidl_rmi_Ticket__object* remote;     /* the protocol's, with a reference; NULL: none */
  struct sidl_rmi_Response__object* response; /* once it was asked for; guarded by a lock */
  struct sidl_BaseInterface__object* thrown;  /* by a call in this process */
  int32_t taken;                              /* the answer was; accessed atomically */
  void** args;                                /* room for sidl_rmi_receive: an address and */
  struct sidl__array** arrays;                /* an array, null, for each argument */
  /*
   * The address of the value of each argument, and behind them of the result; NULL where nothing is
   * kept. Values lie behind the ticket, and belong to it.
   */
  void* values[];
};

/*
 * A ticket for a call that is about to begin; `local`: in this process, with a copy of each inout
 * argument and room for what comes back. NULL: *_ex is set.
 */
struct ticket* ticket_create(void* target, const struct sidl_method_info* method, void* const* args,
                             bool local, struct sidl_BaseInterface__object** _ex);
void ticket_destroy(struct ticket* ticket);

/* The object for it; the ticket is the object's then, in any case. NULL: *_ex is set. */
struct sidl_rmi_Ticket__object* ticket_wrap(struct ticket* ticket,
                                            struct sidl_BaseInterface__object** _ex);

/* The state behind an object, or NULL: it is no TicketI of this process, or an empty one. */
struct ticket* ticket_of(struct sidl_rmi_Ticket__object* object);

/* What the protocol answers, with a reference for the caller. NULL: *_ex is set. */
struct sidl_rmi_Response__object* ticket_response(struct ticket* ticket,
                                                  struct sidl_BaseInterface__object** _ex);

/*
 * Has observer.over() called once the call of any ticket, of whatever origin, is over. A ticket
 * that cannot do so by itself gets a thread that waits.
 */
void ticket_observe(struct sidl_rmi_Ticket__object* ticket,
                    struct sidl_rmi_TicketObserver__object* observer,
                    struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
