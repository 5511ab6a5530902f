/**
 * sidl_array_element.hxx: how sidl::array<T> stores its elements.
 *
 * `array_element<T>` names the C array type, the C functions that work on it, and the conversions
 * between a stored element and a T.
 */
#ifndef included_sidl_array_element_hxx
#define included_sidl_array_element_hxx

#include <array>
#include <cstring>
#include <stdexcept>

#include "sidl_cxx.hxx"
#include "sidl_header.h"

namespace sidl {

/** The C functions for arrays of one element type, whose bounds have 64 bits or 32. */
#define SIDL_CXX_ARRAY_FUNCTIONS(NAME, STORED)                                     \
  struct NAME##_array_functions {                                                  \
    typedef struct sidl_##NAME##__array ior_t;                                     \
    typedef STORED stored_t;                                                       \
    typedef const int64_t* wide;                                                   \
    typedef const int32_t* narrow;                                                 \
    static constexpr enum sidl_array_type type = sidl_##NAME##_array;              \
    static const struct sidl_struct_info* structure() noexcept { return nullptr; } \
    static constexpr auto create1d = &sidl_##NAME##__array_create1d;               \
    static constexpr auto create2dCol = &sidl_##NAME##__array_create2dCol;         \
    static constexpr auto create2dRow = &sidl_##NAME##__array_create2dRow;         \
    static constexpr auto cast = &sidl_##NAME##__array_cast;                       \
    static constexpr auto get = &sidl_##NAME##__array_get64;                       \
    static constexpr auto set = &sidl_##NAME##__array_set64;                       \
    static constexpr auto copy = &sidl_##NAME##__array_copy;                       \
    static constexpr auto ensure = &sidl_##NAME##__array_ensure;                   \
    SIDL_CXX_ARRAY_MAKERS(NAME, wide, 64)                                          \
    SIDL_CXX_ARRAY_MAKERS(NAME, narrow, )                                          \
  }

#define SIDL_CXX_ARRAY_MAKERS(NAME, bounds, bits)                                         \
  static ior_t* createCol(int32_t dimen, bounds lower, bounds upper) {                    \
    return sidl_##NAME##__array_createCol##bits(dimen, lower, upper);                     \
  }                                                                                       \
  static ior_t* createRow(int32_t dimen, bounds lower, bounds upper) {                    \
    return sidl_##NAME##__array_createRow##bits(dimen, lower, upper);                     \
  }                                                                                       \
  static ior_t* borrow(stored_t* first, int32_t dimen, bounds lower, bounds upper,        \
                       bounds stride) {                                                   \
    return sidl_##NAME##__array_borrow##bits(first, dimen, lower, upper, stride);         \
  }                                                                                       \
  static ior_t* slice(ior_t* src, int32_t dimen, bounds count, bounds start, bounds step, \
                      bounds lower) {                                                     \
    return sidl_##NAME##__array_slice##bits(src, dimen, count, start, step, lower);       \
  }

#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) SIDL_CXX_ARRAY_FUNCTIONS(name, ctype);
#include "sidl_kinds.def"
SIDL_CXX_ARRAY_FUNCTIONS(interface, struct sidl_BaseInterface__object*);

#undef SIDL_CXX_ARRAY_FUNCTIONS
#undef SIDL_CXX_ARRAY_MAKERS

/**
 * Elements stored as in C++; a std::complex as a struct of the same layout.
 *
 * value_t                  what first() points to
 * reference, at            an element in its place, to be read and assigned
 * iterated                 what iterators give, if it is something else
 * from_stored, to_stored   an element as it leaves and enters the C functions get and set
 */
template <class T, class Functions>
struct plain_element : Functions {
  typedef T value_t;
  typedef T& reference;
  static reference at(typename Functions::stored_t* place) noexcept {
    return *reinterpret_cast<T*>(place);
  }
  static T from_stored(const typename Functions::stored_t& stored) noexcept {
    T value;
    ::std::memcpy(static_cast<void*>(&value), &stored, sizeof(value));
    return value;
  }
  static typename Functions::stored_t to_stored(const T& value) noexcept {
    typename Functions::stored_t stored;
    ::std::memcpy(&stored, &value, sizeof(value));
    return stored;
  }
};

/**
 * Proxy reference to an element stored in another form than in C++: reads, compares and assigns it.
 */
template <class T, class Element>
class element_reference {
 public:
  explicit element_reference(typename Element::stored_t* place) noexcept : d_place(place) {}
  element_reference(const element_reference&) = default;

  operator T() const { return Element::load(*d_place); }
  const element_reference& operator=(const T& value) const {
    Element::store(*d_place, value);
    return *this;
  }
  const element_reference& operator=(const element_reference& other) const {
    return *this = static_cast<T>(other);
  }

  friend bool operator==(const element_reference& a, const T& b) { return static_cast<T>(a) == b; }
  friend bool operator!=(const element_reference& a, const T& b) { return !(a == b); }
  friend bool operator==(const T& a, const element_reference& b) { return b == a; }
  friend bool operator!=(const T& a, const element_reference& b) { return !(b == a); }
  friend bool operator==(const element_reference& a, const element_reference& b) {
    return a == static_cast<T>(b);
  }
  friend bool operator!=(const element_reference& a, const element_reference& b) {
    return !(a == b);
  }

