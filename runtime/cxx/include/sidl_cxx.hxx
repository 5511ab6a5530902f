/**
 * sidl_cxx.hxx: the basis of generated C++ handle classes.
 *
 * A handle is a counted smart pointer to an IOR object (sidl_ior.h). `StubBase` holds the object;
 * every class of the hierarchy adds an `ior_cache`, the object as the C type of that class, so that
 * a call is no more than a load of the IOR pointer, a load of the EPV and an indirect call.
 *
 * Different handles may be used by different threads at the same time, even for one object; const
 * use of one handle too. Assigning to a handle needs the same care as assigning to an int.
 */
#ifndef included_sidl_cxx_hxx
#define included_sidl_cxx_hxx

#if !defined(__cpp_exceptions)
#error \
    "SIDL exceptions are C++ exceptions: compile without -fno-exceptions, or call from C (sidlc --client=c)"
#endif

#include <atomic>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "babel_config.h"
#include "sidl_BaseException_IOR.h"
#include "sidl_BaseInterface_IOR.h"
#include "sidl_String.h"
#include "sidl_ior.h"

namespace sidl {

/** Elements are needed in host memory, but are elsewhere. Callers get a sidl.MemorySpaceException.
 */
class memory_space_error : public ::std::logic_error {
 public:
  using ::std::logic_error::logic_error;
};

class BaseException;
class RuntimeException;
namespace rmi {
class Call;
class Return;
}  // namespace rmi

typedef ::std::complex<float> fcomplex;
typedef ::std::complex<double> dcomplex;
typedef ::std::string string;
typedef void* opaque;

/** The C++ type of a SIDL type whose C type is C. */
template <class C>
struct cxx_type {
  typedef C type;
};
template <>
struct cxx_type<struct sidl_fcomplex> {
  typedef fcomplex type;
};
template <>
struct cxx_type<struct sidl_dcomplex> {
  typedef dcomplex type;
};
template <>
struct cxx_type<char*> {
  typedef ::std::string type;
};

/** The C++ type of a basic type, of which `Kind` is the enum sidl_kind. */
template <int Kind>
struct basic_type;
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) \
  template <>                                             \
  struct basic_type<kind> : cxx_type<ctype> {};
#define SIDL_BOOL(name, kind, array, ctype, Name, numpy) \
  template <>                                            \
  struct basic_type<kind> {                              \
    typedef bool type;                                   \
  };
#include "sidl_kinds.def"

/** A method was called on a handle that holds no object. */
class NullIORException : public ::std::exception {
 public:
  explicit NullIORException(const char* type) : d_what("call on a nil handle of ") {
    d_what += type;
  }
  const char* what() const noexcept override { return d_what.c_str(); }

 private:
  ::std::string d_what;
};

// ---- reference counts and strings --------------------------------------------------------------

/** Any class or interface pointer as a sidl.BaseInterface. */
inline struct sidl_BaseInterface__object* as_base(void* ior) noexcept {
  return static_cast<struct sidl_BaseInterface__object*>(ior);
}

inline void drop_exception(struct sidl_BaseInterface__object* ex) noexcept;

inline void add_ref(void* ior) noexcept {
  struct sidl_BaseInterface__object* ex = nullptr;
  as_base(ior)->d_epv->f_addRef(as_base(ior)->d_object, &ex);
  drop_exception(ex);
}

inline void delete_ref(void* ior) noexcept {
  struct sidl_BaseInterface__object* ex = nullptr;
  as_base(ior)->d_epv->f_deleteRef(as_base(ior)->d_object, &ex);
  drop_exception(ex);
}

/** For failures that cannot be handled, such as a lost connection when a reference is dropped. */
inline void drop_exception(struct sidl_BaseInterface__object* ex) noexcept {
  if (ex) delete_ref(ex);
}

struct string_free {
  void operator()(char* s) const noexcept { sidl_String_free(s); }
};

/** A C string that is freed at the end. */
typedef ::std::unique_ptr<char, string_free> c_string;

/** The text of a borrowed C string; the empty string for NULL. */
inline ::std::string to_string(const char* s) {
  return s ? ::std::string(s) : ::std::string();
}

/** A copy for C code, which frees it. */
inline char* to_c(const ::std::string& s) {
  char* const copy = sidl_String_alloc(s.size() + 1);
  if (!copy) throw ::std::bad_alloc();
  s.copy(copy, s.size());
  copy[s.size()] = '\0';
  return copy;
}

// ---- exceptions --------------------------------------------------------------------------------

