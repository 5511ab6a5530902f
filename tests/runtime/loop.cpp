#include "loop.hpp"

#include "loop_tickets.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sidl_io_Serializable.h"
#include "sidl_marshal.h"
#include "sidl_rmi_ExportRegistry.h"
#include "sidl_rmi_InstanceHandle.h"
#include "sidl_rmi_Invocation.h"
#include "sidl_rmi_ProtocolException.h"
#include "sidl_rmi_ProtocolFactory.h"
#include "sidl_rmi_Response.h"
#include "sidl_rmi_Return.h"
#include "support.hpp"

namespace {

using Ex = sidl_BaseInterface__object**;

std::atomic<int> messages{0};
std::atomic<int64_t> last_deadline{-1};
std::string pretended_type;

struct Item {
  std::string key;
  long long integer = 0;
  double real[2] = {0, 0};
  std::optional<std::string> text;
  sidl__array* array = nullptr;
  void* object = nullptr;  // with a reference
};

struct Message {
  std::deque<Item> items;
  std::vector<std::string> thrown;  // class names of the exception, most derived first
  void* target = nullptr;           // with a reference
  std::string method;
  uint64_t digest = 0;
  int64_t deadline = -1;

  void clear() {
    for (Item& item : items) {
      sidl__array_deleteRef(item.array);
      rt::drop(item.object);
    }
    items.clear();
  }
  ~Message() {
    clear();
    rt::drop(target);
  }
};

Message& message(rt_Pipe__object* self) {
  return *static_cast<Message*>(self->d_data);
}

void push(rt_Pipe__object* self, const char* key, Item item, Ex ex) {
  *ex = nullptr;
  item.key = key;
  message(self).items.push_back(std::move(item));
}

// The next item, which must have the key.
std::optional<Item> pop(rt_Pipe__object* self, const char* key, Ex ex) {
  *ex = nullptr;
  auto& items = message(self).items;
  if (items.empty() || items.front().key != key) {
    const std::string note = std::string("expected ") + key + ", found " +
                             (items.empty() ? "the end" : items.front().key);
    sidl_rmi_throw(&sidl_rmi_ProtocolException__info, note.c_str(), 0, 2, __FILE__, __LINE__,
                   __func__, ex);
    return std::nullopt;
  }
  Item item = std::move(items.front());
  items.pop_front();
  return item;
}

// ---- scalars ----------------------------------------------------------------------------------

template <class T>
void pack_integer(rt_Pipe__object* self, const char* key, T value, Ex ex) {
  Item item;
  item.integer = value;
  push(self, key, std::move(item), ex);
}

template <class T>
void unpack_integer(rt_Pipe__object* self, const char* key, T* value, Ex ex) {
  if (auto item = pop(self, key, ex)) *value = static_cast<T>(item->integer);
}

template <class T>
void pack_real(rt_Pipe__object* self, const char* key, T value, Ex ex) {
  Item item;
  item.real[0] = value;
  push(self, key, std::move(item), ex);
}

template <class T>
void unpack_real(rt_Pipe__object* self, const char* key, T* value, Ex ex) {
  if (auto item = pop(self, key, ex)) *value = static_cast<T>(item->real[0]);
}

template <class T>
void pack_complex(rt_Pipe__object* self, const char* key, T value, Ex ex) {
  Item item;
  item.real[0] = value.real;
  item.real[1] = value.imaginary;
  push(self, key, std::move(item), ex);
}

template <class T>
void unpack_complex(rt_Pipe__object* self, const char* key, T* value, Ex ex) {
  if (auto item = pop(self, key, ex)) {
    value->real = static_cast<decltype(value->real)>(item->real[0]);
    value->imaginary = static_cast<decltype(value->real)>(item->real[1]);
  }
}

void pack_string(rt_Pipe__object* self, const char* key, const char* value, Ex ex) {
  Item item;
  if (value != nullptr) item.text = value;
  push(self, key, std::move(item), ex);
}

void unpack_string(rt_Pipe__object* self, const char* key, char** value, Ex ex) {
  if (auto item = pop(self, key, ex)) {
    *value = item->text ? sidl_String_strdup(item->text->c_str()) : nullptr;
  }
}

// ---- arrays -----------------------------------------------------------------------------------

#define ARRAY(t)                                                                 \
  sidl_##t##__array* copy(const sidl_##t##__array* from) {                       \
    if (from == nullptr) return nullptr;                                         \
    const sidl__array& meta = from->d_metadata;                                  \
    sidl_##t##__array* const to =                                                \
        sidl_##t##__array_createRow64(meta.d_dimen, meta.d_lower, meta.d_upper); \
    sidl_##t##__array_copy(from, to);                                            \
    return to;                                                                   \
  }
