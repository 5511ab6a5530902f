/*
 * stand_in.h: classes for exceptions passed by value that have no implementation here.
 *
 * A program that calls a server knows the types of exceptions from its generated stubs. That is
 * enough to catch them: the object has its own type and the methods of its nearest implemented
 * parent (note and trace, at least), and throws sidl.NotImplementedException from its own methods.
 * It keeps the state that cannot be unpacked here (sidl_value_keep_state).
 */
#ifndef OBJECT_STAND_IN_H
#define OBJECT_STAND_IN_H

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * The class of exceptions of `type`: its implementation, or a stand-in. NULL without an exception
 * if there is neither, as `type` does not descend from sidl.SIDLException.
 */
struct sidl_class* exception_class(const struct sidl_type_info* type,
                                   struct sidl_BaseInterface__object** _ex);

/* The type of the object, or the nearest parent that its class implements. */
const struct sidl_type_info* stand_in_type(const void* obj);

/* Copies the kept state; `to` gets none if memory is exhausted. */
void stand_in_copy_state(const void* from, void* to);

#pragma GCC visibility pop
#endif