/**
 * Throws the SIDL exception `ex`, whose reference it takes over, as the handle of the first type it
 * can be cast to: of those in `Declared` (most derived first), then sidl.RuntimeException, then
 * sidl.BaseException. Defined in sidl_exception.hxx. Hidden, like everything between a stub and it,
 * as the handles it throws depend on the library.
 */
template <class... Declared>
[[noreturn, gnu::visibility("hidden")]] void throw_exception(struct sidl_BaseInterface__object* ex);

/** A place in a program's text: as a default argument, that of the call. */
struct place {
  const char* file;
  int32_t line;
  const char* function;

  static constexpr place here(const char* file = __builtin_FILE(), int32_t line = __builtin_LINE(),
                              const char* function = __builtin_FUNCTION()) noexcept {
    return {file, line, function};
  }
};

/** Its address identifies the program or library that contains this code. */
[[gnu::visibility("hidden")]] inline const char this_library = 0;

/**
 * Registers an exception class with a handle in this program, so that exceptions are thrown in C++
 * as the class thrown by the callee, not only as declared by the method. The program and each
 * library have one for each such class, of the layout they were compiled for, with the lifetime of
 * the library.
 */
class known_exception {
 public:
  typedef void (*raise_t)(struct sidl_BaseInterface__object* ex);

  known_exception(const struct sidl_type_info* type, raise_t thrower,
                  const void* library = &this_library) noexcept
      : d_type(type),
        d_raise(thrower),
        d_library(library),
        d_next(newest().load(::std::memory_order_relaxed)) {
    while (!newest().compare_exchange_weak(d_next, this, ::std::memory_order_release,
                                           ::std::memory_order_relaxed)) {
    }
  }
  known_exception(const known_exception&) = delete;
  known_exception& operator=(const known_exception&) = delete;

  /**
   * Throws `ex` as the handle of its own class, or of the nearest ancestor below `wanted` that is
   * known and has a compatible layout. Prefers handles of `library`, whose code catches them.
   * Returns if there is none. Takes over the reference to ex if it throws.
   */
  static void raise(struct sidl_BaseInterface__object* ex, const struct sidl_type_info* wanted,
                    const void* library);

 private:
  /**
   * Preference among several handles of one class: the caller's, the object's own, any compatible
   * one.
   */
  enum preference { of_library, of_object, any };

  bool is_preferred(preference by, const struct sidl_type_info* type, const void* library) const {
    if (by == of_library) return d_library == library;
    return by == any || d_type->layout == type->layout;
  }

  static const known_exception* find(struct sidl_BaseInterface__object* ex,
                                     const struct sidl_type_info* type,
                                     const struct sidl_type_info* wanted, const void* library);

  static ::std::atomic<const known_exception*>& newest() noexcept {
    static ::std::atomic<const known_exception*> list{nullptr};
    return list;
  }

  const struct sidl_type_info* d_type;
  raise_t d_raise;
  const void* d_library;
  const known_exception* d_next;
};

/**
 * Throws the exception `ex`, whose reference it takes over, as `Handle`, which must be one of its
 * types.
 */
template <class Handle>
[[noreturn]] void raise_as(struct sidl_BaseInterface__object* ex) {
  throw Handle(static_cast<typename Handle::ior_t*>(sidl_cast_borrowed(ex, Handle::_type_info())));
}

/** Receives the exception of a C function. */
class exception_slot {
 public:
  exception_slot() noexcept = default;
  exception_slot(const exception_slot&) = delete;
  exception_slot& operator=(const exception_slot&) = delete;
  ~exception_slot() { drop_exception(d_ex); }

  struct sidl_BaseInterface__object** ptr() noexcept {
    return &d_ex;
  }

  bool is_set() const noexcept { return __builtin_expect(d_ex != nullptr, 0); }

  /** Throws the exception if there is one. */
  template <class... Declared>
  [[gnu::visibility("hidden")]] void check() {
    if (is_set()) {
      throw_exception<Declared...>(::std::exchange(d_ex, nullptr));
    }
  }

 private:
  struct sidl_BaseInterface__object* d_ex = nullptr;
};

// ---- handles -----------------------------------------------------------------------------------

/** The root of all handles: one reference to one object, or nil. */
class StubBase {
 public:
  typedef struct sidl_class ext_t;

  StubBase() noexcept = default;

  /** Takes over a reference; a weak handle has none and relies on somebody else's. */
  StubBase(void* self, bool isWeak) noexcept : d_self(self), d_weak_reference(isWeak) {}

  StubBase(const StubBase&) = delete;
  StubBase& operator=(const StubBase&) = delete;

