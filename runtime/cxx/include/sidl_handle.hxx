/**
 * sidl_handle.hxx: base classes of generated handle classes.
 *
 * `handle` is for interfaces and abstract classes, `class_handle` for concrete classes,
 * `exception_handle` for exceptions. `Self` is the generated class, `Ior` its C type, and `Sepv`
 * the table of its static methods, or void. They have no virtual bases, which would double the size
 * of vtables; as a handle also inherits these bases of its ancestors, each class selects its own
 * with `using`.
 */
#ifndef included_sidl_handle_hxx
#define included_sidl_handle_hxx

#include "sidl_cxx.hxx"

namespace sidl {

/** A handle's object as the C type of one class of the hierarchy, found when first needed. */
template <class Ior>
class ior_cache {
 public:
  ior_cache() noexcept = default;
  explicit ior_cache(Ior* ior) noexcept : d_ior(ior) {}
  ior_cache& operator=(Ior* ior) noexcept {
    d_ior.store(ior, ::std::memory_order_relaxed);
    return *this;
  }

  /** The object of `handle`, which must not be nil: what method calls use. */
  template <class Handle>
  Ior* of(const Handle& handle) const {
    if constexpr (::std::is_same<Ior, struct sidl_BaseInterface__object>::value) {
      // The methods of every object have the same slots in all views of it.
      Ior* const self = as_base(handle._get_self());
      return __builtin_expect(self != nullptr, 1) ? self : require(handle);
    }
    Ior* const ior = d_ior.load(::std::memory_order_relaxed);
    return __builtin_expect(ior != nullptr, 1) ? ior : require(handle);
  }

  /** The object of `handle`, or NULL. */
  template <class Handle>
  Ior* get(const Handle& handle) const noexcept {
    Ior* const ior = d_ior.load(::std::memory_order_relaxed);
    return __builtin_expect(ior != nullptr, 1) ? ior : find(handle);
  }

 private:
  template <class Handle>
  Ior* find(const Handle& handle) const noexcept {
    void* const self = handle._get_self();
    if (!self) return nullptr;
    Ior* const ior = static_cast<Ior*>(sidl_cast_borrowed(self, Handle::_type_info()));
    d_ior.store(ior, ::std::memory_order_relaxed);
    return ior;
  }

  template <class Handle>
  [[gnu::noinline, gnu::cold]] Ior* require(const Handle& handle) const {
    Ior* const ior = find(handle);
    if (!ior) throw NullIORException(Handle::type_name());
    return ior;
  }

  mutable ::std::atomic<Ior*> d_ior{nullptr};
};

// ---- creating and casting objects ---------------------------------------------------------------

template <class Handle>
Handle create() {
  exception_slot ex;
  void* const ior = sidl_create(Handle::_type_info(), ex.ptr());
  ex.check<>();
  return Handle(static_cast<typename Handle::ior_t*>(ior));
}

/** A new exception whose trace begins at `where`. */
template <class Handle>
Handle create_exception(const place& where) {
  Handle result = create<Handle>();
  add_trace(as_base(result._get_self()), where.file, where.line, where.function);
  return result;
}

template <class Handle>
Handle create_remote(const ::std::string& url) {
  exception_slot ex;
  void* const ior = sidl_create_remote(Handle::_type_info(), url.c_str(), ex.ptr());
  ex.check<>();
  return Handle(static_cast<typename Handle::ior_t*>(ior));
}

template <class Handle>
Handle connect(const ::std::string& url, bool add_ref = true) {
  exception_slot ex;
  void* const ior = sidl_connect_counted(Handle::_type_info(), url.c_str(), add_ref, ex.ptr());
  ex.check<>();
  return Handle(static_cast<typename Handle::ior_t*>(ior));
}

/** An object around existing Impl data, with a reference for the caller. */
template <class Handle>
typename Handle::ior_t* wrap(void* data) {
  exception_slot ex;
  void* const ior = sidl_wrap(Handle::_type_info(), data, ex.ptr());
  ex.check<>();
  return static_cast<typename Handle::ior_t*>(ior);
}

/** Any object as the type of `Handle`, with a new reference; NULL if it is not of that type. */
template <class Handle>
typename Handle::ior_t* cast(const void* object) {
  exception_slot ex;
  void* const ior = sidl_cast(const_cast<void*>(object), Handle::_type_info(), ex.ptr());
  ex.check<>();
  return static_cast<typename Handle::ior_t*>(ior);
}

/** The static methods of a class. */
template <class Handle>
const typename Handle::sepv_t* static_epv() {
  exception_slot ex;
  const void* const epv = sidl_static_epv(Handle::_type_info(), ex.ptr());
  ex.check<>();
  return static_cast<const typename Handle::sepv_t*>(epv);
}

/** Defined in sidl_exception.hxx. */
template <class Handle>
void static_exec(const ::std::string& method, const ::sidl::rmi::Call& arguments,
                 const ::sidl::rmi::Return& results);

/** The object of `from` as a `Target`; nil if it is not one. */
template <class Target>
Target babel_cast(const StubBase& from) {
  return Target(cast<Target>(from._get_self()));
}

// ---- the bases ---------------------------------------------------------------------------------

template <class Self, class Ior, class Sepv = void>
class handle;

template <class Self, class Ior>
class handle<Self, Ior, void> {
 public:
  typedef Ior ior_t;
  typedef void sepv_t;

