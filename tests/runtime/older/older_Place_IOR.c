/* older_Place_IOR.c and all that it includes of Shinar, when the object model had version 4.0. */
#include <stddef.h>
#include <stdint.h>
typedef int sidl_bool;
struct sidl_fcomplex {
  float real;
  float imaginary;
};
struct sidl_dcomplex {
  double real;
  double imaginary;
};
struct sidl_BaseInterface__object;
struct sidl_BaseInterface__epv;
struct sidl_BaseClass__object;
struct sidl_io_Deserializer__object;
struct sidl_io_Serializer__object;
struct sidl_rmi_Call__object;
struct sidl_rmi_Return__object;
struct sidl_rmi_Ticket__object;
struct sidl_type_info;
struct sidl_class_plan;
enum sidl_kind {
  sidl_kind_void = 0,
  sidl_kind_bool = 1,
  sidl_kind_char = 2,
  sidl_kind_int = 3,
  sidl_kind_long = 4,
  sidl_kind_float = 5,
  sidl_kind_double = 6,
  sidl_kind_fcomplex = 7,
  sidl_kind_dcomplex = 8,
  sidl_kind_string = 9,
  sidl_kind_opaque = 10,
  sidl_kind_enum = 11,
  sidl_kind_struct = 12,
  sidl_kind_interface = 13,
  sidl_kind_class = 14,
  sidl_kind_array = 15,
  sidl_kind_rarray = 16
};
enum sidl_mode { sidl_mode_in = 1, sidl_mode_out = 2, sidl_mode_inout = 3 };
enum sidl_ref_flags {
  sidl_ref_raw = 1,
  sidl_ref_copy = 2
};
struct sidl_enumerator_info {
  const char* name;
  int64_t value;
};
struct sidl_enum_info {
  const char* name;
  const struct sidl_enumerator_info* enumerators;
  int32_t enumerator_count;
};
struct sidl_type_ref {
  uint8_t kind;
  uint8_t element;
  uint8_t dimension;
  uint8_t order;
  uint8_t flags;
  union {
    const struct sidl_struct_info* structure;
    const struct sidl_enum_info* enumeration;
    void (*extents)(const void* values, int64_t lengths[]);
  };
  const struct sidl_type_info* object;
};
struct sidl_member_info {
  const char* name;
  struct sidl_type_ref type;
  size_t offset;
};
struct sidl_struct_info {
  const char* name;
  size_t size;
  const struct sidl_member_info* members;
  int32_t member_count;
  const struct sidl_struct_extension* extension;
};
struct sidl_arg_info {
  const char* name;
  uint8_t mode;
  struct sidl_type_ref type;
};
typedef void (*sidl_exec_function)(void* self, struct sidl_rmi_Call__object* call,
                                   struct sidl_rmi_Return__object* ret,
                                   struct sidl_BaseInterface__object** _ex);
