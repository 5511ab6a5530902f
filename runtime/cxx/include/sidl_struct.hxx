/**
 * sidl_struct.hxx: what every generated C++ struct is made of.
 *
 * `::pkg::S` is the C struct, member by member, with a destructor and deep copies.
 */
#ifndef included_sidl_struct_hxx
#define included_sidl_struct_hxx

#include "sidl_arg.hxx"
#include "sidl_array.hxx"
#include "sidl_cxx.hxx"
#include "sidl_struct_array.hxx"

namespace sidl {

/**
 * Exchanges what two C structs own: no assignment of theirs would. Always inline, since the name of
 * a C struct does not tell its layout: a symbol would be shared with another version's struct.
 */
template <class Data>
[[gnu::always_inline]] inline void exchange_data(Data& a, Data& b) noexcept {
  const Data old = a;
  overwrite(a, b);
  overwrite(b, old);
}

/** Base of the C++ struct over the C struct `Data`; adds no storage of its own. */
template <class Data, const struct sidl_struct_info* Info>
class structure : public Data {
 public:
  typedef Data data_t;

  structure() noexcept : Data() { sidl_struct_init(Info, _data()); }
  structure(const structure& other) : Data() { _copy(other); }
  structure(structure&& other) noexcept : Data(other) {
    sidl_struct_init(Info, other._data());
    sidl_struct_own(Info, _data());
  }
  structure& operator=(structure other) noexcept {
    exchange_data(*_data(), *other._data());
    return *this;
  }
  ~structure() { sidl_struct_destroy(Info, _data()); }

  /** Frees what the members own and sets them to zero. */
  void _destroy() noexcept { sidl_struct_destroy(Info, _data()); }

  /**
   * Packs all members under `name`. Objects are passed as the struct declares; `copyArg` is
   * ignored.
   */
  template <class Serializer>
  void serialize(const Serializer& pipe, const ::std::string& name, bool copyArg = false) const {
    static_cast<void>(copyArg);
    exception_slot ex;
    sidl_struct_serialize(Info, toIOR(), pipe._get_ior(), name.c_str(), ex.ptr());
    ex.check<>();
  }

  /** Unpacks all members from `name`. */
  template <class Deserializer>
  void deserialize(const Deserializer& pipe, const ::std::string& name, bool copyArg = false) {
    static_cast<void>(copyArg);
    _destroy();
    exception_slot ex;
    sidl_struct_deserialize(Info, _data(), pipe._get_ior(), name.c_str(), ex.ptr());
    ex.check<>();
  }

  /** The description of the type. */
  static const struct sidl_struct_info* _struct_info() noexcept { return Info; }

  /** The C struct. */
  Data* toIOR() noexcept { return _data(); }
  const Data* toIOR() const noexcept { return this; }

 private:
  Data* _data() noexcept { return this; }

  void _copy(const structure& other) {
    exception_slot ex;
    sidl_struct_copy(Info, other.toIOR(), _data(), ex.ptr());
    ex.check<>();
  }
};

/** A C struct as the C++ struct, which has the same layout. */
template <class Struct>
Struct& as_struct(typename Struct::data_t* data) noexcept {
  static_assert(sizeof(Struct) == sizeof(*data), "generated structs add no members");
  return static_cast<Struct&>(*data);
}

template <class Struct>
const Struct& as_struct(const typename Struct::data_t* data) noexcept {
  return static_cast<const Struct&>(*data);
}

/** Passing a struct: the C struct by value, with everything it owns. */
template <class T>
struct arg<T, typename exists<typename T::data_t>::type> {
  typedef typename T::data_t c_type;
  static constexpr bool copies = false;

  static c_type give(T& value) noexcept {
    const c_type result = value;
    new (&value) T();
    return result;
  }
  static void take(T& value, c_type& from) noexcept {
    T taken;
    exchange_data(static_cast<c_type&>(taken), from);
    value = ::std::move(taken);
  }
  static void drop(c_type& from) noexcept { take_over(from); }
  static T take_over(c_type& from) noexcept {
    T result;
    exchange_data(static_cast<c_type&>(result), from);
    return result;
  }
};

// ---- arrays of structs, to be packed by packObj and unpacked by unpackObj -----------------------

template <class Struct, class Serializer>
void serialize(const array<Struct>& value, const Serializer& pipe, const ::std::string& name) {
  exception_slot ex;
  sidl_struct__array_serialize(Struct::_struct_info(), value._get_baseior(), pipe._get_ior(),
                               name.c_str(), ex.ptr());
  ex.check<>();
}

/** As deserialize<Point>(pipe, "points"). */
template <class Struct, class Deserializer>
array<Struct> deserialize(const Deserializer& pipe, const ::std::string& name) {
  exception_slot ex;
  const array<Struct> result(
      reinterpret_cast<typename array<Struct>::ior_t*>(sidl_struct__array_deserialize(
          Struct::_struct_info(), pipe._get_ior(), name.c_str(), ex.ptr())));
  ex.check<>();
  return result;
}

// ---- members whose types differ between C++ and C -----------------------------------------------

/** The value of a member; handles and arrays share, structs are copied. `Member` is T in C. */
template <class T, class Member>
T get_member(const Member& member) {
  if constexpr (::std::is_same<T, ::std::string>::value) {
    return to_string(member);
  } else if constexpr (arg<T>::copies) {
    typename arg<T>::c_type copy = member;
    return arg<T>::take_over(copy);
  } else if constexpr (::std::is_class<Member>::value) {
    return as_struct<T>(&member);
  } else {
    // in C, arrays of each enum or class have a type of their own
    const T borrowed(reinterpret_cast<typename arg<T>::c_type>(member), true);
    return T(borrowed);
  }
}

/** Sets a member to a new value and frees what the old one owned. */
template <class T, class Member>
void set_member(Member& member, T value) {
  if constexpr (::std::is_pointer<Member>::value) {
    typename arg<T>::c_type old = reinterpret_cast<typename arg<T>::c_type>(member);
    member = reinterpret_cast<Member>(arg<T>::give(value));
    arg<T>::drop(old);
  } else {
    typename arg<T>::c_type old = member;
    overwrite<Member>(member, arg<T>::give(value));
    arg<T>::drop(old);
  }
}

}  // namespace sidl

#endif
