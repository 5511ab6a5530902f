/**
 * sidl_protocol.hxx: sidl_protocol.h for protocols written in C++. Errors are C++ exceptions,
 * references are handles.
 */
#ifndef included_sidl_protocol_hxx
#define included_sidl_protocol_hxx

#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "sidl_BaseException.hxx"
#include "sidl_BaseInterface.hxx"
#include "sidl_array.hxx"
#include "sidl_io_Deserializer.hxx"
#include "sidl_io_Serializable.hxx"
#include "sidl_marshal.h"
#include "sidl_protocol.h"
#include "sidl_rmi_Call.hxx"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidl_rmi_NetworkException.hxx"
#include "sidl_rmi_ProtocolException.hxx"
#include "sidl_rmi_Return.hxx"

namespace sidl {
namespace protocol {

/** Throws an exception of class `Exception`, a sidl.rmi.NetworkException. */
template <class Exception>
[[noreturn]] void fail(const ::std::string& note,
                       ::sidl::rmi::RequestFate fate = ::sidl::rmi::RequestFate_notSent,
                       int32_t err = 0) {
  exception_slot ex;
  sidl_rmi_throw(Exception::_type_info(), note.c_str(), err, static_cast<int64_t>(fate), __FILE__,
                 __LINE__, Exception::type_name(), ex.ptr());
  ex.check<Exception>();
  throw ::std::bad_alloc();
}

/** The Impl of an object whose class is implemented in C++, in this library. */
template <class Impl, class Handle>
Impl& impl_of(const Handle& object) {
  return *static_cast<Impl*>(object._get_ior()->d_data);
}

/** The object as a `Handle`, if it is one and lives in this process; else nil. */
template <class Handle>
Handle local(const StubBase& object) {
  if (object._is_nil() || object._isRemote()) return Handle();
  return babel_cast<Handle>(object);
}

// ---- remote objects ----------------------------------------------------------------------------

/** The handle behind a proxy; nil if the object lives in this process. */
inline ::sidl::rmi::InstanceHandle handle_of(const StubBase& object) {
  struct sidl_rmi_InstanceHandle__object* const handle = sidl_proxy_handle(object._get_self());
  if (handle) add_ref(handle);
  return ::sidl::rmi::InstanceHandle(handle);
}

/** A proxy for the object behind a handle. */
inline BaseInterface make_proxy(const ::sidl::rmi::InstanceHandle& handle) {
  exception_slot ex;
  void* const proxy = sidl_proxy_create(handle._get_ior(), nullptr, ex.ptr());
  ex.check<>();
  return BaseInterface(as_base(proxy));
}

/** Name of the class of a local object. */
inline ::std::string class_name(const StubBase& object) {
  return sidl_object_type(object._get_self())->name;
}

/** Runs a call of a peer (sidl_rmi_dispatch). */
inline void dispatch(const StubBase& object, const ::std::string& method, int64_t digest,
                     const ::sidl::rmi::Call& call, const ::sidl::rmi::Return& ret) {
  exception_slot ex;
  sidl_rmi_dispatch(object._get_self(), method.c_str(), static_cast<uint64_t>(digest),
                    call._get_ior(), ret._get_ior(), ex.ptr());
  ex.check<>();
}

/** The deadline for creating an object or attaching to one (sidl_deadline_of_request); 0: none. */
inline ::std::chrono::milliseconds deadline_of_request() {
  exception_slot ex;
  const ::std::chrono::milliseconds time(sidl_deadline_of_request(ex.ptr()));
  ex.check<>();
  return time;
}

/** Lends an object to a peer (sidl_rmi_lend); returns its id. */
inline ::std::string lend(const StubBase& object) {
  exception_slot ex;
  const c_string id(sidl_rmi_lend(object._get_self(), ex.ptr()));
  ex.check<>();
  return to_string(id.get());
}

// ---- arrays ------------------------------------------------------------------------------------

/**
 * A new array with the bounds in a message. Throws if they do not match `count`, the elements that
 * the message contains, so that no memory is allocated for missing elements.
 */
template <class T>
array<T> make_array(const ::std::vector<int64_t>& lower, const ::std::vector<int64_t>& upper,
                    array_ordering ordering, uint64_t count) {
  bool is_sound = !lower.empty() && lower.size() <= 7 && upper.size() == lower.size();
  bool is_empty = false;
  uint64_t claimed = 1;  // stops growing above count
  for (::std::size_t i = 0; i < lower.size() && is_sound; ++i) {
    const int64_t length = sidl_array_extent(lower[i], upper[i]);
    is_sound = length >= 0;
    if (!is_sound) break;
    is_empty = is_empty || length == 0;
    if (length == 0) continue;
    const uint64_t factor = static_cast<uint64_t>(length);
    claimed = claimed > count / factor ? count + 1 : claimed * factor;
  }
  if (is_empty) claimed = 0;
  if (!is_sound || claimed != count) {
    fail<::sidl::rmi::ProtocolException>("an array whose bounds do not fit its " +
                                         ::std::to_string(count) + " elements");
  }
  const auto dimension = static_cast<int32_t>(lower.size());
  return ordering == column_major_order
             ? array<T>::createCol(dimension, lower.data(), upper.data())
             : array<T>::createRow(dimension, lower.data(), upper.data());
}

// ---- values that a Serializer packs by its other methods (sidl_marshal.h) ----------------------

/** Packs null; throws for another pointer, which has no meaning in another process. */
inline void pack_opaque(const StubBase& to, const ::std::string& key, void* value) {
  exception_slot ex;
  sidl_serializer_pack_opaque(to._get_self(), key.c_str(), value, ex.ptr());
  ex.check<>();
}

inline void pack_opaque_array(const StubBase& to, const ::std::string& key,
                              const array<void*>& value) {
  exception_slot ex;
  sidl_serializer_pack_opaques(to._get_self(), key.c_str(), value._get_ior(), ex.ptr());
  ex.check<>();
}

inline void pack_serializable_array(const StubBase& to, const ::std::string& key,
                                    const array<::sidl::io::Serializable>& value) {
  exception_slot ex;
  sidl_serializer_pack_values(to._get_self(), key.c_str(), value._get_ior(), ex.ptr());
  ex.check<>();
}

inline void pack_generic_array(const StubBase& to, const ::std::string& key, const basearray& value,
                               bool reuse) {
  exception_slot ex;
  sidl_serializer_pack_any(to._get_self(), key.c_str(), value._get_ior(), reuse, ex.ptr());
  ex.check<>();
}

/** Null, or an exception: the peer has sent something else. */
inline void* unpack_opaque(const StubBase& from, const ::std::string& key) {
  exception_slot ex;
  void* const value = sidl_deserializer_unpack_opaque(from._get_self(), key.c_str(), ex.ptr());
  ex.check<>();
  return value;
}

inline array<void*> unpack_opaque_array(const StubBase& from, const ::std::string& key,
                                        int32_t ordering) {
  exception_slot ex;
  const array<void*> value(
      sidl_deserializer_unpack_opaques(from._get_self(), key.c_str(), ordering, ex.ptr()));
  ex.check<>();
  return value;
}

inline array<::sidl::io::Serializable> unpack_serializable_array(const StubBase& from,
                                                                 const ::std::string& key,
                                                                 int32_t ordering) {
  exception_slot ex;
  const array<::sidl::io::Serializable> value(
      sidl_deserializer_unpack_values(from._get_self(), key.c_str(), ordering, ex.ptr()));
  ex.check<>();
  return value;
}

inline basearray unpack_generic_array(const StubBase& from, const ::std::string& key) {
  exception_slot ex;
  const basearray value(sidl_deserializer_unpack_any(from._get_self(), key.c_str(), ex.ptr()));
  ex.check<>();
  return value;
}

// ---- objects by value --------------------------------------------------------------------------

/** Names of an object's class and its parent classes, nearest first, to be sent with it. */
inline ::std::vector<::std::string> class_names(const StubBase& object) {
  const ::std::unique_ptr<const char*[], void (*)(void*)> chain(
      sidl_class_chain(object._get_self()), [](void* memory) { ::std::free(memory); });
  if (!chain) throw ::std::bad_alloc();
  ::std::vector<::std::string> names;
  for (const char* const* name = chain.get(); *name; ++name) names.emplace_back(*name);
  return names;
}

/** Explains why an object of this class cannot be made here, and what to do. */
inline ::std::string unknown_value(const ::std::string& name) {
  return "an object of class " + name +
         " came by value, but this process has neither it nor any of its parents; nothing is "
         "loaded "
         "because a peer names it: link the library that implements it, or load it before (sidl "
         "serve and sidl call: --lib LIBRARY; sidl serve: --export " +
         name + "=LIBRARY)";
}

/**
 * An object of the first of these classes known in this process, with the state its unpackObj reads
 * from `state`; what is left there belongs to unknown subclasses. No library is loaded because a
 * peer named a class.
 */
inline ::sidl::io::Serializable make_value(const ::std::vector<::std::string>& names,
                                           const ::sidl::io::Deserializer& state) {
  for (const ::std::string& name : names) {
    exception_slot ex;
    ::sidl::io::Serializable value(sidl_value_by_name(name.c_str(), ex.ptr()));
    ex.check<>();
    if (value._is_nil()) continue;
    value.unpackObj(state);
    const BaseException exception = babel_cast<BaseException>(value);
    if (exception._not_nil() && name != names[0]) exception.add("(was a " + names[0] + ")");
    return value;
  }
  fail<::sidl::rmi::ProtocolException>(unknown_value(names.empty() ? "?" : names[0]));
}

}  // namespace protocol
}  // namespace sidl

#endif
