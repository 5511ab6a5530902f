/*
 * fate.h: the fate of a call, as told by the sidl.rmi.NetworkException that answers it.
 *
 * A NetworkException thrown by a method may stem from a call that the method made: it then has the
 * fate of that call, and may be shared. The caller needs the fate of its own call, so that is
 * packed instead, and the object is not changed.
 */
#ifndef REMOTE_FATE_H
#define REMOTE_FATE_H

#include "sidl_ior.h"
#include "sidl_rmi_NetworkException_IOR.h"

#pragma GCC visibility push(hidden)

/* An exception that answers a call of a peer, while this thread packs it. */
struct fate_answer {
  const struct sidl_rmi_NetworkException__object* exception; /* NULL: none, or of another class */
  int64_t fate;                                              /* a sidl.rmi.RequestFate */
  const struct fate_answer* outer; /* packing may make calls, and so answer nested ones */
};

/* Until fate_end() packing `thrown` packs `fate`. */
void fate_begin(struct fate_answer* answer, void* thrown, int64_t fate);
void fate_end(const struct fate_answer* answer);

/* Sets the fate of a new exception if it is a NetworkException. */
void fate_set(struct sidl_BaseInterface__object* thrown, int64_t fate);

/* The fate to pack for an exception whose own fate is `own`. */
int64_t fate_to_pack(const struct sidl_rmi_NetworkException__object* exception, int64_t own);

#pragma GCC visibility pop
#endif
