/**
 * sidl_protocol.h: what libsidl offers to protocol plug-ins and servers besides the SIDL interfaces
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
 * A proxy for the remote object behind `handle`, cast to `type` (NULL: sidl.BaseInterface). The
 * proxy adds its own reference to the handle. The caller must ensure that the object has the type.
 */
void* sidl_proxy_create(struct sidl_rmi_InstanceHandle__object* handle,
                        const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex);

/** The handle behind an object: borrowed; NULL if the object is local. */
struct sidl_rmi_InstanceHandle__object* sidl_proxy_handle(const void* obj);

/** The type information of a local object's class. */
const struct sidl_type_info* sidl_object_type(const void* obj);

/**
 * Runs a call of a peer: finds the method of `obj` by its long name, refuses it if `digest`
 * differs, runs it. Errors before and in the method are answered through `ret`.throwException; *_ex
 * is set only if that fails, too.
 */
void sidl_rmi_dispatch(void* obj, const char* method, uint64_t digest,
                       struct sidl_rmi_Call__object* call, struct sidl_rmi_Return__object* ret,
                       struct sidl_BaseInterface__object** _ex);

/*
 * ---- whole calls: for plug-ins whose codec is a sink and a source (sidl_marshal.h) --------------
 *
 * Invocation, Response, Call and Return are called once per value, which for small calls costs more
 * than the network. A plug-in may instead make and run calls as a whole, and let libsidl use its
 * codec.
 */

/**
 * Calls `method` of the object behind `handle`: sidl_rmi_put_arguments, wait for the answer,
 * sidl_rmi_get_outputs; or passes a one-way call to the transport. Arguments, results and the state
 * after an exception are as for sidl_rmi_invoke; outputs are zero before. `deadline` is as for
 * Invocation.setDeadline, in milliseconds; 0: none, as for one-way calls. It is negative if it has
 * passed, and *_ex says so: then the call is not made, but what others have to know of it is done.
 * Returns FALSE, without effect, if the call is to be made through the interfaces.
 */
typedef sidl_bool (*sidl_rmi_caller)(struct sidl_rmi_InstanceHandle__object* handle,
                                     const struct sidl_method_info* method, void* const* args,
                                     void* result, int64_t deadline,
                                     struct sidl_BaseInterface__object** _ex);

/** Sets the caller for proxies made from now on with handles of exactly this class. */
void sidl_rmi_set_caller(const struct sidl_type_info* handle_class, sidl_rmi_caller caller);

/**
 * What is behind handles of exactly this class cannot be passed to other processes, as an argument
 * or a result: a sidl.rmi.ProtocolException says so, and `instead`, which lives as long as the
 * process: what it is, and what users can do.
 */
void sidl_rmi_refuse_passing(const struct sidl_type_info* handle_class, const char* instead);

/**
 * Objects of exactly this class are for the process alone to which they are passed, and it reaches
 * them over the connection by which they have come, also if this process has a server.
 */
void sidl_rmi_lend_only(const struct sidl_type_info* object_class);

/** Whether that has been said of a class. */
sidl_bool sidl_rmi_is_lent_only(const struct sidl_type_info* object_class);

/** An incoming call, in place of its Call and Return. The plug-in's own data follows. */
struct sidl_rmi_incoming {
  struct sidl_source* arguments;
  struct sidl_sink* outputs;
  /** As Return.throwException: drops what was put before. */
  void (*throw_exception)(struct sidl_rmi_incoming* self, struct sidl_BaseException__object* thrown,
                          struct sidl_BaseInterface__object** _ex);
};

/**
 * The method with this long name and digest, if peers may call it on an object of the class, else
 * NULL: sidl_rmi_dispatch reports the error.
 */
const struct sidl_method_info* sidl_rmi_find_method(const struct sidl_type_info* type,
                                                    const char* name, uint64_t digest);

/**
 * As sidl_rmi_dispatch, for a method found by sidl_rmi_find_method for a class of `obj`. When it
 * returns, all arguments have been taken, or an exception was put.
 */
void sidl_rmi_dispatch_incoming(void* obj, const struct sidl_method_info* method,
                                struct sidl_rmi_incoming* incoming,
                                struct sidl_BaseInterface__object** _ex);

/** A call of which the caller supplies the values. Its own data follows. */
struct sidl_rmi_frame {
  /**
   * Sets the in and inout arguments: args[i] is the address of the variable for argument i, zero
   * beforehand. FALSE with *_ex set: the method is not run.
   */
  sidl_bool (*take)(struct sidl_rmi_frame* self, const struct sidl_method_info* method,
                    void* const* args, struct sidl_BaseInterface__object** _ex);
  /**
   * The method has ended, or `take` failed: with the exception in *_ex, which is to be cleared.
   * `result` is NULL if there is none. The values behind args and result are released after it.
   */
  void (*give)(struct sidl_rmi_frame* self, const struct sidl_method_info* method,
               void* const* args, void* result, struct sidl_BaseInterface__object** _ex);
};