  virtual ~StubBase() {
    if (d_self && !d_weak_reference) delete_ref(d_self);
  }

  bool _is_nil() const noexcept { return d_self == nullptr; }
  bool _not_nil() const noexcept { return d_self != nullptr; }
  bool operator!() const noexcept { return _is_nil(); }
  explicit operator bool() const noexcept { return _not_nil(); }

  /** The object as one of its classes or interfaces. */
  void* _get_self() const noexcept { return d_self; }
  bool _is_weak() const noexcept { return d_weak_reference; }

  bool _isRemote() const { return sidl_is_remote(_required_self()); }
  bool _isLocal() const { return !_isRemote(); }

  /** The URL by which other processes reach the object. */
  ::std::string _getURL() const {
    exception_slot ex;
    const c_string url(sidl_get_url(_required_self(), ex.ptr()));
    ex.check<>();
    return to_string(url.get());
  }

  /** Calls a method by its long name, with packed arguments. */
  void _exec(const ::std::string& method, const ::sidl::rmi::Call& arguments,
             const ::sidl::rmi::Return& results) const;

  /** Switches the object's hooks on or off. */
  void _set_hooks(bool enable) const {
    exception_slot ex;
    sidl_set_hooks(_required_self(), enable, ex.ptr());
    ex.check<>();
  }

  /** Switches the object's contracts on or off (sidl_set_contracts). */
  void _set_contracts(bool enable, const ::std::string& file, bool reset) const {
    exception_slot ex;
    sidl_set_contracts(_required_self(), enable, file.c_str(), reset, ex.ptr());
    ex.check<>();
  }

  /** Appends the statistics of contract checks to a file (sidl_dump_stats). */
  void _dump_stats(const ::std::string& file, const ::std::string& prefix) const {
    exception_slot ex;
    sidl_dump_stats(_required_self(), file.c_str(), prefix.c_str(), ex.ptr());
    ex.check<>();
  }

  /** Becomes nil without dropping the reference. */
  void _drop() noexcept {
    const bool had_object = d_self != nullptr;
    d_self = nullptr;
    d_weak_reference = false;
    if (had_object) _forget();  // the caches of a nil handle are empty
  }

  /** As _drop, for a handle that is only going to be destroyed. */
  void _abandon() noexcept { d_self = nullptr; }

 protected:
  /** Replaces the object by `self`, whose reference it takes over. */
  void _reset(void* self) noexcept {
    void* const old = d_weak_reference ? nullptr : d_self;
    _drop();
    d_self = self;
    if (old) delete_ref(old);
  }

  /** Empties the caches of all classes of this handle. */
  virtual void _forget() noexcept {}

  void* d_self = nullptr;
  bool d_weak_reference = false;

 private:
  template <class, class, class>
  friend class handle;

  void* _required_self() const {
    if (!d_self) throw NullIORException("sidl.BaseInterface");
    return d_self;
  }
};

/** The object of a handle with a new reference for the caller. */
template <class Handle>
typename Handle::ior_t* share(const Handle& handle) noexcept {
  typename Handle::ior_t* const ior = handle._get_ior();
  if (ior) add_ref(ior);
  return ior;
}

/**
 * The object of a handle with the handle's own reference; the handle becomes nil, unless it is
 * weak.
 */
template <class Handle>
typename Handle::ior_t* release(Handle& handle) noexcept {
  if (handle._is_nil()) return nullptr;
  if (handle._is_weak()) return share(handle);
  typename Handle::ior_t* const ior = handle._get_ior();
  if (ior) handle._drop();
  return ior;
}

/** Makes SIDL exceptions std::exceptions. */
class ExceptionBase : public virtual StubBase, public virtual ::std::exception {
 public:
  /** The exception's note. Valid until the next call for this handle. */
  const char* what() const noexcept override {
    try {
      ::std::string note = _note();
      if (note != d_what) d_what.swap(note);
    } catch (...) {
      return "sidl.BaseException";
    }
    return d_what.c_str();
  }

 private:
  ::std::string _note() const {
    void* const self = d_self ? sidl_cast_borrowed(d_self, &sidl_BaseException__info) : nullptr;
    if (!self) return "nil exception";
    struct sidl_BaseException__object* const ior =
        static_cast<struct sidl_BaseException__object*>(self);
    exception_slot ex;
    const c_string note(ior->d_epv->f_getNote(ior->d_object, ex.ptr()));
    return to_string(note.get());
  }

  mutable ::std::string d_what;
};

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

}  // namespace sidl

#endif
