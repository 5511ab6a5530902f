/**
 * sidl_ior.h: the object model in C, as generated code and bindings see it.
 *
 * Every object, local or remote and of any implementation language, has the same layout:
 *
 *     offset 0   struct sidl_object      head: EPV of its class, itself, class, reference count
 *                BaseClass's d_data      the sidl.rmi.InstanceHandle of a remote object
 *                for each class from parent to child:
 *                  one {EPV, object} pair for each interface the class adds  (a "facet")
 *                  d_data                the Impl's data at this level
 *     then                               Impls that are stored in the object's memory
 *
 * A pointer to a class is a pointer to offset 0; a pointer to an interface points at its facet.
 * Both begin with {EPV, object}, and every EPV begins with the five slots of sidl.BaseInterface, so
 * each may be used as a sidl_BaseInterface without a cast at run time. An EPV is nothing but
 * function pointers; EPVs and descriptors are shared by all objects of a class and are never
 * written once the class is initialised.
 *
 * Threading: every function here may be called from any thread.
 */
#ifndef SIDL_IOR_H
#define SIDL_IOR_H

#include <stddef.h>
#include <stdint.h>

#include "sidlType.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The version of the object model that generated code is compiled for; checked when a class is
 * loaded. The minor version grows when libsidl gains something that newer generated code needs, or
 * a table gets a field at its end, the major version when a layout or a meaning changes
 * (docs/ior.md, "Versions").
 */
#define SIDL_IOR_MAJOR_VERSION 6
#define SIDL_IOR_MINOR_VERSION 0

/**
 * Whether a table, generated for some minor version, has a field added later. Tables themselves
 * never grow, as they are elements of arrays and programs may have copies of them. Those of types
 * and structs point to an extension, which contains its own size and may grow.
 */
#define SIDL_TABLE_HAS(table, field)                                                            \
  ((table)->extension != NULL &&                                                                \
   (size_t)((const char*)(&(table)->extension->field + 1) - (const char*)(table)->extension) <= \
       (table)->extension->size)

struct sidl_BaseInterface__object;
struct sidl_BaseInterface__epv;
struct sidl_BaseClass__object;
struct sidl_io_Deserializer__object;
struct sidl_io_Serializer__object;
struct sidl_rmi_Call__object;
struct sidl_rmi_Return__object;
struct sidl_rmi_Ticket__object;
struct sidl_type_info;
struct sidl_contracts;
struct sidl_type_extension;
struct sidl_class_plan;

/* ---- reflection: constant tables generated for every type ------------------------------- */

/** A kind in a set of kinds. */
#define SIDL_KIND_BIT(kind) (UINT32_C(1) << (kind))

/**
 * Kinds of SIDL types: sidl_kind_void, sidl_kind_bool … (sidl_kinds.def). sidl_kind_rarray is a
 * struct's raw array, sidl_kind_inline one that lies in the struct, as its extents are numbers; one
 * that is an argument is a sidl_kind_array.
 */
enum sidl_kind {
#define SIDL_KIND(name, kind) sidl_kind_##name = kind,
#include "sidl_kinds.def"
};

/** Sets of kinds: values that own nothing and mean the same elsewhere; these and strings. */
enum {
  sidl_number_kinds = 0
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) | SIDL_KIND_BIT(kind)
#define SIDL_STRING(name, kind, array, ctype, Name, numpy)
#define SIDL_LOCAL(name, kind, array, ctype, Name, numpy)
#include "sidl_kinds.def"
  ,
  sidl_simple_kinds = sidl_number_kinds | SIDL_KIND_BIT(sidl_kind_string)
};

/** What SIDL calls a kind: "int", "interface", "rarray"; "unknown" if it is none. */
const char* sidl_kind_name(int32_t kind);

/** The kind of the elements of arrays of a type (enum sidl_array_type); sidl_kind_void: none. */
enum sidl_kind sidl_element_kind_of(int32_t array_type);