ARRAY(bool)
ARRAY(char)
ARRAY(int)
ARRAY(long)
ARRAY(float)
ARRAY(double)
ARRAY(fcomplex)
ARRAY(dcomplex)
ARRAY(string)
#undef ARRAY

template <class Array>
void pack_array(rt_Pipe__object* self, const char* key, Array* value, int32_t, int32_t, sidl_bool,
                Ex ex) {
  Item item;
  item.array = reinterpret_cast<sidl__array*>(copy(value));
  push(self, key, std::move(item), ex);
}

template <class Array>
void unpack_array(rt_Pipe__object* self, const char* key, Array** value, int32_t, int32_t,
                  sidl_bool, Ex ex) {
  if (auto item = pop(self, key, ex)) *value = reinterpret_cast<Array*>(item->array);
}

// ---- objects ----------------------------------------------------------------------------------

sidl_rmi_InstanceHandle__object* connect(void* object, Ex ex) {
  rt_LoopHandle__object* const handle = rt_LoopHandle__create(ex);
  char* const url = rt::loop_url(object);
  rt_LoopHandle_initConnect(handle, url, "", TRUE, ex);
  sidl_String_free(url);
  return static_cast<sidl_rmi_InstanceHandle__object*>(
      sidl_cast_borrowed(handle, &sidl_rmi_InstanceHandle__info));
}

void pack_object(rt_Pipe__object* self, const char* key, sidl_BaseInterface__object* value, Ex ex) {
  Item item;
  item.object = sidl_cast(value, &sidl_BaseInterface__info, ex);
  push(self, key, std::move(item), ex);
}

// A local object arrives as a proxy, a proxy as another one over the same handle.
void unpack_object(rt_Pipe__object* self, const char* key, sidl_BaseInterface__object** value,
                   Ex ex) {
  auto item = pop(self, key, ex);
  if (!item || item->object == nullptr) return;
  const bool local = sidl_is_remote(item->object) == FALSE;
  auto* const handle = local ? connect(item->object, ex) : sidl_proxy_handle(item->object);
  *value = static_cast<sidl_BaseInterface__object*>(sidl_proxy_create(handle, nullptr, ex));
  if (local) rt::drop(handle);
  rt::drop(item->object);
}

void pack_serializable(rt_Pipe__object* self, const char*, sidl_io_Serializable__object*, Ex ex) {
  (void)self;
  *ex = nullptr;
}

void unpack_serializable(rt_Pipe__object*, const char*, sidl_io_Serializable__object** value,
                         Ex ex) {
  *ex = nullptr;
  *value = nullptr;
}

// ---- what is packed by other methods ----------------------------------------------------------

void pack_opaque(rt_Pipe__object* self, const char* key, void* value, Ex ex) {
  sidl_serializer_pack_opaque(self, key, value, ex);
}

void pack_opaques(rt_Pipe__object* self, const char* key, sidl_opaque__array* value, int32_t,
                  int32_t, sidl_bool, Ex ex) {
  sidl_serializer_pack_opaques(self, key, value, ex);
}

void pack_values(rt_Pipe__object* self, const char* key, sidl_interface__array* value, int32_t,
                 int32_t, sidl_bool, Ex ex) {
  sidl_serializer_pack_values(self, key, value, ex);
}

void pack_any(rt_Pipe__object* self, const char* key, sidl__array* value, sidl_bool reuse, Ex ex) {
  sidl_serializer_pack_any(self, key, value, reuse, ex);
}

void unpack_opaque(rt_Pipe__object* self, const char* key, void** value, Ex ex) {
  *value = sidl_deserializer_unpack_opaque(self, key, ex);
}

