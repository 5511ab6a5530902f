/*
 * stand_in.h: classes for exceptions that come by value and have no implementation here.
 *
 * A program that calls a server knows the types of what is thrown by its generated stubs. That is
 * enough to catch it: the object is of its own type, does what its nearest implemented parent does
 * (the note and the trace, at least), and throws sidl.NotImplementedException from its own methods.
 * What of its state nobody here can unpack it keeps (sidl_value_keep_state).
 */
#ifndef OBJECT_STAND_IN_H
#define OBJECT_STAND_IN_H

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * The class of exceptions of `type`: its implementation, or what stands in for it. NULL without an
 * exception if there is neither: `type` does not descend from sidl.SIDLException, whose objects
 * know their note.
 */
struct sidl_class* exception_class(const struct sidl_type_info* type,
                                   struct sidl_BaseInterface__object** _ex);

/* The type of the object, or the nearest parent that its class implements. */
const struct sidl_type_info* stand_in_type(const void* obj);

/* Gives `to` the state that `from` keeps. No memory: none. */
void stand_in_copy_state(const void* from, void* to);

#pragma GCC visibility pop
#endif
