/**
 * sidl_skel.hxx: what stands between the IOR and a class implemented in C++.
 *
 * Included by generated skels only. No C++ exception gets past the functions here and those of the
 * skels that use them: it would have to cross frames of C.
 */
#ifndef included_sidl_skel_hxx
#define included_sidl_skel_hxx

#include <cxxabi.h>

#include <typeinfo>

#include "sidl_LangSpecificException_IOR.h"
#include "sidl_MemAllocException_IOR.h"
#include "sidl_arg.hxx"
#include "sidl_exception.hxx"

namespace sidl {

/** Makes an exception of a SIDL class; if that fails, the exception that says why. */
inline struct sidl_BaseInterface__object* make_exception(const struct sidl_type_info* type,
                                                         const char* note) noexcept {
  struct sidl_BaseInterface__object* failure = nullptr;
  void* const object = sidl_create(type, &failure);
  if (!object) return failure;
  auto* const ior = static_cast<struct sidl_BaseException__object*>(
      sidl_cast_borrowed(object, &sidl_BaseException__info));
  ior->d_epv->f_setNote(ior->d_object, note, &failure);
  drop_exception(failure);
  return as_base(object);
}

/** Adds a place to the trace of an exception. */
inline void add_trace(struct sidl_BaseInterface__object* ex, const char* file, int32_t line,
                      const char* method) noexcept {
  auto* const ior = static_cast<struct sidl_BaseException__object*>(
      sidl_cast_borrowed(ex, &sidl_BaseException__info));
  if (!ior) return;
  struct sidl_BaseInterface__object* failure = nullptr;
  ior->d_epv->f_add(ior->d_object, file, line, method, &failure);
  drop_exception(failure);
}

/** For an exception that says nothing about itself: its type does. */
inline struct sidl_BaseInterface__object* make_exception_of_type() noexcept {
  const ::std::type_info* const type = ::abi::__cxa_current_exception_type();
  const c_string name(type ? ::abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr)
                           : nullptr);
  const c_string note(sidl_String_concat2("C++ exception of type ", name ? name.get() : "unknown"));
  return make_exception(&sidl_LangSpecificException__info, note ? note.get() : "C++ exception");
}

/** The C++ exception being handled as a SIDL exception, with a reference for the caller. */
inline struct sidl_BaseInterface__object* current_exception() noexcept {
  try {
    throw;
  } catch (const ExceptionBase& ex) {
    if (ex._not_nil()) {
      add_ref(ex._get_self());
      return as_base(ex._get_self());
    }
    return make_exception(&sidl_LangSpecificException__info, "nil exception");
  } catch (const ::std::bad_alloc& ex) {
    return make_exception(&sidl_MemAllocException__info, ex.what());
  } catch (const ::std::exception& ex) {
    return make_exception(&sidl_LangSpecificException__info, ex.what());
  } catch (const char* text) {
    return make_exception(&sidl_LangSpecificException__info, text);
  } catch (...) {
    return make_exception_of_type();
  }
}

/** In a handler: leaves the C++ exception being handled where C code looks for it. */
[[gnu::noinline, gnu::cold]] inline void set_exception(struct sidl_BaseInterface__object** ex,
                                                       const char* file, int32_t line,
                                                       const char* method) noexcept {
  *ex = current_exception();
  add_trace(*ex, file, line, method);
}

/** The Impl object of an IOR object; `Impl` says on which level of the hierarchy. */
template <class Impl>
Impl* get_impl(const void* self) noexcept {
  return static_cast<Impl*>(static_cast<const typename Impl::ior_t*>(self)->d_data);
}

/** The functions of a class that libsidl calls. */
template <class Impl>
struct skeleton {
  typedef typename Impl::ior_t ior_t;
  typedef struct sidl_BaseInterface__object** ex_t;

  static void load(ex_t ex) noexcept {
    guarded(ex, "._load", [] { Impl::_load(); });
  }

  /** Bytes for the Impl in its object's memory: one allocation instead of two. */
  static constexpr ::std::size_t impl_size = alignof(Impl) <= 16 ? sizeof(Impl) : 0;

  static void ctor(void* self, ex_t ex) noexcept {
    guarded(ex, "._ctor", [self] {
      ior_t* const ior = static_cast<ior_t*>(self);
      if constexpr (impl_size != 0) {
        ::new (ior->d_data) Impl(ior);
      } else {
        ior->d_data = new Impl(ior);
      }
    });
  }

  /** For objects around an Impl that exists: it belongs to whoever made it. */
  static void ctor2(void* self, void* data, ex_t ex) noexcept {
    *ex = nullptr;
    static_cast<ior_t*>(self)->d_data = data;
  }

  static void dtor(void* self, ex_t ex) noexcept {
    guarded(ex, "._dtor", [self] {
      Impl* const impl = get_impl<Impl>(self);
      if (!impl || impl->_isWrapped()) return;
      const ::std::unique_ptr<Impl, destroy> owner(impl);
      impl->_dtor();
    });
  }

 private:
  struct destroy {
    void operator()(Impl* impl) const noexcept {
      if constexpr (impl_size != 0) {
        impl->Impl::~Impl();  // what the constructor made; no need to ask the object which it is
      } else {
        delete impl;
      }
    }
  };

  template <class Body>
  static void guarded(ex_t ex, const char* method, const Body& body) noexcept {
    *ex = nullptr;
    try {
      body();
    } catch (...) {
      const c_string name(sidl_String_concat2(Impl::type_name(), method));
      set_exception(ex, nullptr, 0, name ? name.get() : method);
    }
  }
};

/** What <Type>__class() returns. A constant expression: no order of initialisation to mind. */
template <class Impl>
constexpr struct sidl_class make_class(void* epv, const void* static_epv) noexcept {
  struct sidl_class result = {};
  result.ior_major = SIDL_IOR_MAJOR_VERSION;
  result.ior_minor = SIDL_IOR_MINOR_VERSION;
  result.info = Impl::_type_info();
  result.epv = epv;
  result.static_epv = static_epv;
  result.load = &skeleton<Impl>::load;
  result.ctor = &skeleton<Impl>::ctor;
  result.ctor2 = &skeleton<Impl>::ctor2;
  result.dtor = &skeleton<Impl>::dtor;
  result.impl_size = skeleton<Impl>::impl_size;
  return result;
}

/** The EPV of the parent class's implementation: what `super` calls. */
template <class Impl, class Epv>
const Epv* super_epv() {
  exception_slot ex;
  const void* const epv = sidl_super_epv(Impl::_type_info(), ex.ptr());
  ex.check<>();
  return static_cast<const Epv*>(epv);
}

}  // namespace sidl

#endif
