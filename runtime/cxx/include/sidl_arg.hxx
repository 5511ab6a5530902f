/**
 * sidl_arg.hxx: passing values between C++ and the IOR.
 *
 * `arg<T>` defines how the C++ type T is passed: as which C type, and with which ownership. The
 * classes below are the local variables of generated stubs (`out`, `inout`, `returned`) and skels
 * (`callee_out`, `callee_inout`), which ensure that nothing leaks or is freed twice. Numbers, chars
 * and opaque pointers do not need this: they are the same in C and C++.
 */
#ifndef included_sidl_arg_hxx
#define included_sidl_arg_hxx

#include <new>

#include "sidl_cxx.hxx"

namespace sidl {

/** For specialisations: void if the type exists. */
template <class>
struct exists {
  typedef void type;
};

/**
 * c_type      the C type
 * copies      true if give() copies, false if it hands the value over and cannot fail
 * give        a C value for somebody else to own
 * take        C++ value = C value; the C value is zero then
 * take_over   a new C++ value from a C value; the C value is zero then
 * drop        frees a C value
 */
template <class T, class = void>
struct arg {
  static_assert(::std::is_arithmetic<T>::value || ::std::is_pointer<T>::value,
                "not a type of SIDL");
  typedef T c_type;
  static constexpr bool copies = true;
  static c_type give(const T& value) noexcept { return value; }
  static void take(T& value, c_type& from) noexcept { value = from; }
  static T take_over(c_type& from) noexcept { return from; }
  static void drop(c_type&) noexcept {}
};

template <>
struct arg<bool> {
  typedef sidl_bool c_type;
  static constexpr bool copies = true;
  static c_type give(bool value) noexcept { return value; }
  static void take(bool& value, c_type& from) noexcept { value = from != 0; }
  static bool take_over(c_type& from) noexcept { return from != 0; }
  static void drop(c_type&) noexcept {}
};

template <class T>
struct arg<T, ::std::enable_if_t<::std::is_enum<T>::value>> {
  typedef int64_t c_type;
  static constexpr bool copies = true;
  static c_type give(T value) noexcept { return static_cast<c_type>(value); }
  static void take(T& value, c_type& from) noexcept { value = static_cast<T>(from); }
  static T take_over(c_type& from) noexcept { return static_cast<T>(from); }
  static void drop(c_type&) noexcept {}
};

template <class T, class C>
struct complex_arg {
  typedef C c_type;
  static constexpr bool copies = true;
  static c_type give(const T& value) noexcept { return {value.real(), value.imag()}; }
  static void take(T& value, c_type& from) noexcept { value = take_over(from); }
  static T take_over(c_type& from) noexcept { return T(from.real, from.imaginary); }
  static void drop(c_type&) noexcept {}
};

template <>
struct arg<fcomplex> : complex_arg<fcomplex, struct sidl_fcomplex> {};
template <>
struct arg<dcomplex> : complex_arg<dcomplex, struct sidl_dcomplex> {};

template <>
struct arg<::std::string> {
  typedef char* c_type;
  static constexpr bool copies = true;
  static c_type give(const ::std::string& value) { return to_c(value); }
  static void take(::std::string& value, c_type& from) {
    value = from ? from : "";
    drop(from);
  }
  static ::std::string take_over(c_type& from) {
    const c_string owner(::std::exchange(from, nullptr));
    return to_string(owner.get());
  }
  static void drop(c_type& from) noexcept { sidl_String_free(::std::exchange(from, nullptr)); }
};

/** Handles and arrays: counted pointers whose references can be released and adopted. */
template <class T>
struct arg<T, typename exists<typename T::ior_t>::type> {
  typedef typename T::ior_t* c_type;
  static constexpr bool copies = false;
  static c_type give(T& value) noexcept { return release(value); }
  static void take(T& value, c_type& from) noexcept {
    value._set_ior(::std::exchange(from, nullptr));
  }
  static T take_over(c_type& from) noexcept { return T(::std::exchange(from, nullptr)); }
  static void drop(c_type& from) noexcept { take_over(from); }
};

/** The struct of a complex number in C, which has the same layout. */
template <class Real>
struct c_complex;
template <>
struct c_complex<float> {
  typedef struct sidl_fcomplex type;
};
template <>
struct c_complex<double> {
  typedef struct sidl_dcomplex type;
};

/**
 * A raw array of complex numbers: the caller's memory, as std::complex or as the struct of C.
 * Nothing is owned.
 */
template <class Real>
class complex_pointer {
 public:
  typedef ::std::complex<Real> value_type;
  typedef typename c_complex<Real>::type c_type;

  complex_pointer(::std::nullptr_t = nullptr) noexcept {}
  complex_pointer(value_type* first) noexcept : d_first(first) {}
  complex_pointer(c_type* first) noexcept : d_first(reinterpret_cast<value_type*>(first)) {}

  operator value_type*() const noexcept { return d_first; }
  operator c_type*() const noexcept { return reinterpret_cast<c_type*>(d_first); }
  value_type* get() const noexcept { return d_first; }

 private:
  value_type* d_first = nullptr;
};

/** The same for an in argument, which is not written to. */
template <class Real>
class const_complex_pointer {
 public:
  typedef ::std::complex<Real> value_type;
  typedef typename c_complex<Real>::type c_type;

  const_complex_pointer(::std::nullptr_t = nullptr) noexcept {}
  const_complex_pointer(const value_type* first) noexcept : d_first(first) {}
  const_complex_pointer(const c_type* first) noexcept
      : d_first(reinterpret_cast<const value_type*>(first)) {}

  operator const value_type*() const noexcept { return d_first; }
  const value_type* get() const noexcept { return d_first; }