  /** Attaches to the existing object `url`; without `ar` the URL came with a reference. */
  static Self _connect(const ::std::string& url, bool ar = true) {
    return ::sidl::connect<Self>(url, ar);
  }

  /** Casts any object to `Self`, with a new reference; NULL if it is not one. */
  static Ior* _cast(const void* object) { return ::sidl::cast<Self>(object); }

  /** The name of the type in SIDL. */
  static const char* type_name() noexcept { return Self::_type_info()->name; }

  Ior* _get_ior() const noexcept { return d_ior.get(static_cast<const Self&>(*this)); }

  /** Takes over a reference; drops the one the handle had. */
  void _set_ior(Ior* ior) noexcept {
    static_cast<StubBase&>(static_cast<Self&>(*this))._reset(ior);
    d_ior = ior;
  }

 protected:
  handle() noexcept = default;
  explicit handle(Ior* ior) noexcept : d_ior(ior) {}

  /** Implements assignment. */
  Self& _assign(Self& other) noexcept {
    _set_ior(::sidl::release(other));
    return static_cast<Self&>(*this);
  }

  ior_cache<Ior> d_ior;
};

/** The same for types with static methods. */
template <class Self, class Ior, class Sepv>
class handle : public handle<Self, Ior> {
 public:
  typedef Sepv sepv_t;

  /** Calls a static method by its long name, with packed arguments. */
  static void _sexec(const ::std::string& method, const ::sidl::rmi::Call& arguments,
                     const ::sidl::rmi::Return& results) {
    ::sidl::static_exec<Self>(method, arguments, results);
  }

  /** As _set_hooks, _set_contracts and _dump_stats, for the static methods. */
  static void _set_hooks_static(bool enable) {
    exception_slot ex;
    sidl_set_hooks_static(Self::_type_info(), enable, ex.ptr());
    ex.check<>();
  }
  static void _set_contracts_static(bool enable, const ::std::string& file, bool reset) {
    exception_slot ex;
    sidl_set_contracts_static(Self::_type_info(), enable, file.c_str(), reset, ex.ptr());
    ex.check<>();
  }
  static void _dump_stats_static(const ::std::string& file, const ::std::string& prefix) {
    exception_slot ex;
    sidl_dump_stats_static(Self::_type_info(), file.c_str(), prefix.c_str(), ex.ptr());
    ex.check<>();
  }

 protected:
  handle() noexcept = default;
  explicit handle(Ior* ior) noexcept : handle<Self, Ior>(ior) {}

  static const Sepv* _get_sepv() {
    static const Sepv* const sepv = static_epv<Self>();
    return sepv;
  }
};

template <class Self, class Ior, class Sepv = void>
class class_handle : public handle<Self, Ior, Sepv> {
 public:
  /** Creates an object, in this process or on the server `url`. */
  static Self _create() { return ::sidl::create<Self>(); }
  static Self _create(const ::std::string& url) { return ::sidl::create_remote<Self>(url); }

  /** An object around existing Impl data. */
  static Ior* _wrapObj(void* data) { return ::sidl::wrap<Self>(data); }

 protected:
  class_handle() noexcept = default;
  explicit class_handle(Ior* ior) noexcept : handle<Self, Ior, Sepv>(ior) {}
};

template <class Self, class Ior, class Sepv = void>
class exception_handle : public handle<Self, Ior, Sepv> {
 public:
  /** Creates an exception, whose trace begins at the caller. */
  static Self _create(place where = place::here()) { return ::sidl::create_exception<Self>(where); }

  /** Creates an object on the server `url`. */
  static Self _create(const ::std::string& url) { return ::sidl::create_remote<Self>(url); }

  /** An object around existing Impl data. */
  static Ior* _wrapObj(void* data) { return ::sidl::wrap<Self>(data); }

 protected:
  exception_handle() noexcept = default;
  explicit exception_handle(Ior* ior) noexcept : handle<Self, Ior, Sepv>(ior) {}
};

}  // namespace sidl

using ::sidl::babel_cast;

#endif
