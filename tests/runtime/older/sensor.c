/* sensor.c and all that it includes of Shinar, when the object model had version 4.0. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
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
#pragma GCC visibility push(default)
struct sidl_double__array;
struct older_Reading__data {
  char* unit;
  struct older_Place__data place;
  struct sidl_double__array* values;
 
};
extern const struct sidl_struct_info older_Reading__info_v07e84ee5a1af6496;
#pragma GCC visibility pop
#pragma GCC visibility push(default)
struct sidl_ClassInfo__object;
struct sidl_BaseInterface__epv {
  void (*f_addRef)(void* self, struct sidl_BaseInterface__object** _ex);
  void (*f_deleteRef)(void* self, struct sidl_BaseInterface__object** _ex);
  sidl_bool (*f_isSame)(void* self, struct sidl_BaseInterface__object* other,
                        struct sidl_BaseInterface__object** _ex);
  sidl_bool (*f_isType)(void* self, const char* name, struct sidl_BaseInterface__object** _ex);
  struct sidl_ClassInfo__object* (*f_getClassInfo)(void* self,
                                                   struct sidl_BaseInterface__object** _ex);
};
struct sidl_BaseInterface__object {
  const struct sidl_BaseInterface__epv* d_epv;
  void* d_object;
};
extern const struct sidl_type_info sidl_BaseInterface__info;
extern const struct sidl_method_info sidl_BaseInterface__methods[];
extern const struct sidl_BaseInterface__epv sidl_BaseInterface__remote_epv;
#pragma GCC visibility pop
#pragma GCC visibility push(default)
struct sidl_ClassInfo__object;
struct sidl_BaseClass__epv {
  void (*f_addRef)(struct sidl_BaseClass__object* self, struct sidl_BaseInterface__object** _ex);
  void (*f_deleteRef)(struct sidl_BaseClass__object* self, struct sidl_BaseInterface__object** _ex);
  sidl_bool (*f_isSame)(struct sidl_BaseClass__object* self,
                        struct sidl_BaseInterface__object* other,
                        struct sidl_BaseInterface__object** _ex);
  sidl_bool (*f_isType)(struct sidl_BaseClass__object* self, const char* name,
                        struct sidl_BaseInterface__object** _ex);
  struct sidl_ClassInfo__object* (*f_getClassInfo)(struct sidl_BaseClass__object* self,
                                                   struct sidl_BaseInterface__object** _ex);
};
struct sidl_BaseClass__object {
  union {
    const struct sidl_BaseClass__epv* d_epv;
    struct sidl_object d_parent;
    struct sidl_BaseInterface__object d_sidl_baseinterface;
  };
  void* d_data;
};
extern const struct sidl_type_info sidl_BaseClass__info;
extern const struct sidl_BaseClass__epv sidl_BaseClass__remote_epv;
struct sidl_class* sidl_BaseClass__class(void);
#pragma GCC visibility pop
#pragma GCC visibility push(default)
struct older_Sensor__object;
struct sidl_ClassInfo__object;
struct older_Sensor__epv {
  void (*f_addRef)(struct older_Sensor__object* self, struct sidl_BaseInterface__object** _ex);
  void (*f_deleteRef)(struct older_Sensor__object* self, struct sidl_BaseInterface__object** _ex);
  sidl_bool (*f_isSame)(struct older_Sensor__object* self, struct sidl_BaseInterface__object* other,
                        struct sidl_BaseInterface__object** _ex);
  sidl_bool (*f_isType)(struct older_Sensor__object* self, const char* name,
                        struct sidl_BaseInterface__object** _ex);
  struct sidl_ClassInfo__object* (*f_getClassInfo)(struct older_Sensor__object* self,
                                                   struct sidl_BaseInterface__object** _ex);
  struct older_Reading__data (*f_read)(struct older_Sensor__object* self, int32_t n,
                                       struct sidl_BaseInterface__object** _ex);
  void (*f_amplify)(struct older_Sensor__object* self, struct older_Reading__data* reading,
                    struct sidl_BaseInterface__object** _ex);
};
struct older_Sensor__sepv {
  double (*f_heightOf)(const struct older_Place__data* place,
                       struct sidl_BaseInterface__object** _ex);
};
struct older_Sensor__object {
  union {
    const struct older_Sensor__epv* d_epv;
    struct sidl_BaseClass__object d_sidl_baseclass;
  };
  void* d_data;
};
extern const struct sidl_type_info older_Sensor__info_vca1346a30ef5f107;
extern const struct sidl_method_info older_Sensor__methods_vca1346a30ef5f107[];
extern const struct older_Sensor__epv older_Sensor__remote_epv_vca1346a30ef5f107;
struct sidl_class* older_Sensor__class(void);
struct older_Reading__data older_Sensor__remote_read_vca1346a30ef5f107(void* self, int32_t n,
                                                     struct sidl_BaseInterface__object** _ex);
void older_Sensor__remote_amplify_vca1346a30ef5f107(void* self, struct older_Reading__data* reading,
                                  struct sidl_BaseInterface__object** _ex);
#pragma GCC visibility pop
struct sidl_BaseInterface__object;
char* sidl_String_alloc(size_t size);
char* sidl_String_alloc_ex(size_t size, struct sidl_BaseInterface__object** _ex);
void sidl_String_free(char* s);
size_t sidl_String_strlen(const char* s);
void sidl_String_strcpy(char* s1, const char* s2);
char* sidl_String_strdup(const char* s);
char* sidl_String_strdup_ex(const char* s, struct sidl_BaseInterface__object** _ex);
char* sidl_String_strndup(const char* s, size_t n);
char* sidl_String_strndup_ex(const char* s, size_t n, struct sidl_BaseInterface__object** _ex);
sidl_bool sidl_String_equals(const char* s1, const char* s2);
sidl_bool sidl_String_endsWith(const char* s, const char* end);
sidl_bool sidl_String_startsWith(const char* s, const char* start);
char* sidl_String_substring(const char* s, int index);
char* sidl_String_concat2(const char* s1, const char* s2);
char* sidl_String_concat2_ex(const char* s1, const char* s2,
                             struct sidl_BaseInterface__object** _ex);
char* sidl_String_concat3(const char* s1, const char* s2, const char* s3);
char* sidl_String_concat3_ex(const char* s1, const char* s2, const char* s3,
                             struct sidl_BaseInterface__object** _ex);
char* sidl_String_concat4(const char* s1, const char* s2, const char* s3, const char* s4);
char* sidl_String_concat4_ex(const char* s1, const char* s2, const char* s3, const char* s4,
                             struct sidl_BaseInterface__object** _ex);
void sidl_String_replace(char* s, char oldchar, char newchar);
enum sidl_array_ordering {
  sidl_general_order = 0,
  sidl_column_major_order = 1,
  sidl_row_major_order = 2
};
enum sidl_array_type {
  sidl_undefined_array = 0,
  sidl_bool_array = 1,
  sidl_char_array = 2,
  sidl_dcomplex_array = 3,
  sidl_double_array = 4,
  sidl_fcomplex_array = 5,
  sidl_float_array = 6,
  sidl_int_array = 7,
  sidl_long_array = 8,
  sidl_opaque_array = 9,
  sidl_string_array = 10,
  sidl_interface_array = 11
};
struct sidl__array;
struct sidl__array_vtable {
  void (*d_destroy)(struct sidl__array*);
  struct sidl__array* (*d_smartcopy)(struct sidl__array*);
  int32_t (*d_arraytype)(void);
};
struct sidl__array {
  int64_t* d_lower;
  int64_t* d_upper;
  int64_t* d_stride;
  const struct sidl__array_vtable* d_vtable;
  const struct sidl_struct_info* d_struct;
  int32_t d_dimen;
  int32_t d_refcount;
};
void sidl__array_addRef(struct sidl__array* array);
void sidl__array_deleteRef(struct sidl__array* array);
struct sidl__array* sidl__array_smartCopy(struct sidl__array* array);
int32_t sidl__array_dimen(const struct sidl__array* array);
int32_t sidl__array_lower(const struct sidl__array* array, int32_t ind);
int32_t sidl__array_upper(const struct sidl__array* array, int32_t ind);
int32_t sidl__array_length(const struct sidl__array* array, int32_t ind);
int32_t sidl__array_stride(const struct sidl__array* array, int32_t ind);
sidl_bool sidl__array_isColumnOrder(const struct sidl__array* array);
sidl_bool sidl__array_isRowOrder(const struct sidl__array* array);
int32_t sidl__array_type(const struct sidl__array* array);
size_t sidl__array_element_count(const struct sidl__array* array);
void sidl__array_add(struct sidl__array* array);
void sidl__array_remove(struct sidl__array* array);
struct sidl_double__array {
  struct sidl__array d_metadata;
  double* d_firstElement;
};
struct sidl_double__array* sidl_double__array_createCol(int32_t dimen, const int32_t lower[],
                                                const int32_t upper[]);
struct sidl_double__array* sidl_double__array_createRow(int32_t dimen, const int32_t lower[],
                                                const int32_t upper[]);
struct sidl_double__array* sidl_double__array_create1d(int64_t len);
struct sidl_double__array* sidl_double__array_create1dInit(int64_t len, double* data);
struct sidl_double__array* sidl_double__array_create2dCol(int64_t m, int64_t n);
struct sidl_double__array* sidl_double__array_create2dRow(int64_t m, int64_t n);
struct sidl_double__array* sidl_double__array_borrow(double* firstElement, int32_t dimen,
                                             const int32_t lower[], const int32_t upper[],
                                             const int32_t stride[]);
struct sidl_double__array* sidl_double__array_borrow_owned(double* firstElement, int32_t dimen,
                                                   const int64_t lower[], const int64_t upper[],
                                                   const int64_t stride[],
                                                   void (*release)(void* owner), void* owner);
void sidl_double__array_init64(double* firstElement, struct sidl_double__array* result,
                        int32_t dimen, const int64_t lower[], const int64_t upper[],
                        const int64_t stride[]);
struct sidl_double__array* sidl_double__array_slice(struct sidl_double__array* src, int32_t dimen,
                                            const int32_t numElem[], const int32_t* srcStart,
                                            const int32_t* srcStride, const int32_t* newStart);
struct sidl_double__array* sidl_double__array_smartCopy(struct sidl_double__array* array);
void sidl_double__array_addRef(struct sidl_double__array* array);
void sidl_double__array_deleteRef(struct sidl_double__array* array);
struct sidl_double__array* sidl_double__array_cast(struct sidl__array* array);
double sidl_double__array_get1(const struct sidl_double__array* array, int64_t i0);
double sidl_double__array_get2(const struct sidl_double__array* array, int64_t i0, int64_t i1);
double sidl_double__array_get3(const struct sidl_double__array* array, int64_t i0, int64_t i1,
                                   int64_t i2);
double sidl_double__array_get4(const struct sidl_double__array* array, int64_t i0, int64_t i1,
                                   int64_t i2, int64_t i3);
double sidl_double__array_get5(const struct sidl_double__array* array, int64_t i0, int64_t i1,
                                   int64_t i2, int64_t i3, int64_t i4);
double sidl_double__array_get6(const struct sidl_double__array* array, int64_t i0, int64_t i1,
                                   int64_t i2, int64_t i3, int64_t i4, int64_t i5);
double sidl_double__array_get7(const struct sidl_double__array* array, int64_t i0, int64_t i1,
                                   int64_t i2, int64_t i3, int64_t i4, int64_t i5, int64_t i6);
double sidl_double__array_get(const struct sidl_double__array* array, const int32_t indices[]);
void sidl_double__array_set1(struct sidl_double__array* array, int64_t i0, double value);
void sidl_double__array_set2(struct sidl_double__array* array, int64_t i0, int64_t i1, double value);
void sidl_double__array_set3(struct sidl_double__array* array, int64_t i0, int64_t i1, int64_t i2,
                        double value);
void sidl_double__array_set4(struct sidl_double__array* array, int64_t i0, int64_t i1, int64_t i2,
                        int64_t i3, double value);
void sidl_double__array_set5(struct sidl_double__array* array, int64_t i0, int64_t i1, int64_t i2,
                        int64_t i3, int64_t i4, double value);
void sidl_double__array_set6(struct sidl_double__array* array, int64_t i0, int64_t i1, int64_t i2,
                        int64_t i3, int64_t i4, int64_t i5, double value);
void sidl_double__array_set7(struct sidl_double__array* array, int64_t i0, int64_t i1, int64_t i2,
                        int64_t i3, int64_t i4, int64_t i5, int64_t i6, double value);
void sidl_double__array_set(struct sidl_double__array* array, const int32_t indices[], double value);
int32_t sidl_double__array_dimen(const struct sidl_double__array* array);
int32_t sidl_double__array_lower(const struct sidl_double__array* array, int32_t ind);
int32_t sidl_double__array_upper(const struct sidl_double__array* array, int32_t ind);
int32_t sidl_double__array_length(const struct sidl_double__array* array, int32_t ind);
int32_t sidl_double__array_stride(const struct sidl_double__array* array, int32_t ind);
sidl_bool sidl_double__array_isColumnOrder(const struct sidl_double__array* array);
sidl_bool sidl_double__array_isRowOrder(const struct sidl_double__array* array);
void sidl_double__array_copy(const struct sidl_double__array* src, struct sidl_double__array* dest);
struct sidl_double__array* sidl_double__array_ensure(struct sidl_double__array* src, int32_t dimen,
                                             int ordering);
double* sidl_double__array_first(const struct sidl_double__array* array);
static struct older_Reading__data
sensor_read(struct older_Sensor__object* self, int32_t n, struct sidl_BaseInterface__object** _ex)
{
  struct older_Reading__data reading;
  (void)self;
  *_ex = NULL;
  sidl_struct_init(&older_Reading__info_v07e84ee5a1af6496, &reading);
  reading.unit = sidl_String_strdup("K");
  reading.place.height = 1.5;
  reading.place.floor = 3;
  reading.values = sidl_double__array_create1d(n);
  for (int32_t i = 0; i < n; ++i) sidl_double__array_set1(reading.values, i, i);
  return reading;
}
static void
sensor_amplify(struct older_Sensor__object* self, struct older_Reading__data* reading,
               struct sidl_BaseInterface__object** _ex)
{
  (void)self;
  *_ex = NULL;
  const int32_t n = sidl_double__array_length(reading->values, 0);
  for (int32_t i = 0; i < n; ++i) {
    sidl_double__array_set1(reading->values, i, 2 * sidl_double__array_get1(reading->values, i));
  }
  ++reading->place.floor;
}
static double
sensor_heightOf(const struct older_Place__data* place, struct sidl_BaseInterface__object** _ex)
{
  *_ex = NULL;
  return place->height;
}
static struct older_Sensor__epv epv = {
  .f_read = sensor_read,
  .f_amplify = sensor_amplify,
};
static const struct older_Sensor__sepv static_epv = {
  .f_heightOf = sensor_heightOf,
};
static struct sidl_class description = {
  .ior_major = OLDER_IOR_MAJOR,
  .ior_minor = 0,
  .info = &older_Sensor__info_vca1346a30ef5f107,
  .epv = &epv,
  .static_epv = &static_epv,
};
struct sidl_class*
older_Sensor__class(void)
{
  return &description;
}