enum sidl_mode { sidl_mode_in = 1, sidl_mode_out = 2, sidl_mode_inout = 3 };

enum sidl_ref_flags {
  sidl_ref_raw = 1,  /**< a raw array (sidl_raw_array.h) with `extents` */
  sidl_ref_copy = 2, /**< an object passed by value; it is a sidl.io.Serializable */
  sidl_ref_made = 4, /**< an array made for a sink (sidl_marshal.h), which nobody else keeps */
  sidl_ref_distributed = 8 /**< an array of which ranks have pieces: sidl.par.Group */
};

struct sidl_enumerator_info {
  const char* name;
  int64_t value;
};

struct sidl_enum_info {
  const char* name; /**< "pkg.Enum" */
  const struct sidl_enumerator_info* enumerators;
  int32_t enumerator_count;
};

/** The type of an argument, a result or a struct member. */
struct sidl_type_ref {
  uint8_t kind;      /**< enum sidl_kind */
  uint8_t element;   /**< of an array: enum sidl_kind of its elements */
  uint8_t dimension; /**< of an array: 1 to 7, or 0 for any */
  uint8_t order;     /**< of an array: enum sidl_array_ordering demanded, 0 for any */
  uint8_t flags;     /**< enum sidl_ref_flags */
  union {
    const struct sidl_struct_info* structure; /**< of a struct */
    const struct sidl_enum_info* enumeration; /**< of an enum, or of an array's elements */
    /**
     * Of a raw array: computes its length in each dimension. `values` are the addresses of the
     * arguments' values (void* const*), or the struct it is a member of.
     */
    void (*extents)(const void* values, int64_t lengths[]);
    const int64_t* lengths; /**< of an array that lies in a struct: in each dimension */
  };
  const struct sidl_type_info* object; /**< of a class, an interface or an array's elements */
};

struct sidl_member_info {
  const char* name;
  struct sidl_type_ref type;
  size_t offset; /**< bytes from the start of the C struct */
};

/**
 * Used in structs whose members own something: C++ then refuses to assign them, also when nested,
 * as both would free the same memory. They can be passed by value as in C.
 */
#ifdef __cplusplus
#define SIDL_NOT_ASSIGNABLE(name) \
  name() = default;               \
  name(const name&) = default;    \
  name& operator=(const name&) = delete;
#else
#define SIDL_NOT_ASSIGNABLE(name)
#endif

struct sidl_struct_info {
  const char* name; /**< "pkg.Struct" */
  size_t size;      /**< bytes of the C struct */
  const struct sidl_member_info* members;
  int32_t member_count;
  const struct sidl_struct_extension* extension; /**< see SIDL_TABLE_HAS; NULL: none */
};

/** Fields added to tables of structs since version 4.0. */
struct sidl_struct_extension {
  uint32_t size; /**< bytes of this one */
  /** SIDL_KIND_BIT of the kinds of all members and of elements of arrays; since 4.1. */
  uint32_t kinds;
};

struct sidl_arg_info {
  const char* name;
  uint8_t mode; /**< enum sidl_mode */
  struct sidl_type_ref type;
};

/**
 * Calls one method for a remote caller.
 *
 * `self` is the object as the type that introduced the method (object or facet). The arguments
 * are taken from `call`; results or the method's exception go to `ret`. Only a failure to answer
 * at all is reported through `_ex`.
 */
typedef void (*sidl_exec_function)(void* self, struct sidl_rmi_Call__object* call,
                                   struct sidl_rmi_Return__object* ret,
                                   struct sidl_BaseInterface__object** _ex);

enum sidl_method_flags {
  sidl_method_oneway = 1,      /**< its callers in other processes do not wait for it */
  sidl_method_concurrent = 2,  /**< servers run it while other calls of the object run */
  sidl_method_nonblocking = 4, /**< may also be called in two halves */
  sidl_method_collective = 8   /**< all ranks of a parallel program call it: sidl.par.Group */
};

