/*
 * fate.h: what became of a call, as the sidl.rmi.NetworkException that answers it says.
 *
 * One that leaves a method may come from a call that the method made: then it says what became of
 * that call, and may belong to others who want to know. The caller asks about its own call. So what
 * is packed for it is the fate of that one, and the object stays as it is.
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
  const struct fate_answer* outer; /* packing may call, and so answer again */
};

/* From here to fate_end() packing `thrown` packs the fate of the call that it answers. */
void fate_begin(struct fate_answer* answer, void* thrown, int64_t fate);
void fate_end(const struct fate_answer* answer);

/* Of an exception that is new: if it is a NetworkException, it says so from here on. */
void fate_set(struct sidl_BaseInterface__object* thrown, int64_t fate);

/* What to pack for the exception, whose own fate is `own`. */
int64_t fate_to_pack(const struct sidl_rmi_NetworkException__object* exception, int64_t own);

#pragma GCC visibility pop
#endif
