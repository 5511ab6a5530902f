/**
 * sidl_impl.hxx: support for classes implemented in C++.
 */
#ifndef included_sidl_impl_hxx
#define included_sidl_impl_hxx

#include <exception>

#include "sidl_NotImplementedException.hxx"
#include "sidl_cxx.hxx"

namespace sidl {

/**
 * The body of a method not implemented yet. Takes the arguments to avoid warnings about unused
 * ones.
 */
template <class... Unused>
[[noreturn]] void not_implemented(const char* file, int32_t line, const char* method,
                                  const Unused&...) {
  NotImplementedException ex = NotImplementedException::_create();
  ex.setNote(::std::string("not implemented: ") + method);
  ex.add(file, line, method);
  throw ex;
}

/** For a hook that does nothing yet. */
template <class... Unused>
void unused(const Unused&...) noexcept {}

/**
 * Ends the SIDL object of an Impl that its user created: later calls throw. An Impl that is a base
 * of another one has no object of its own.
 */
template <class Impl>
void end_object(Impl& impl) noexcept {
  typename Impl::ior_t* const ior = impl._get_ior();
  if (!ior || ior->d_data != &impl) return;
  ior->d_data = nullptr;
  sidl_end(ior);
}

/** The same for one that is being destroyed. */
template <class Impl>
void unwrap(Impl& impl) noexcept {
  if (!impl._isWrapped()) return;
  try {
    impl._dtor();
  } catch (...) {
    // A destructor has no caller who could handle it.
  }
  end_object(impl);
}

/** The same for one whose constructor throws, when others may have references to the object. */
template <class Impl>
class construction {
 public:
  explicit construction(Impl& impl) noexcept : d_impl(impl) {}
  construction(const construction&) = delete;
  construction& operator=(const construction&) = delete;

  ~construction() {
    if (::std::uncaught_exceptions() > d_thrown) end_object(d_impl);
  }

 private:
  Impl& d_impl;
  const int d_thrown = ::std::uncaught_exceptions();
};

}  // namespace sidl

#endif
