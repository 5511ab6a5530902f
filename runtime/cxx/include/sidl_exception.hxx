/**
 * sidl_exception.hxx: SIDL exceptions thrown as C++ exceptions.
 *
 * Included by every generated stub, after its classes and before the bodies of its methods.
 */
#ifndef included_sidl_exception_hxx
#define included_sidl_exception_hxx

#include <stdexcept>

#include "sidl_BaseException.hxx"
#include "sidl_RuntimeException.hxx"
#include "sidl_cxx.hxx"
#include "sidl_rmi_Call.hxx"
#include "sidl_rmi_Return.hxx"

namespace sidl {

template <class First, class... Rest>
[[noreturn]] void throw_as(struct sidl_BaseInterface__object* ex) {
  if (void* const ior = sidl_cast_borrowed(ex, First::_type_info())) {
    throw First(static_cast<typename First::ior_t*>(ior));
  }
  if constexpr (sizeof...(Rest) > 0) {
    throw_as<Rest...>(ex);
  } else {
    delete_ref(ex);
    throw ::std::runtime_error("a method threw an object that is no sidl.BaseException");
  }
}

template <class... Declared>
[[noreturn, gnu::noinline, gnu::cold]] void throw_exception(struct sidl_BaseInterface__object* ex) {
  throw_as<Declared..., ::sidl::RuntimeException, ::sidl::BaseException>(ex);
}

inline void StubBase::_exec(const ::std::string& method, const ::sidl::rmi::Call& arguments,
                            const ::sidl::rmi::Return& results) const {
  exception_slot ex;
  sidl_exec(_required_self(), method.c_str(), arguments._get_ior(), results._get_ior(), ex.ptr());
  ex.check<>();
}

}  // namespace sidl

#endif