void unpack_opaques(rt_Pipe__object* self, const char* key, sidl_opaque__array** value,
                    int32_t ordering, int32_t, sidl_bool, Ex ex) {
  *value = sidl_deserializer_unpack_opaques(self, key, ordering, ex);
}

void unpack_values(rt_Pipe__object* self, const char* key, sidl_interface__array** value,
                   int32_t ordering, int32_t, sidl_bool, Ex ex) {
  *value = sidl_deserializer_unpack_values(self, key, ordering, ex);
}

void unpack_any(rt_Pipe__object* self, const char* key, sidl__array** value, Ex ex) {
  *value = sidl_deserializer_unpack_any(self, key, ex);
}

// ---- roles ------------------------------------------------------------------------------------

void throw_exception(rt_Pipe__object* self, sidl_BaseException__object* thrown, Ex ex) {
  Message& m = message(self);
  m.clear();
  const char** const chain = sidl_class_chain(thrown);
  for (const char** name = chain; *name != nullptr; ++name) m.thrown.push_back(*name);
  free(chain);
  auto* const pipe =
      static_cast<sidl_io_Serializer__object*>(sidl_cast_borrowed(self, &sidl_io_Serializer__info));
  sidl_BaseException_packObj(thrown, pipe, ex);
}

sidl_BaseException__object* exception_thrown(rt_Pipe__object* self, Ex ex) {
  *ex = nullptr;
  for (const std::string& name : message(self).thrown) {
    sidl_BaseException__object* const thrown = sidl_exception_by_name(name.c_str(), ex);
    if (thrown == nullptr) continue;
    auto* const pipe = static_cast<sidl_io_Deserializer__object*>(
        sidl_cast_borrowed(self, &sidl_io_Deserializer__info));
    sidl_BaseException_unpackObj(thrown, pipe, ex);
    return thrown;
  }
  return nullptr;
}

void set_deadline(rt_Pipe__object* self, int64_t milliseconds, Ex ex) {
  *ex = nullptr;
  message(self).deadline = milliseconds;
}

void sent(rt_Pipe__object* self) {
  ++messages;
  last_deadline = message(self).deadline;
}

// Runs the call on this thread, as a server would.
sidl_rmi_Response__object* answer(rt_Pipe__object* self, Ex ex) {
  const Message& m = message(self);
  rt_Pipe__object* const answer = rt_Pipe__create(ex);
  auto* const call =
      static_cast<sidl_rmi_Call__object*>(sidl_cast_borrowed(self, &sidl_rmi_Call__info));
  auto* const ret =
      static_cast<sidl_rmi_Return__object*>(sidl_cast_borrowed(answer, &sidl_rmi_Return__info));
  const int64_t previous = sidl_deadline_inherit(m.deadline);
  sidl_rmi_dispatch(m.target, m.method.c_str(), m.digest, call, ret, ex);
  sidl_deadline_restore(previous);
  if (*ex == nullptr) {
    return static_cast<sidl_rmi_Response__object*>(
        sidl_cast_borrowed(answer, &sidl_rmi_Response__info));
  }
  rt::drop(answer);
  return nullptr;
}

sidl_rmi_Response__object* invoke(rt_Pipe__object* self, Ex ex) {
  sent(self);
  return answer(self, ex);
}

sidl_rmi_Ticket__object* invoke_nonblocking(rt_Pipe__object* self, Ex ex) {
  sent(self);
  return rt::hold_call(self, answer, ex);
}

void invoke_oneway(rt_Pipe__object* self, Ex ex) {
  rt::drop(invoke_nonblocking(self, ex));
}

// ---- handle -----------------------------------------------------------------------------------

struct Handle {
  void* target = nullptr;  // with a reference
  ~Handle() { rt::drop(target); }
};

Handle& handle(rt_LoopHandle__object* self) {
  return *static_cast<Handle*>(self->d_data);
}

sidl_bool init_create(rt_LoopHandle__object* self, const char*, const char* type, Ex ex) {
  handle(self).target = sidl_rmi_ExportRegistry_createInstance(type, ex);
  return *ex == nullptr;
}