enum sidl_method_flags {
  sidl_method_oneway = 1,
  sidl_method_concurrent = 2,
  sidl_method_nonblocking = 4
};
struct sidl_method_info {
  const char* name;
  const struct sidl_type_info* type;
  uint64_t digest;
  struct sidl_type_ref result;
  const struct sidl_arg_info* args;
  int32_t arg_count;
  uint8_t flags;
  sidl_exec_function exec;
  const char* throws;
};
struct sidl_facet {
  const struct sidl_type_info* type;
  uint32_t offset;
  const uint16_t* slots;
};
enum sidl_type_flags {
  sidl_type_abstract = 1,
  sidl_type_inherits_all = 2,
  sidl_type_concurrent = 4
};
struct sidl_type_cache {
  const struct sidl_type_info* next;
  struct sidl_class* implementation;
  struct sidl_class* proxy;
};
struct sidl_type_info {
  const char* name;
  const char* version;
  uint64_t id;
  uint8_t kind;
  uint8_t flags;
  uint16_t slot_count;
  uint16_t facet_count;
  uint16_t static_count;
  const struct sidl_type_info* parent;
  const struct sidl_facet* facets;
  const struct sidl_method_info* const* slots;
  const struct sidl_method_info* statics;
  size_t size;
  size_t data_offset;
  const void* remote_epv;
  struct sidl_type_cache* cache;
  uint64_t layout;
  const struct sidl_type_extension* extension;
};
enum sidl_enforcement {
  sidl_enforce_hooks = 1,
  sidl_enforce_contracts = 2
};
struct sidl_class {
  int32_t ior_major, ior_minor;
  const struct sidl_type_info* info;
  void* epv;
  const void* static_epv;
  void (*load)(struct sidl_BaseInterface__object** _ex);
  void (*ctor)(void* self, struct sidl_BaseInterface__object** _ex);
  void (*ctor2)(void* self, void* data, struct sidl_BaseInterface__object** _ex);
  void (*dtor)(void* self, struct sidl_BaseInterface__object** _ex);
  size_t impl_size;
  struct sidl_class* parent;
  const struct sidl_class_plan* plan;
  int32_t is_remote;
  int32_t state;
  void* enforced_epv;
  const void* enforced_static_epv;
  int32_t enforcement;
  const void* contracts;
};
typedef struct sidl_class* (*sidl_class_function)(void);
struct sidl_object {
  const void* d_epv;
  void* d_object;
  const struct sidl_class* d_class;
  int32_t d_refcount;
  int32_t d_flags;
};
struct sidl_facet_object {
  const void* d_epv;
  void* d_object;
};
void sidl_type_register(const struct sidl_type_info* type);
const struct sidl_type_info* sidl_type_find(const char* name);
char* sidl_class_near(const char* name);
char* sidl_explain_unloadable(const char* reason);
void* sidl_create(const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex);
void* sidl_copy_object(void* obj, struct sidl_BaseInterface__object** _ex);
void* sidl_wrap(const struct sidl_type_info* type, void* data,
                struct sidl_BaseInterface__object** _ex);
void sidl_end(void* obj);
void* sidl_create_remote(const struct sidl_type_info* type, const char* url,
                         struct sidl_BaseInterface__object** _ex);
void* sidl_connect(const struct sidl_type_info* type, const char* url,
                   struct sidl_BaseInterface__object** _ex);
void* sidl_connect_counted(const struct sidl_type_info* type, const char* url, sidl_bool addRef,
                           struct sidl_BaseInterface__object** _ex);
void* sidl_cast(void* obj, const struct sidl_type_info* type,
                struct sidl_BaseInterface__object** _ex);
void* sidl_cast_borrowed(void* obj, const struct sidl_type_info* type);
void* sidl_cast_over(void* obj, const struct sidl_type_info* type);
const void* sidl_static_epv(const struct sidl_type_info* type,
                            struct sidl_BaseInterface__object** _ex);