/** A method, described once, by the type that introduced it. */
struct sidl_method_info {
  const char* name;                  /**< long name, the name on the wire */
  const struct sidl_type_info* type; /**< the type that introduced it */
  uint64_t digest;                   /**< of its signature; equal on both ends of a call */
  struct sidl_type_ref result;
  const struct sidl_arg_info* args; /**< NULL when arg_count is 0 */
  int32_t arg_count;
  uint8_t flags; /**< enum sidl_method_flags */
  /** NULL for a local method: no peer may call it. A static one has it only if it is nonblocking.
   */
  sidl_exec_function exec;
  const char* throws; /**< declared exceptions, "pkg.A pkg.B"; NULL: none */
};

/** An interface that objects of a class can be cast to. */
struct sidl_facet {
  const struct sidl_type_info* type;
  uint32_t offset;       /**< bytes from the start of the object */
  const uint16_t* slots; /**< for slot i of the interface's EPV, the slot of the class's EPV */
};

enum sidl_type_flags {
  sidl_type_abstract = 1,     /**< cannot be created */
  sidl_type_inherits_all = 2, /**< a class without methods of its own: needs no implementation */
  sidl_type_concurrent = 4 /**< servers run several calls of an object of this very class at once */
};

/** Cache of the runtime for a type. Zero-initialised. */
struct sidl_type_cache {
  const struct sidl_type_info* next; /**< list of registered types */
  struct sidl_class* implementation; /**< accessed atomically */
  struct sidl_class* proxy;          /**< accessed atomically */
};

/** A class or an interface: constant, generated into <Type>_IOR.c for caller and callee alike. */
struct sidl_type_info {
  const char* name;    /**< "pkg.Type" */
  const char* version; /**< of its package, "" if it has none */
  uint64_t id;         /**< FNV-1a of the name: the type's identity; compared instead of names */
  uint8_t kind;        /**< sidl_kind_class or sidl_kind_interface */
  uint8_t flags;       /**< enum sidl_type_flags */
  uint16_t slot_count; /**< function pointers in the EPV */
  uint16_t facet_count;
  uint16_t static_count;
  const struct sidl_type_info* parent;         /**< parent class; NULL: interface or BaseClass */
  const struct sidl_facet* facets;             /**< parent's first, same order and offsets */
  const struct sidl_method_info* const* slots; /**< slot_count methods in EPV order */
  const struct sidl_method_info* statics;      /**< static_count methods of this type alone */
  size_t size;                                 /**< bytes of an object (interface: of a proxy) */
  size_t data_offset;                          /**< of d_data within the object (class) */
  const void* remote_epv;                      /**< EPV whose functions call a remote object */
  struct sidl_type_cache* cache;
  /**
   * A digest of everything that code using the type depends on: descriptions of the same layout are
   * interchangeable. Types of different layouts are compared before objects are passed between
   * their users.
   */
  uint64_t layout;
  const struct sidl_type_extension* extension; /**< see SIDL_TABLE_HAS; NULL: none */
};

/** Fields added to tables of types since version 5.0. */
struct sidl_type_extension {
  uint32_t size; /**< bytes of this one */
  /** Of a class that has clauses, its own or inherited, else NULL; since 5.1. */
  const struct sidl_contracts* contracts;
};

/** What is switched on for an object or for the static methods of a class. */
enum sidl_enforcement {
  sidl_enforce_hooks = 1,       /**< _set_hooks */
  sidl_enforce_contracts = 2,   /**< _set_contracts */
  sidl_enforce_no_contracts = 4 /**< likewise; neither of both: as sidl.EnfPolicy says */
};

/* ---- classes: one for each implementation -------------------------------------------------- */

/**
 * The implementation of a class, as provided by its skel; returned by <Type>__class().
 *
 * The skel fills the first block. libsidl completes the rest, once, before the first object is
 * made: empty EPV slots get the parent's functions, each facet gets its own EPV (`plan`).
 */
