/**
 * sidl_protocol.h: what libsidl offers to protocol plug-ins and servers, beside the SIDL interfaces
 * of package sidl.rmi.
 *
 * Conventions as in sidl_ior.h. Every function may be called from any thread.
 */
#ifndef SIDL_PROTOCOL_H
#define SIDL_PROTOCOL_H

#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_rmi_InstanceHandle__object;
struct sidl_BaseException__object;
struct sidl_io_Serializable__object;

/**
 * A proxy for the remote object behind `handle`, seen as `type` (NULL: sidl.BaseInterface).
 * The proxy takes its own reference to the handle. The caller vouches for the type.
 */
void* sidl_proxy_create(struct sidl_rmi_InstanceHandle__object* handle,
                        const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex);

/** The handle behind an object: borrowed; NULL if the object is local. */
struct sidl_rmi_InstanceHandle__object* sidl_proxy_handle(const void* obj);

/** The type information of a local object's class. */
const struct sidl_type_info* sidl_object_type(const void* obj);

/**
 * Runs one call that came in from a peer: finds the method of `obj` by its long name, refuses it
 * if `digest` is not the method's own, runs it. Everything that goes wrong before or in the method
 * is answered through `ret`.throwException; *_ex is set only if that fails too.
 */
void sidl_rmi_dispatch(void* obj, const char* method, uint64_t digest,
                       struct sidl_rmi_Call__object* call, struct sidl_rmi_Return__object* ret,
                       struct sidl_BaseInterface__object** _ex);

/* ---- calls in one piece: for plug-ins whose codec is a sink and a source (sidl_marshal.h)
 * ----------
 *
 * An Invocation, a Response, a Call and a Return are asked for one value after the other. For small
 * calls that costs more than the network does. A plug-in may instead be handed a call as a whole,
 * and give its codec to libsidl.
 */

/**
 * Calls `method` of the object behind `handle`: sidl_rmi_put_arguments, waiting for the answer and
 * sidl_rmi_get_outputs, or handing a one-way call to the transport. Arguments, results and what
 * holds after an exception are as for sidl_rmi_invoke; outputs are zero beforehand. `deadline` is
 * what Invocation.setDeadline would get, in milliseconds; 0: none, as for one-way calls. Returns
 * FALSE, having done nothing, if the call shall go through the interfaces.
 */
typedef sidl_bool (*sidl_rmi_caller)(struct sidl_rmi_InstanceHandle__object* handle,
                                     const struct sidl_method_info* method, void* const* args,
                                     void* result, int64_t deadline,
                                     struct sidl_BaseInterface__object** _ex);

/** Objects that are reached from now on through a handle of exactly this class have `caller`. */
void sidl_rmi_set_caller(const struct sidl_type_info* handle_class, sidl_rmi_caller caller);

/** A call that came in, in place of its Call and Return. The plug-in's own data follows. */
struct sidl_rmi_incoming {
  struct sidl_source* arguments;
  struct sidl_sink* outputs;
  /** As Return.throwException: what was put is dropped. */
  void (*throw_exception)(struct sidl_rmi_incoming* self, struct sidl_BaseException__object* thrown,
                          struct sidl_BaseInterface__object** _ex);
};

/**
 * The method with this long name and digest, if a peer may call it on an object of the class, else
 * NULL: sidl_rmi_dispatch knows what is wrong.
 */
const struct sidl_method_info* sidl_rmi_find_method(const struct sidl_type_info* type,
                                                    const char* name, uint64_t digest);

/** As sidl_rmi_dispatch, for what sidl_rmi_find_method found for a class that `obj` is of. All
 * arguments have been taken, or an exception was put, when it returns. */
void sidl_rmi_dispatch_incoming(void* obj, const struct sidl_method_info* method,
                                struct sidl_rmi_incoming* incoming,
                                struct sidl_BaseInterface__object** _ex);

