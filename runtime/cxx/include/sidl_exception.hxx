/**
 * sidl_exception.hxx: SIDL exceptions thrown as C++ exceptions.
 *
 * Included by every generated stub, after its classes and before the bodies of its methods.
 */
#ifndef included_sidl_exception_hxx
#define included_sidl_exception_hxx

#include <stdexcept>

#include "sidl_BaseException.hxx"
#include "sidl_BaseInterface.hxx"
#include "sidl_ClassInfo.hxx"
#include "sidl_RuntimeException.hxx"
#include "sidl_handle.hxx"
#include "sidl_protocol.h"
#include "sidl_rmi_Call.hxx"
#include "sidl_rmi_Return.hxx"

namespace sidl {

/** True if the handle of class `type` is derived from that of `as`, layouts included. */
inline bool is_a(const struct sidl_type_info* type, const struct sidl_type_info* as) noexcept {
  const auto is_it = [as](const struct sidl_type_info* t) {
    return t->id == as->id && t->layout == as->layout;
  };
  for (const struct sidl_type_info* t = type; t; t = t->parent) {
    if (is_it(t)) return true;
  }
  for (uint16_t i = 0; i < type->facet_count; ++i) {
    if (is_it(type->facets[i].type)) return true;
  }
  return false;
}

inline const known_exception* known_exception::find(struct sidl_BaseInterface__object* ex,
                                                    const struct sidl_type_info* type,
                                                    const struct sidl_type_info* wanted,
                                                    const void* library) {
  for (const preference by : {of_library, of_object, any}) {
    const known_exception* known = newest().load(::std::memory_order_acquire);
    for (; known; known = known->d_next) {
      if (known->d_type->id != type->id || !known->is_preferred(by, type, library)) continue;
      if (is_a(known->d_type, wanted) && sidl_cast_borrowed(ex, known->d_type)) return known;
    }
  }
  return nullptr;
}

inline void known_exception::raise(struct sidl_BaseInterface__object* ex,
                                   const struct sidl_type_info* wanted, const void* library) {
  const struct sidl_type_info* type = sidl_object_type(ex);
  for (; type && type->id != wanted->id; type = type->parent) {
    const known_exception* const known = find(ex, type, wanted, library);
    if (known) known->d_raise(ex);
  }
}

/** As throw_exception. Types that `ex` cannot be cast to because of another layout do not match. */
template <class First, class... Rest>
[[noreturn]] void throw_as(struct sidl_BaseInterface__object* ex, const void* library) {
  if (sidl_cast_borrowed(ex, First::_type_info())) {
    known_exception::raise(ex, First::_type_info(), library);
    raise_as<First>(ex);
  }
  if constexpr (sizeof...(Rest) > 0) {
    throw_as<Rest...>(ex, library);
  } else {
    delete_ref(ex);
    throw ::std::runtime_error("a method threw an object that is not a sidl.BaseException");
  }
}

template <class... Declared>
[[noreturn, gnu::noinline, gnu::cold]] void throw_exception(struct sidl_BaseInterface__object* ex) {
  throw_as<Declared..., ::sidl::RuntimeException, ::sidl::BaseException>(ex, &this_library);
}

inline void StubBase::_exec(const ::std::string& method, const ::sidl::rmi::Call& arguments,
                            const ::sidl::rmi::Return& results) const {
  exception_slot ex;
  sidl_exec(_required_self(), method.c_str(), arguments._get_ior(), results._get_ior(), ex.ptr());
  ex.check<>();
}

template <class Handle>
void static_exec(const ::std::string& method, const ::sidl::rmi::Call& arguments,
                 const ::sidl::rmi::Return& results) {
  exception_slot ex;
  sidl_static_exec(Handle::_type_info(), method.c_str(), arguments._get_ior(), results._get_ior(),
                   ex.ptr());
  ex.check<>();
}

}  // namespace sidl

#endif
