// protocols.cpp: sidl_protocol.h for protocols written in Python; see shinar/protocol.py.
#include <cstdlib>
#include <memory>

#include "core.hpp"
#include "sidl_String.h"
#include "sidl_header.h"
#include "sidl_io_Deserializer_IOR.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_io_Serializer_IOR.h"
#include "sidl_marshal.h"
#include "sidl_protocol.h"
#include "sidl_rmi_Call_IOR.h"
#include "sidl_rmi_InstanceHandle_IOR.h"
#include "sidl_rmi_Return_IOR.h"

namespace sidl_python {
namespace {

// An argument as `type`, during a call.
template <class Object>
class view_as {
 public:
  view_as(const py::object& object, const struct sidl_type_info* type)
      : object_(object.ptr(), "the argument"),
        view_(static_cast<Object*>(sidl_cast_borrowed(object_.ior(), type))) {
    if (!view_) throw py::type_error(std::string("the argument must be ") + type->name);
  }
  Object* get() const { return view_; }

 private:
  borrowed object_;
  Object* view_;
};

struct any_view : view_as<void> {
  explicit any_view(const py::object& object) : view_as(object, &sidl_BaseInterface__info) {}
};

py::object handle_behind(const py::object& object) {
  const any_view it(object);
  return wrap_borrowed(sidl_proxy_handle(it.get()), &sidl_rmi_InstanceHandle__info);
}

py::object make_proxy(const py::object& of) {
  const view_as<struct sidl_rmi_InstanceHandle__object> behind(of, &sidl_rmi_InstanceHandle__info);
  void* const proxy =
      without_lock([&](exception_slot ex) { return sidl_proxy_create(behind.get(), nullptr, ex); });
  return wrap(proxy, &sidl_BaseInterface__info);
}

py::list class_names(const py::object& object) {
  const any_view it(object);
  const std::unique_ptr<const char*[], void (*)(void*)> chain(sidl_class_chain(it.get()),
                                                              std::free);
  if (!chain) throw std::bad_alloc();
  py::list names;
  for (const char* const* name = chain.get(); *name; ++name) names.append(py::str(*name));
  return names;
}

void dispatch(const py::object& object, const std::string& method, int64_t digest,
              const py::object& call, const py::object& ret) {
  const any_view target(object);
  const view_as<struct sidl_rmi_Call__object> incoming(call, &sidl_rmi_Call__info);
  const view_as<struct sidl_rmi_Return__object> outgoing(ret, &sidl_rmi_Return__info);
  struct sidl_BaseInterface__object* ex = nullptr;
  {
    const released no_gil;
    sidl_rmi_dispatch(target.get(), method.c_str(), static_cast<uint64_t>(digest), incoming.get(),
                      outgoing.get(), &ex);
  }
  check(ex);
}

py::object value_by_name(const std::string& name) {
  struct sidl_BaseInterface__object* ex = nullptr;
  void* value = nullptr;
  {
    const released no_gil;
    value = sidl_value_by_name(name.c_str(), &ex);
  }
  check(ex);
  return wrap(value, &sidl_io_Serializable__info);
}

std::string lend(const py::object& object) {
  const any_view target(object);
  struct sidl_BaseInterface__object* ex = nullptr;
  char* id = nullptr;
  {
    const released no_gil;
    id = sidl_rmi_lend(target.get(), &ex);
  }
  check(ex);
  const std::string result = id;
  sidl_String_free(id);
  return result;
}

void take_back(const std::string& id, int64_t count) {
  const released no_gil;  // destructors may run
  sidl_rmi_take_back(id.c_str(), count);
}

// What a Serializer packs by its other methods (sidl_marshal.h), by the names of its methods.
struct packed_by_others {
  const char* name;  // of packNAME and unpackNAME
  struct sidl_type_ref type;
  void (*pack)(void* to, const char* key, void* value, sidl_bool reuse, exception_slot ex);
  void* (*unpack)(void* from, const char* key, int32_t ordering, exception_slot ex);
};

constexpr struct sidl_type_ref type_of(uint8_t kind, uint8_t element,
                                       const struct sidl_type_info* object = nullptr) {
  struct sidl_type_ref type = {};
  type.kind = kind;
  type.element = element;
  type.object = object;
  return type;
}

const packed_by_others kPackedByOthers[] = {
    {"Opaque", type_of(sidl_kind_opaque, 0),
     [](void* to, const char* key, void* value, sidl_bool, exception_slot ex) {
       sidl_serializer_pack_opaque(to, key, value, ex);
     },
     [](void* from, const char* key, int32_t, exception_slot ex) {
       return sidl_deserializer_unpack_opaque(from, key, ex);
     }},
    {"OpaqueArray", type_of(sidl_kind_array, sidl_kind_opaque),
     [](void* to, const char* key, void* value, sidl_bool, exception_slot ex) {
       sidl_serializer_pack_opaques(to, key, static_cast<struct sidl_opaque__array*>(value), ex);
     },
     [](void* from, const char* key, int32_t ordering, exception_slot ex) -> void* {
       return sidl_deserializer_unpack_opaques(from, key, ordering, ex);
     }},
    {"SerializableArray",
     type_of(sidl_kind_array, sidl_kind_interface, &sidl_io_Serializable__info),
     [](void* to, const char* key, void* value, sidl_bool, exception_slot ex) {
       sidl_serializer_pack_values(to, key, static_cast<struct sidl_interface__array*>(value), ex);
     },
     [](void* from, const char* key, int32_t ordering, exception_slot ex) -> void* {
       return sidl_deserializer_unpack_values(from, key, ordering, ex);
     }},
    {"GenericArray", type_of(sidl_kind_array, sidl_kind_void),
     [](void* to, const char* key, void* value, sidl_bool reuse, exception_slot ex) {
       sidl_serializer_pack_any(to, key, static_cast<struct sidl__array*>(value), reuse, ex);
     },
     [](void* from, const char* key, int32_t, exception_slot ex) -> void* {
       return sidl_deserializer_unpack_any(from, key, ex);
     }},
};

const packed_by_others& packed_as(const std::string& name) {
  for (const packed_by_others& each : kPackedByOthers) {
    if (name == each.name) return each;
  }
  throw py::key_error(name);
}

// How a given value is read. An array of pointers has no type of its own in Python: one that a
// Serializer gets as a generic array has come from SIDL, so that its unsigned numbers are pointers.
struct sidl_type_ref type_as_given(const packed_by_others& as, const py::object& given) {
  const bool is_generic = as.type.kind == sidl_kind_array && as.type.element == sidl_kind_void;
  const bool has_pointers = is_generic && py::isinstance<py::array>(given) &&
                            py::reinterpret_borrow<py::array>(given).dtype().kind() == 'u';
  return has_pointers ? type_of(sidl_kind_array, sidl_kind_opaque) : as.type;
}

// A value of such a type, which it owns.
class held_value {
 public:
  held_value(const struct sidl_type_ref& type, void* pointer) : type_(type), pointer_(pointer) {}
  ~held_value() { sidl_python::destroy(type_, &pointer_); }
  held_value(const held_value&) = delete;
  held_value& operator=(const held_value&) = delete;
  void*& pointer() { return pointer_; }