const void* sidl_super_epv(const struct sidl_type_info* type,
                           struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_is_remote(const void* obj);
char* sidl_get_url(void* obj, struct sidl_BaseInterface__object** _ex);
void sidl_exec(void* obj, const char* name, struct sidl_rmi_Call__object* call,
               struct sidl_rmi_Return__object* ret, struct sidl_BaseInterface__object** _ex);
void sidl_static_exec(const struct sidl_type_info* type, const char* name,
                      struct sidl_rmi_Call__object* call, struct sidl_rmi_Return__object* ret,
                      struct sidl_BaseInterface__object** _ex);
void sidl_set_hooks(void* obj, sidl_bool enable, struct sidl_BaseInterface__object** _ex);
void sidl_set_hooks_static(const struct sidl_type_info* type, sidl_bool enable,
                           struct sidl_BaseInterface__object** _ex);
void sidl_set_contracts(void* obj, sidl_bool enable, const char* file, sidl_bool reset,
                        struct sidl_BaseInterface__object** _ex);
void sidl_set_contracts_static(const struct sidl_type_info* type, sidl_bool enable,
                               const char* file, sidl_bool reset,
                               struct sidl_BaseInterface__object** _ex);
void sidl_dump_stats(void* obj, const char* filename, const char* prefix,
                     struct sidl_BaseInterface__object** _ex);
void sidl_dump_stats_static(const struct sidl_type_info* type, const char* filename,
                            const char* prefix, struct sidl_BaseInterface__object** _ex);
void sidl_struct_init(const struct sidl_struct_info* info, void* data);
void sidl_struct_destroy(const struct sidl_struct_info* info, void* data);
sidl_bool sidl_struct_replace(const struct sidl_struct_info* info, void* made, void* own,
                              struct sidl_BaseInterface__object** _ex);
void sidl_struct_copy(const struct sidl_struct_info* info, const void* from, void* to,
                      struct sidl_BaseInterface__object** _ex);
void sidl_struct_serialize(const struct sidl_struct_info* info, const void* data,
                           struct sidl_io_Serializer__object* ser, const char* name,
                           struct sidl_BaseInterface__object** _ex);
void sidl_struct_deserialize(const struct sidl_struct_info* info, void* data,
                             struct sidl_io_Deserializer__object* des, const char* name,
                             struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_skel_enter(const struct sidl_method_info* method, void* const* args,
                          struct sidl_BaseInterface__object** _ex);
void sidl_skel_leave(const struct sidl_method_info* method, void* const* args, void* result,
                     struct sidl_BaseInterface__object** _ex);
void sidl_skel_failed(const struct sidl_method_info* method, void* const* args);
void sidl_rmi_invoke(void* self, const struct sidl_method_info* method, void* const* args,
                     void* result, struct sidl_BaseInterface__object** _ex);
struct sidl_rmi_Ticket__object* sidl_rmi_send(void* self, const struct sidl_method_info* method,
                                              void* const* args,
                                              struct sidl_BaseInterface__object** _ex);
void sidl_rmi_receive(void* self, const struct sidl_method_info* method,
                      struct sidl_rmi_Ticket__object* ticket, void* const* args, void* result,
                      struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_exception_set_origin(void* ex, void* origin, void (*release)(void* origin));
void* sidl_exception_origin(const void* ex, void (*release)(void* origin));
void sidl_rmi_receive_raw(void* self, const struct sidl_method_info* method,
                          struct sidl_rmi_Ticket__object* ticket, void* const* args, void* result,
                          struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_rmi_unpack(const struct sidl_method_info* method, struct sidl_rmi_Call__object* call,
                          void* const* args, struct sidl_BaseInterface__object** _ex);
void sidl_rmi_finish(const struct sidl_method_info* method, struct sidl_rmi_Return__object* ret,
                     void* const* args, void* result, struct sidl_BaseInterface__object** _ex);
void sidl_proxy_addRef(void* self, struct sidl_BaseInterface__object** _ex);
void sidl_proxy_deleteRef(void* self, struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_proxy_isSame(void* self, struct sidl_BaseInterface__object* other,
                            struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_proxy_isType(void* self, const char* name, struct sidl_BaseInterface__object** _ex);
struct sidl_ClassInfo__object* sidl_proxy_getClassInfo(void* self,
                                                       struct sidl_BaseInterface__object** _ex);
#pragma GCC visibility push(default)
struct older_Place__data {
  double height;
  int32_t floor;
};
extern const struct sidl_struct_info older_Place__info_v6226bb5fa6467c6a;
#pragma GCC visibility pop
static const struct sidl_member_info members[] = {
  {"height", {.kind = sidl_kind_double}, offsetof(struct older_Place__data, height)},
  {"floor", {.kind = sidl_kind_int}, offsetof(struct older_Place__data, floor)},
};
const struct sidl_struct_info older_Place__info_v6226bb5fa6467c6a = {
  .name = "older.Place",
  .size = sizeof(struct older_Place__data),
  .members = members,
  .member_count = 2,
};