struct sidl_class {
  int32_t ior_major, ior_minor; /**< SIDL_IOR_*_VERSION it was compiled with */
  const struct sidl_type_info* info;
  void* epv;              /**< the class's EPV; NULL slots are inherited */
  const void* static_epv; /**< struct <Type>__sepv, or NULL */
  void (*load)(struct sidl_BaseInterface__object** _ex); /**< called once; may be NULL */
  void (*ctor)(void* self, struct sidl_BaseInterface__object** _ex);
  void (*ctor2)(void* self, void* data, struct sidl_BaseInterface__object** _ex);
  void (*dtor)(void* self, struct sidl_BaseInterface__object** _ex);
  /**
   * Bytes for the Impl in the object's own memory: when ctor is called, d_data points to them
   * (aligned as by malloc; freed with the object, after dtor). 0: d_data is NULL, and the ctor
   * allocates the Impl.
   */
  size_t impl_size;

  struct sidl_class* parent;          /**< set by libsidl, like all that follows */
  const struct sidl_class_plan* plan; /**< how objects are made and cast */
  int32_t is_remote;                  /**< objects of this class are proxies */
  int32_t state;                      /**< accessed atomically */

  /**
   * What `epv` contains while contracts are enforced: the functions that check them, for methods
   * that have any (sidl_contract.h); and behind that table what it contains else. NULL: the class
   * has none. enforced_static_epv: the first of both for static methods.
   */
  void* enforced_epv;
  const void* enforced_static_epv;
  int32_t enforcement; /**< of static methods: enum sidl_enforcement; accessed atomically */

  /**
   * Set by the skel: the class's clauses, as its own library has them, where the table of the type
   * may be that of another library. NULL: it has none. Since 5.2.
   */
  const struct sidl_contracts* contracts;
};

/** What <Type>__class() is; sidl.Loader looks it up by name in dynamic libraries. */
typedef struct sidl_class* (*sidl_class_function)(void);

/** The head of every object. Stubs read d_epv; only libsidl writes it. */
struct sidl_object {
  const void* d_epv; /**< struct <Type>__epv of its class */
  void* d_object;    /**< the object itself: it is its own BaseInterface facet */
  const struct sidl_class* d_class;
  int32_t d_refcount; /**< accessed atomically */
  /** Enum sidl_enforcement, and from bit 8 on methods in work; accessed atomically. */
  int32_t d_flags;
};

/** Any interface facet, and the first 16 bytes of any object. */
struct sidl_facet_object {
  const void* d_epv;
  void* d_object;
};

/* ---- what generated stubs call ---------------------------------------------------------------
 * Functions returning a pointer return NULL exactly when they set *_ex, unless said otherwise.
 * *_ex is always written. A returned object carries a reference for the caller. */

/**
 * Registers a type by name. Called once for each type, before main or when its library is loaded,
 * by a constructor in <Type>_IOR.c; the library stays mapped from then on.
 */
void sidl_type_register(const struct sidl_type_info* type);

/** The registered type called `name`, or NULL. Loads nothing. */
const struct sidl_type_info* sidl_type_find(const char* name);

/**
 * For messages: suggests a class for an unknown name, from those in this process and in the
 * catalogues on the search path; NULL if none is similar. To be freed.
 */
char* sidl_class_near(const char* name);

/**
 * For messages: the text of dlerror, and an explanation if a library lacks a type's table, whose
 * symbol contains the layout: that it needs another version, and which libraries are mixed. To be
 * freed.
 */
char* sidl_explain_unloadable(const char* reason);

/** Creates an object of the class: finds its implementation, makes the object, runs its ctors. */
void* sidl_create(const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex);

/**
 * A new object of the class of `obj`, with the state passed from its packObj to unpackObj: what it
 * packs by value is copied, what it packs by reference is shared. Throws if `obj` is not a
 * sidl.io.Serializable, or lives in another process.
 */
void* sidl_copy_object(void* obj, struct sidl_BaseInterface__object** _ex);