/**
 * The object registered under an id or name of `length` bytes, with a reference for the caller, as
 * sidl.rmi.InstanceRegistry.getInstance gives it; NULL if there is none.
 */
void* sidl_rmi_find_instance(const char* id, size_t length);

/**
 * A new local object of the exception class called `name`, for a protocol to unpack into; its type
 * must be registered (linked in). Where the class has no implementation and descends from
 * sidl.SIDLException, the object is one that stands in for it: it does what the nearest parent
 * does that has one. Returns NULL without an exception if the class is not known.
 */
struct sidl_BaseException__object* sidl_exception_by_name(const char* name,
                                                          struct sidl_BaseInterface__object** _ex);

/**
 * As sidl_exception_by_name, for any object that travels by value, exceptions included. No library
 * is loaded because a peer named a class: it must be implemented already, by the program or in any
 * library that this process has loaded. Throws what the class's constructor throws, and if the
 * class is here and cannot be used.
 */
struct sidl_io_Serializable__object* sidl_value_by_name(const char* name,
                                                        struct sidl_BaseInterface__object** _ex);

/** True for an object that sidl_exception_by_name made of a class without an implementation. */
sidl_bool sidl_value_is_stand_in(const void* obj);

/**
 * What unpackObj has left of the state of an object that stands in: the object keeps the bytes, and
 * the protocol may give them on when the object travels again. `encoding`, a literal, says how they
 * are written. Nothing is kept for other objects, or if there is no memory.
 */
void sidl_value_keep_state(void* obj, const char* encoding, const void* bytes, size_t size);

/** What an object keeps in this encoding, which it goes on keeping; NULL: nothing. */
const void* sidl_value_kept_state(const void* obj, const char* encoding, size_t* size);

/**
 * Lends an object to a peer: enters it into sidl.rmi.InstanceRegistry, if it is not there, and
 * counts one for the peer. Returns its id, which the caller frees. The protocol books the counts to
 * its peers and gives all of them back, sooner or later.
 */
char* sidl_rmi_lend(void* obj, struct sidl_BaseInterface__object** _ex);

/**
 * Takes back `count` of what was lent under an id. With the last count of all peers an object
 * leaves the registry that is there because it was lent, which may destroy it; one that the
 * program registered itself stays.
 */
void sidl_rmi_take_back(const char* id, int64_t count);

/** Absolute names of an object's class and its parent classes, nearest first, NULL-terminated; of
 * an object that stands in for another (sidl_value_is_stand_in), those whose state it can pack. The
 * array belongs to the caller (free), the names do not. NULL if memory is exhausted. */
const char** sidl_class_chain(const void* obj);

/**
 * Sets *_ex to a new exception of class `type` (a sidl.rmi.NetworkException) with the note, an
 * errno value (0: none) and the fate of the request.
 */
void sidl_rmi_throw(const struct sidl_type_info* type, const char* note, int32_t err, int64_t fate,
                    const char* file, int32_t line, const char* function,
                    struct sidl_BaseInterface__object** _ex);

/**
 * Milliseconds that a request of this thread has which is no call of a method (calls are told by
 * sidl.rmi.Invocation.setDeadline): creating an object, attaching to one. 0: as many as it wants.
 * Sets *_ex if the caller of the method that this thread runs waits no longer.
 */
int64_t sidl_deadline_of_request(struct sidl_BaseInterface__object** _ex);

/**
 * Says how much time the caller of the method that this thread is about to run has left, in
 * milliseconds; below 0: as much as it wants. Calls that the thread makes to other processes may
 * not take longer. Returns what sidl_deadline_restore takes when the method is done; pairs may be
 * nested.
 */
int64_t sidl_deadline_inherit(int64_t milliseconds_left);

/** Ends what sidl_deadline_inherit began, on the same thread. */
void sidl_deadline_restore(int64_t previous);

#ifdef __cplusplus
}
#endif
#endif