/** Runs a method of a local object, found by sidl_rmi_find_method for its class. */
void sidl_rmi_run(void* obj, const struct sidl_method_info* method, struct sidl_rmi_frame* frame,
                  struct sidl_BaseInterface__object** _ex);

/**
 * The object registered under an id or name of `length` bytes, with a reference for the caller, as
 * by sidl.rmi.InstanceRegistry.getInstance; NULL if there is none.
 */
void* sidl_rmi_find_instance(const char* id, size_t length);

/**
 * A new local object of the exception class called `name`, for a protocol to unpack into; its type
 * must be registered (linked in). If the class has no implementation but descends from
 * sidl.SIDLException, the object is a stand-in that behaves like its nearest implemented parent.
 * Returns NULL without an exception if the class is not known.
 */
struct sidl_BaseException__object* sidl_exception_by_name(const char* name,
                                                          struct sidl_BaseInterface__object** _ex);

/**
 * As sidl_exception_by_name, for any object passed by value, exceptions included. No library is
 * loaded because a peer named a class: it must be implemented by the program or a library that this
 * process has loaded. Throws what the class's constructor throws, or if the class exists but cannot
 * be used.
 */
struct sidl_io_Serializable__object* sidl_value_by_name(const char* name,
                                                        struct sidl_BaseInterface__object** _ex);

/** True for an object that sidl_exception_by_name made of a class without an implementation. */
sidl_bool sidl_value_is_stand_in(const void* obj);

/**
 * Keeps state that unpackObj of a stand-in has not read, so that the protocol can pass it on when
 * the object is sent again. `encoding`, a literal, identifies its format. Does nothing for other
 * objects, or if memory is exhausted.
 */
void sidl_value_keep_state(void* obj, const char* encoding, const void* bytes, size_t size);

/** The state an object keeps in this encoding; still owned by the object; NULL: none. */
const void* sidl_value_kept_state(const void* obj, const char* encoding, size_t* size);

/**
 * Lends an object to a peer: registers it in sidl.rmi.InstanceRegistry if necessary, and adds a
 * count for the peer. Returns its id, which the caller frees. The protocol must keep track of its
 * peers' counts and release all of them eventually.
 */
char* sidl_rmi_lend(void* obj, struct sidl_BaseInterface__object** _ex);

/**
 * Releases `count` counts of the object lent under an id. With the last count of all peers an
 * object that was registered only because it was lent is removed from the registry, which may
 * destroy it; one that the program registered itself stays.
 */
void sidl_rmi_take_back(const char* id, int64_t count);

/**
 * Absolute names of an object's class and its parent classes, nearest first, NULL-terminated; of a
 * stand-in (sidl_value_is_stand_in), only those whose state it can pack. The array belongs to the
 * caller (free), the names do not. NULL if memory is exhausted.
 */
const char** sidl_class_chain(const void* obj);

/**
 * Sets *_ex to a new exception of class `type` (a sidl.rmi.NetworkException) with the note, an
 * errno value (0: none) and the fate of the request.
 */
void sidl_rmi_throw(const struct sidl_type_info* type, const char* note, int32_t err, int64_t fate,
                    const char* file, int32_t line, const char* function,
                    struct sidl_BaseInterface__object** _ex);

/**
 * The deadline, in milliseconds, of a request of this thread that is not a method call (those get
 * it from sidl.rmi.Invocation.setDeadline): creating an object, or attaching to one. 0: none. Sets
 * *_ex if the deadline of the call that this thread runs has passed.
 */
int64_t sidl_deadline_of_request(struct sidl_BaseInterface__object** _ex);

/**
 * Sets how many milliseconds are left of the deadline of the call this thread is about to run;
 * below 0: no deadline. It limits calls that the thread makes to other processes. Returns the
 * argument for sidl_deadline_restore, to be called when the method is done; pairs may be nested.
 */
int64_t sidl_deadline_inherit(int64_t milliseconds_left);

/** Ends what sidl_deadline_inherit began, on the same thread. */
void sidl_deadline_restore(int64_t previous);

/**
 * Lets sidl.rmi.Caller know who calls: a protocol's functions, which are called by a thread about
 * the innermost call of a peer that it runs. The texts belong to the caller (free); NULL: there is
 * no memory.
 */
struct sidl_rmi_origin {
  /** FALSE if the thread runs no call over this protocol: the others are not asked then. */
  sidl_bool (*is_there)(void);
  char* (*name)(void);
  char* (*proof)(void);
  char* (*address)(void);
  struct sidl_rmi_origin* next; /**< libsidl's */
};

/**
 * Adds a protocol's functions for good: `origin` must stay valid. Of those that say that they run
 * the thread's call, the last one added is asked.
 */
void sidl_rmi_add_origin(struct sidl_rmi_origin* origin);

#ifdef __cplusplus
}
#endif
#endif