/** As sidl_create, around Impl data that exists already: the last constructor is ctor2(data). */
void* sidl_wrap(const struct sidl_type_info* type, void* data,
                struct sidl_BaseInterface__object** _ex);

/**
 * Ends an object made by sidl_wrap because its Impl is being destroyed: its destructors run now.
 * Remaining references can still be dropped; method calls throw.
 */
void sidl_end(void* obj);

/** Creates an object of the class on the server `url`; returns a proxy, cast to `type`. */
void* sidl_create_remote(const struct sidl_type_info* type, const char* url,
                         struct sidl_BaseInterface__object** _ex);

/** Attaches to the existing object `url`; returns the object itself if it is in this process. */
void* sidl_connect(const struct sidl_type_info* type, const char* url,
                   struct sidl_BaseInterface__object** _ex);

/**
 * As sidl_connect. Without `addRef` the sender of the URL has acquired a reference for us, which
 * the result takes over.
 */
void* sidl_connect_counted(const struct sidl_type_info* type, const char* url, sidl_bool addRef,
                           struct sidl_BaseInterface__object** _ex);

/**
 * Casts `obj` (any class or interface pointer, or NULL) to `type`, with a new reference. NULL
 * without an exception if obj is NULL or not of that type. For a proxy the server is asked if
 * necessary.
 */
void* sidl_cast(void* obj, const struct sidl_type_info* type,
                struct sidl_BaseInterface__object** _ex);

/** As sidl_cast, without taking a reference and without asking a server; never fails. */
void* sidl_cast_borrowed(void* obj, const struct sidl_type_info* type);

/**
 * As sidl_cast, but takes over the reference to `obj`: it becomes the result's, or is dropped if
 * the result is NULL. Failures count as not of the type.
 */
void* sidl_cast_over(void* obj, const struct sidl_type_info* type);

/** The static EPV of a class (struct <Type>__sepv). */
const void* sidl_static_epv(const struct sidl_type_info* type,
                            struct sidl_BaseInterface__object** _ex);

/** The EPV of the parent of `type`'s implementation: what `super` calls. Never fails after load. */
const void* sidl_super_epv(const struct sidl_type_info* type,
                           struct sidl_BaseInterface__object** _ex);

/** True for a proxy. */
sidl_bool sidl_is_remote(const void* obj);

/** URL of an object: a proxy's, or that under which the server of this process offers it. */
char* sidl_get_url(void* obj, struct sidl_BaseInterface__object** _ex);

/** Calls the method `name` of a local object with arguments from `call`, results to `ret`. */
void sidl_exec(void* obj, const char* name, struct sidl_rmi_Call__object* call,
               struct sidl_rmi_Return__object* ret, struct sidl_BaseInterface__object** _ex);

/** As sidl_exec, for the static method `name` of a class. */
void sidl_static_exec(const struct sidl_type_info* type, const char* name,
                      struct sidl_rmi_Call__object* call, struct sidl_rmi_Return__object* ret,
                      struct sidl_BaseInterface__object** _ex);

/* ---- hooks and contracts, of an object or of a class's static methods ---------------------- */

void sidl_set_hooks(void* obj, sidl_bool enable, struct sidl_BaseInterface__object** _ex);
void sidl_set_hooks_static(const struct sidl_type_info* type, sidl_bool enable,
                           struct sidl_BaseInterface__object** _ex);

/**
 * While switched on, contracts are checked according to sidl.EnfPolicy. `file`, which may be NULL
 * or empty, names a file of cost estimates (not used); `reset` sets to zero what was counted of the
 * class.
 */
void sidl_set_contracts(void* obj, sidl_bool enable, const char* file, sidl_bool reset,
                        struct sidl_BaseInterface__object** _ex);
void sidl_set_contracts_static(const struct sidl_type_info* type, sidl_bool enable,
                               const char* file, sidl_bool reset,
                               struct sidl_BaseInterface__object** _ex);