sidl_bool init_connect(rt_LoopHandle__object* self, const char* url, const char*, sidl_bool,
                       Ex ex) {
  void* target = nullptr;
  *ex = nullptr;
  if (std::sscanf(url, "loop://%p", &target) != 1) return FALSE;
  handle(self).target = sidl_cast(target, &sidl_BaseInterface__info, ex);
  return TRUE;
}

char* get_protocol(rt_LoopHandle__object*, Ex ex) {
  *ex = nullptr;
  return sidl_String_strdup("loop");
}

char* get_url(rt_LoopHandle__object* self, Ex ex) {
  *ex = nullptr;
  return rt::loop_url(handle(self).target);
}

char* get_type_name(rt_LoopHandle__object* self, Ex ex) {
  *ex = nullptr;
  return sidl_String_strdup(pretended_type.empty() ? sidl_object_type(handle(self).target)->name
                                                   : pretended_type.c_str());
}

sidl_rmi_Invocation__object* create_invocation(rt_LoopHandle__object* self, const char* method,
                                               int64_t digest, Ex ex) {
  rt_Pipe__object* const pipe = rt_Pipe__create(ex);
  Message& m = message(pipe);
  m.target = sidl_cast(handle(self).target, &sidl_BaseInterface__info, ex);
  m.method = method;
  m.digest = static_cast<uint64_t>(digest);
  return static_cast<sidl_rmi_Invocation__object*>(
      sidl_cast_borrowed(pipe, &sidl_rmi_Invocation__info));
}

sidl_bool close_handle(rt_LoopHandle__object*, Ex ex) {
  *ex = nullptr;
  return TRUE;
}

// ---- server -----------------------------------------------------------------------------------

char* server_url(rt_LoopServer__object*, const char* id, Ex ex) {
  *ex = nullptr;
  return sidl_String_concat2("loop://here/", id);
}

char* server_local(rt_LoopServer__object*, const char* url, Ex ex) {
  *ex = nullptr;
  return sidl_String_strdup(std::strncmp(url, "loop://here/", 12) == 0 ? url + 12 : "");
}

template <class Data, class Object>
void construct(void* self, Ex ex) {
  *ex = nullptr;
  static_cast<Object*>(self)->d_data = new Data;
}

template <class Data, class Object>
void destruct(void* self, Ex ex) {
  *ex = nullptr;
  delete static_cast<Data*>(static_cast<Object*>(self)->d_data);
}

void fill_serializer(rt_Pipe__epv& epv) {
  epv.f_packBool = pack_integer<sidl_bool>;
  epv.f_packChar = pack_integer<char>;
  epv.f_packInt = pack_integer<int32_t>;
  epv.f_packLong = pack_integer<int64_t>;
  epv.f_packFloat = pack_real<float>;
  epv.f_packDouble = pack_real<double>;
  epv.f_packFcomplex = pack_complex<sidl_fcomplex>;
  epv.f_packDcomplex = pack_complex<sidl_dcomplex>;
  epv.f_packString = pack_string;
  epv.f_packBoolArray = pack_array<sidl_bool__array>;
  epv.f_packCharArray = pack_array<sidl_char__array>;
  epv.f_packIntArray = pack_array<sidl_int__array>;
  epv.f_packLongArray = pack_array<sidl_long__array>;
  epv.f_packFloatArray = pack_array<sidl_float__array>;
  epv.f_packDoubleArray = pack_array<sidl_double__array>;
  epv.f_packFcomplexArray = pack_array<sidl_fcomplex__array>;
  epv.f_packDcomplexArray = pack_array<sidl_dcomplex__array>;
  epv.f_packStringArray = pack_array<sidl_string__array>;
  epv.f_packObject = pack_object;
  epv.f_packSerializable = pack_serializable;
  epv.f_packOpaque = pack_opaque;
  epv.f_packOpaqueArray = pack_opaques;
  epv.f_packSerializableArray = pack_values;
  epv.f_packGenericArray = pack_any;
}