 protected:
  typename Element::stored_t* d_place;
};

/** To a string, with what is most often asked of one. */
template <class Element>
class string_reference : public element_reference<::std::string, Element> {
  typedef element_reference<::std::string, Element> base;

 public:
  using base::base;
  using base::operator=;
  string_reference(const string_reference&) = default;
  const string_reference& operator=(const string_reference& other) const {
    base::operator=(other);
    return *this;
  }

  /** Valid until the element changes. */
  const char* c_str() const noexcept { return *this->d_place ? *this->d_place : ""; }
  ::std::size_t size() const noexcept { return ::std::strlen(c_str()); }
  ::std::size_t length() const noexcept { return size(); }
  bool empty() const noexcept { return *c_str() == '\0'; }

  template <class Stream>
  friend Stream& operator<<(Stream& stream, const string_reference& element) {
    stream << element.c_str();
    return stream;
  }
};

/** To an object: a handle of it, whose assignment changes the element, and not the handle. */
template <class T, class Element>
class handle_reference : public T {
 public:
  explicit handle_reference(typename Element::stored_t* place)
      : handle_reference(place, taken(Element::load(*place))) {}
  handle_reference(const handle_reference& other) : handle_reference(other.d_place) {}

  const handle_reference& operator=(const T& value) const {
    Element::store(*d_place, value);
    return *this;
  }
  const handle_reference& operator=(const handle_reference& other) const {
    return *this = static_cast<const T&>(other);
  }

 private:
  handle_reference(typename Element::stored_t* place, typename T::ior_t* ior)
      : StubBase(ior, false), T(ior), d_place(place) {}

  static typename T::ior_t* taken(T&& handle) noexcept { return release(handle); }

  typename Element::stored_t* d_place;
};

/** Elements that are converted: bool and enums. */
template <class T, class Functions>
struct converted_element : Functions {
  typedef typename Functions::stored_t stored_t;
  typedef stored_t value_t;
  typedef element_reference<T, converted_element> reference;
  static reference at(stored_t* place) noexcept { return reference(place); }
  static T from_stored(stored_t stored) {
    const T value = static_cast<T>(stored);
    // enums have 64 bits in SIDL
    if (::std::is_enum<T>::value && static_cast<stored_t>(value) != stored) {
      throw ::std::out_of_range("element " + ::std::to_string(stored) + " is of no enum in C++");
    }
    return value;
  }
  static stored_t to_stored(T value) { return static_cast<stored_t>(value); }
  static T load(stored_t stored) { return static_cast<T>(stored); }
  static void store(stored_t& place, T value) { place = static_cast<stored_t>(value); }
};

/** Handles, unless specialised below. */
template <class T, class = void>
struct array_element : interface_array_functions {
  typedef stored_t value_t;
  typedef handle_reference<T, array_element> reference;
  static reference at(stored_t* place) { return reference(place); }
  typedef element_reference<T, array_element> iterated;

  // sidl_interface__array_get returns a reference, which the handle takes over.
  static T from_stored(stored_t stored) {
    return T(static_cast<typename T::ior_t*>(sidl_cast_over(stored, T::_type_info())));
  }
  // sidl_interface__array_set adds its own reference.
  static stored_t to_stored(const T& value) { return as_base(value._get_self()); }

  static T load(stored_t stored) {
    if (stored) add_ref(stored);
    return from_stored(stored);
  }
  static void store(stored_t& place, const T& value) {
    if (value._not_nil()) add_ref(value._get_self());
    stored_t const old = ::std::exchange(place, as_base(value._get_self()));
    if (old) delete_ref(old);
  }
};

template <>
struct array_element<::std::string> : string_array_functions {
  typedef stored_t value_t;
  typedef string_reference<array_element> reference;
  static reference at(stored_t* place) noexcept { return reference(place); }

  // sidl_string__array_get returns a copy, sidl_string__array_set makes one.
  static ::std::string from_stored(stored_t stored) { return to_string(c_string(stored).get()); }
  static const char* to_stored(const ::std::string& value) { return value.c_str(); }

  static ::std::string load(const char* stored) { return to_string(stored); }
  static void store(stored_t& place, const ::std::string& value) {
    sidl_String_free(::std::exchange(place, to_c(value)));
  }
};

template <>
struct array_element<bool> : converted_element<bool, bool_array_functions> {};
template <class T>
struct array_element<T, ::std::enable_if_t<::std::is_enum<T>::value>>
    : converted_element<T, long_array_functions> {};

#define SIDL_NUMBER(name, kind, array, ctype, Name, numpy) \
  template <>                                              \
  struct array_element<basic_type<kind>::type>             \
      : plain_element<basic_type<kind>::type, name##_array_functions> {};
#define SIDL_LOCAL SIDL_NUMBER
#include "sidl_kinds.def"

/** An element as iterators give it: where `reference` is a handle, something to make one of. */
template <class Element, class = void>
struct iterated {
  typedef typename Element::reference reference;
  static reference at(typename Element::stored_t* place) noexcept { return Element::at(place); }
};
template <class Element>
struct iterated<Element, ::std::void_t<typename Element::iterated>> {
  typedef typename Element::iterated reference;
  static reference at(typename Element::stored_t* place) noexcept { return reference(place); }
};

}  // namespace sidl

#endif