/**
 * Appends a section headed by `prefix` to the statistics file (NULL or empty: "ContractStats.out").
 * Throws sidl.io.IOException if it cannot be written.
 */
void sidl_dump_stats(void* obj, const char* filename, const char* prefix,
                     struct sidl_BaseInterface__object** _ex);
void sidl_dump_stats_static(const struct sidl_type_info* type, const char* filename,
                            const char* prefix, struct sidl_BaseInterface__object** _ex);

/* ---- structs -----------------------------------------------------------------------------------
 */

/** Sets all members to zero, null and "no array". */
void sidl_struct_init(const struct sidl_struct_info* info, void* data);

/** Frees what the members own and sets them to zero. */
void sidl_struct_destroy(const struct sidl_struct_info* info, void* data);

/**
 * Replaces `own`, the caller's inout argument, by its new value `made`, which is then zero. Raw
 * arrays keep their memory in `own`, to which the elements are copied. FALSE with *_ex set if that
 * memory has other extents; both structs are then unchanged.
 */
sidl_bool sidl_struct_replace(const struct sidl_struct_info* info, void* made, void* own,
                              struct sidl_BaseInterface__object** _ex);

/** Deep copy: strings are duplicated, arrays copied. `to` is overwritten without being freed. */
void sidl_struct_copy(const struct sidl_struct_info* info, const void* from, void* to,
                      struct sidl_BaseInterface__object** _ex);

/**
 * To be called for a struct that was moved out of an array by assignment: texts that the array
 * keeps, at odd addresses (sidl_String.h), are replaced by copies; NULL if memory is exhausted.
 */
void sidl_struct_own(const struct sidl_struct_info* info, void* data);

/** Packs a struct under `name`, in the same form as an argument. */
void sidl_struct_serialize(const struct sidl_struct_info* info, const void* data,
                           struct sidl_io_Serializer__object* ser, const char* name,
                           struct sidl_BaseInterface__object** _ex);

/** Unpacks it; `data` is overwritten without being freed. After an exception it is all zero. */
void sidl_struct_deserialize(const struct sidl_struct_info* info, void* data,
                             struct sidl_io_Deserializer__object* des, const char* name,
                             struct sidl_BaseInterface__object** _ex);

/* ---- what skels in C call -----------------------------------------------------------------------
 * Around methods with arrays of a declared order, raw arrays and out arguments; args[i] is the
 * address of an argument's value, `result` that of the result, or NULL.
 */

/**
 * Converts in and inout arrays to the order and shape that the method declares; arrays that fit are
 * not copied; out arguments become zero. Returns false with *_ex set if that is not possible, else
 * sidl_skel_leave must follow.
 */
sidl_bool sidl_skel_enter(const struct sidl_method_info* method, void* const* args,
                          struct sidl_BaseInterface__object** _ex);

/** The same for an implementation that sees elements: arrays must be in host memory. */
sidl_bool sidl_skel_enter_host(const struct sidl_method_info* method, void* const* args,
                               struct sidl_BaseInterface__object** _ex);

/** Releases what enter acquired, and converts arrays that the method made to the declared order. */
void sidl_skel_leave(const struct sidl_method_info* method, void* const* args, void* result,
                     struct sidl_BaseInterface__object** _ex);

/** Releases the result (NULL: void) and the out arguments of a method, which become null. */
void sidl_skel_discard(const struct sidl_method_info* method, void* const* args, void* result);

/** Whether the hooks of an object, or of the static methods of a class, are switched on. */
static inline sidl_bool sidl_has_hooks(const void* self) {
  const int32_t* const flags = &((const struct sidl_object*)self)->d_flags;
  return (__atomic_load_n(flags, __ATOMIC_RELAXED) & sidl_enforce_hooks) != 0;
}
sidl_bool sidl_has_static_hooks(const struct sidl_type_info* type);

/**
 * Releases what a method that threw has left in its out arguments, which were zero before the call,
 * and zeroes them. args[i] may be NULL for other arguments.
 */