void fill_deserializer(rt_Pipe__epv& epv) {
  epv.f_unpackBool = unpack_integer<sidl_bool>;
  epv.f_unpackChar = unpack_integer<char>;
  epv.f_unpackInt = unpack_integer<int32_t>;
  epv.f_unpackLong = unpack_integer<int64_t>;
  epv.f_unpackFloat = unpack_real<float>;
  epv.f_unpackDouble = unpack_real<double>;
  epv.f_unpackFcomplex = unpack_complex<sidl_fcomplex>;
  epv.f_unpackDcomplex = unpack_complex<sidl_dcomplex>;
  epv.f_unpackString = unpack_string;
  epv.f_unpackBoolArray = unpack_array<sidl_bool__array>;
  epv.f_unpackCharArray = unpack_array<sidl_char__array>;
  epv.f_unpackIntArray = unpack_array<sidl_int__array>;
  epv.f_unpackLongArray = unpack_array<sidl_long__array>;
  epv.f_unpackFloatArray = unpack_array<sidl_float__array>;
  epv.f_unpackDoubleArray = unpack_array<sidl_double__array>;
  epv.f_unpackFcomplexArray = unpack_array<sidl_fcomplex__array>;
  epv.f_unpackDcomplexArray = unpack_array<sidl_dcomplex__array>;
  epv.f_unpackStringArray = unpack_array<sidl_string__array>;
  epv.f_unpackObject = unpack_object;
  epv.f_unpackSerializable = unpack_serializable;
  epv.f_unpackOpaque = unpack_opaque;
  epv.f_unpackOpaqueArray = unpack_opaques;
  epv.f_unpackSerializableArray = unpack_values;
  epv.f_unpackGenericArray = unpack_any;
}

}  // namespace

sidl_class* rt_Pipe__class(void) {
  static rt_Pipe__epv epv{};
  static sidl_class result = [] {
    fill_serializer(epv);
    fill_deserializer(epv);
    epv.f_setDeadline = set_deadline;
    epv.f_invokeMethod = invoke;
    epv.f_invokeNonblocking = invoke_nonblocking;
    epv.f_invokeOneWay = invoke_oneway;
    epv.f_getExceptionThrown = exception_thrown;
    epv.f_throwException = throw_exception;
    sidl_class c = rt::make_class(&rt_Pipe__info, &epv);
    c.ctor = construct<Message, rt_Pipe__object>;
    c.dtor = destruct<Message, rt_Pipe__object>;
    return c;
  }();
  return &result;
}

sidl_class* rt_LoopHandle__class(void) {
  static rt_LoopHandle__epv epv{};
  static sidl_class result = [] {
    epv.f_initCreate = init_create;
    epv.f_initConnect = init_connect;
    epv.f_getProtocol = get_protocol;
    epv.f_getObjectID = get_url;
    epv.f_getObjectURL = get_url;
    epv.f_getTypeName = get_type_name;
    epv.f_createInvocation = create_invocation;
    epv.f_close = close_handle;
    sidl_class c = rt::make_class(&rt_LoopHandle__info, &epv);
    c.ctor = construct<Handle, rt_LoopHandle__object>;
    c.dtor = destruct<Handle, rt_LoopHandle__object>;
    return c;
  }();
  return &result;
}

sidl_class* rt_LoopServer__class(void) {
  static rt_LoopServer__epv epv{};
  static sidl_class result = [] {
    epv.f_getServerURL = server_url;
    epv.f_isLocalObject = server_local;
    return rt::make_class(&rt_LoopServer__info, &epv);
  }();
  return &result;
}

namespace rt {

void loop_start() {
  Exception ex = nullptr;
  sidl_rmi_ProtocolFactory_addProtocol("loop", "rt.LoopHandle", &ex);
  EXPECT_TRUE(ok(ex));
  sidl_rmi_ExportRegistry_exportClass("rt.Worker", &ex);
  EXPECT_TRUE(ok(ex));
  sidl_rmi_ExportRegistry_exportClass("rt.Derived", &ex);
  EXPECT_TRUE(ok(ex));
}

char* loop_url(void* object) {
  char url[64];
  std::snprintf(url, sizeof url, "loop://%p",
                static_cast<sidl_BaseInterface__object*>(object)->d_object);
  return sidl_String_strdup(url);
}

int64_t loop_deadline() {
  return last_deadline;
}

int loop_messages() {
  return messages;
}

void loop_pretend_type(const char* name) {
  pretended_type = name == nullptr ? "" : name;
}

}  // namespace rt