 private:
  const value_type* d_first = nullptr;
};

/** A raw array of an Impl's as std::complex. */
inline fcomplex* as_complex(struct sidl_fcomplex* first) noexcept {
  return reinterpret_cast<fcomplex*>(first);
}
inline dcomplex* as_complex(struct sidl_dcomplex* first) noexcept {
  return reinterpret_cast<dcomplex*>(first);
}

inline struct sidl_fcomplex to_c(const fcomplex& value) noexcept {
  return arg<fcomplex>::give(value);
}
inline struct sidl_dcomplex to_c(const dcomplex& value) noexcept {
  return arg<dcomplex>::give(value);
}
inline fcomplex to_complex(struct sidl_fcomplex value) noexcept {
  return arg<fcomplex>::take_over(value);
}
inline dcomplex to_complex(struct sidl_dcomplex value) noexcept {
  return arg<dcomplex>::take_over(value);
}

/**
 * Writes the value `from` over `to`, which owns nothing. C structs that may cannot be assigned.
 * Always inline: see exchange_data.
 */
template <class Value>
[[gnu::always_inline]] inline void overwrite(Value& to, const Value& from) noexcept {
  static_assert(::std::is_trivially_copyable<Value>::value, "values of C are");
  ::new (static_cast<void*>(&to)) Value(from);
}

// ---- the caller's side -------------------------------------------------------------------------

/** An out argument: the callee writes to ptr(), store() moves it to the caller's variable. */
template <class T>
class out {
 public:
  typedef typename arg<T>::c_type c_type;
  explicit out(T& target) noexcept : d_target(target) {}
  out(const out&) = delete;
  out& operator=(const out&) = delete;
  ~out() { arg<T>::drop(d_value); }

  c_type* ptr() noexcept { return &d_value; }
  void store() { arg<T>::take(d_target, d_value); }

 protected:
  T& d_target;
  c_type d_value{};
};

/**
 * An inout argument: the callee gets a value of its own, which store() moves back. The caller's
 * variable keeps its value until then, as it may also be an in argument of the same call.
 */
template <class T>
class inout : public out<T> {
 public:
  explicit inout(T& target) : out<T>(target) {
    if constexpr (arg<T>::copies) {
      overwrite(this->d_value, arg<T>::give(target));
    } else {
      T copy(target);
      overwrite(this->d_value, arg<T>::give(copy));
    }
  }
};

/** Moves all out and inout values to the caller's variables, also after an exception. */
template <class... Args>
void store(Args&... args) {
  (args.store(), ...);
}

/** The result of a call; ignored if there is an exception, as it may be uninitialised. */
template <class T>
class returned {
 public:
  typedef typename arg<T>::c_type c_type;
  returned(const c_type& value, const exception_slot& ex) noexcept
      : d_value(ex.is_set() ? c_type{} : value) {}
  returned(const returned&) = delete;
  returned& operator=(const returned&) = delete;
  ~returned() { arg<T>::drop(d_value); }

  T take() { return arg<T>::take_over(d_value); }

 private:
  c_type d_value;
};

/** arg<T>::give for a value that is only going to be destroyed. */
template <class T>
typename arg<T>::c_type give_last(T& value) noexcept {
  if constexpr (::std::is_base_of<StubBase, T>::value) {
    if (!value._is_weak()) {
      typename T::ior_t* const ior = value._get_ior();
      value._abandon();
      return ior;
    }
  }
  return arg<T>::give(value);
}

// ---- the callee's side -------------------------------------------------------------------------

/** An out argument or result of a method written in C++: zero until it is published. */
template <class T>
class callee_out {
 public:
  typedef typename arg<T>::c_type c_type;
  explicit callee_out(c_type* target) noexcept : d_target(target) { overwrite(*target, c_type()); }
  callee_out(const callee_out&) = delete;
  callee_out& operator=(const callee_out&) = delete;
  ~callee_out() {
    if constexpr (arg<T>::copies) arg<T>::drop(d_copy);
  }

  T value{};

  /** The part that may fail. */
  void prepare() {
    if constexpr (arg<T>::copies) d_copy = arg<T>::give(value);
  }
  void publish() noexcept {
    if constexpr (arg<T>::copies) {
      ::std::swap(*d_target, d_copy);
    } else {
      overwrite(*d_target, give_last(value));
    }
  }

 private:
  c_type* d_target;
  c_type d_copy{};
};

/** An inout argument of a method written in C++: keeps a valid value if the method fails. */
template <class T>
class callee_inout {
 public:
  typedef typename arg<T>::c_type c_type;
  explicit callee_inout(c_type* target) : value(accept(target)), d_target(target) {}
  callee_inout(const callee_inout&) = delete;
  callee_inout& operator=(const callee_inout&) = delete;
  ~callee_inout() {
    if constexpr (arg<T>::copies) {
      arg<T>::drop(d_copy);
    } else {
      overwrite(*d_target, arg<T>::give(value));
    }
  }

  T value;

  void prepare() {
    if constexpr (arg<T>::copies) d_copy = arg<T>::give(value);
  }
  void publish() noexcept {
    if constexpr (arg<T>::copies) ::std::swap(*d_target, d_copy);
  }

 private:
  // A value that is copied remains the caller's until there is a new one.
  static T accept(c_type* target) {
    if constexpr (::std::is_same<T, ::std::string>::value) {
      return to_string(*target);
    } else {
      return arg<T>::take_over(*target);
    }
  }

  c_type* d_target;
  c_type d_copy{};
};

/** Passes results to the caller: all of them, or none if memory is exhausted. */
template <class... Args>
void publish(Args&... args) {
  (args.prepare(), ...);
  (args.publish(), ...);
}

}  // namespace sidl

#endif