void sidl_skel_failed(const struct sidl_method_info* method, void* const* args);

/* ---- what generated remote stubs and dispatchers call -------------------------------------------
 */

/**
 * Calls `method` of the remote object behind the proxy `self` (its object, not a facet).
 *
 * args[i] is the address of the value for an `in` argument, and the pointer the caller gave for
 * `out` and `inout`; `result` is the address of the result, or NULL. After an exception every out
 * argument and the result are zero and inout arguments keep their values.
 */
void sidl_rmi_invoke(void* self, const struct sidl_method_info* method, void* const* args,
                     void* result, struct sidl_BaseInterface__object** _ex);

/**
 * Begins a nonblocking call of `method`: sent through a proxy, run at once on a local object.
 * `self` is any pointer to the object, NULL for a static method. args[i] is the address of the
 * value of an in or inout argument, which may change as soon as this returns, and NULL for `out`.
 * Returns the ticket for the answer, a sidl.rmi.TicketI.
 */
struct sidl_rmi_Ticket__object* sidl_rmi_send(void* self, const struct sidl_method_info* method,
                                              void* const* args,
                                              struct sidl_BaseInterface__object** _ex);

/**
 * Ends the call that sidl_rmi_send began: waits for its answer and returns it, once. args[i] is
 * NULL for `in`, else as in sidl_rmi_invoke; `result`, and the state after an exception, as there.
 */
void sidl_rmi_receive(void* self, const struct sidl_method_info* method,
                      struct sidl_rmi_Ticket__object* ticket, void* const* args, void* result,
                      struct sidl_BaseInterface__object** _ex);

/* ---- for bindings of languages with their own exceptions ------------------------------- */

/**
 * Records that the exception was made for another one, `origin`, of the caller's language, and lets
 * it own that: its destruction, on any thread, calls `release`. To be called before others can see
 * the exception. FALSE, without effect, if it cannot own one or already does.
 */
sidl_bool sidl_exception_set_origin(void* ex, void* origin, void (*release)(void* origin));

/** The origin set with this `release`, else NULL. The exception keeps owning it. */
void* sidl_exception_origin(const void* ex, void (*release)(void* origin));

/**
 * As sidl_rmi_receive, for callers with memory for raw arrays: args[i] of an inout one is that
 * memory, which must have the shape that was sent.
 */
void sidl_rmi_receive_raw(void* self, const struct sidl_method_info* method,
                          struct sidl_rmi_Ticket__object* ticket, void* const* args, void* result,
                          struct sidl_BaseInterface__object** _ex);

/**
 * Unpacks the in and inout arguments of a call; args[i] is the address of the variable for
 * argument i, zero beforehand. Returns true if the method may be called, else *_ex is set.
 */
sidl_bool sidl_rmi_unpack(const struct sidl_method_info* method, struct sidl_rmi_Call__object* call,
                          void* const* args, struct sidl_BaseInterface__object** _ex);

/**
 * Answers a call: packs the results into `ret`, or the exception in *_ex, which is then cleared.
 * Frees the values behind args and result in either case; a result together with an exception is
 * ignored.
 */
void sidl_rmi_finish(const struct sidl_method_info* method, struct sidl_rmi_Return__object* ret,
                     void* const* args, void* result, struct sidl_BaseInterface__object** _ex);

/* The BaseInterface slots of every proxy: the first ones of each remote EPV. */
void sidl_proxy_addRef(void* self, struct sidl_BaseInterface__object** _ex);
void sidl_proxy_deleteRef(void* self, struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_proxy_isSame(void* self, struct sidl_BaseInterface__object* other,
                            struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_proxy_isType(void* self, const char* name, struct sidl_BaseInterface__object** _ex);
struct sidl_ClassInfo__object* sidl_proxy_getClassInfo(void* self,
                                                       struct sidl_BaseInterface__object** _ex);

#ifdef __cplusplus
}
#endif
#endif