 private:
  const struct sidl_type_ref& type_;
  void* pointer_;
};

void pack_by_others(const std::string& name, const py::object& to, const std::string& key,
                    const py::object& given, bool reuse) {
  const packed_by_others& as = packed_as(name);
  const view_as<void> serializer(to, &sidl_io_Serializer__info);
  const struct sidl_type_ref type = type_as_given(as, given);
  held_value value(type, nullptr);
  load(given, type, nullptr, &value.pointer(), false, {nullptr, nullptr, key.c_str()});
  without_lock([&](exception_slot ex) {
    as.pack(serializer.get(), key.c_str(), value.pointer(), reuse ? TRUE : FALSE, ex);
  });
}

py::object unpack_by_others(const std::string& name, const py::object& from, const std::string& key,
                            int32_t ordering) {
  const packed_by_others& as = packed_as(name);
  const view_as<void> deserializer(from, &sidl_io_Deserializer__info);
  held_value value(as.type, without_lock([&](exception_slot ex) {
                     return as.unpack(deserializer.get(), key.c_str(), ordering, ex);
                   }));
  return take(as.type, nullptr, &value.pointer());
}

int64_t deadline_of_request() {
  struct sidl_BaseInterface__object* ex = nullptr;
  const int64_t milliseconds = sidl_deadline_of_request(&ex);
  check(ex);
  return milliseconds;
}

}  // namespace

void init_protocols(py::module_& module) {
  module.def("handle_behind", handle_behind);
  module.def("make_proxy", make_proxy);
  module.def("class_names", class_names);
  module.def("dispatch", dispatch);
  module.def("value_by_name", value_by_name);
  module.def("lend", lend);
  module.def("take_back", take_back);
  module.def("pack_by_others", pack_by_others);
  module.def("unpack_by_others", unpack_by_others);
  module.def("deadline_of_request", deadline_of_request);
  module.def("deadline_inherit", sidl_deadline_inherit);
  module.def("deadline_restore", sidl_deadline_restore);
}

}  // namespace sidl_python
