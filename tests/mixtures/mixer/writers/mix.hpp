// The values of keys and the codes of values (values.py), in C++.
#pragma once

#include <malloc.h>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "mx.hxx"
#include "sidl_ClassInfo.hxx"
#include "sidl_RuntimeException.hxx"
#include "sidl_rmi_Ticket.hxx"

inline constexpr int64_t mix_m = 2147483647;
inline int64_t mix(int64_t a, int64_t b) {
  return (a * 48271 + b) % mix_m * 16807 % mix_m;
}
// Bytes that are allocated in this process.
inline int64_t mix_used() {
  const auto info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}
inline int64_t positive(int64_t k) {
  return (k % mix_m + mix_m) % mix_m;
}

template <class T, class From>
T of_bits(From bits) {
  T made;
  static_assert(sizeof made == sizeof bits);
  std::memcpy(&made, &bits, sizeof made);
  return made;
}

// ---- one value -------------------------------------------------------------------------------

template <class T>
struct Mixed;  // T make(k), T item(k) as an element, int64_t code(v)

template <class T>
T make(int64_t k) {
  return Mixed<T>::make(k);
}
template <class T>
int64_t code(const T& value) {
  return Mixed<T>::code(value);
}

template <>
struct Mixed<bool> {
  static bool make(int64_t k) { return k % 2 == 1; }
  static int64_t code(bool v) { return v; }
};

template <>
struct Mixed<char> {
  static char make(int64_t k) { return static_cast<char>(33 + k % 94); }
  static int64_t code(char v) { return static_cast<unsigned char>(v); }
};

template <>
struct Mixed<int32_t> {
  static int32_t make(int64_t k) {
    constexpr int32_t edges[] = {INT32_MIN, INT32_MAX, 0, -1, 1};
    return k % 8 == 0 ? edges[k / 8 % 5] : static_cast<int32_t>(k - (1 << 30));
  }
  static int64_t code(int32_t v) { return (v + (int64_t{1} << 31)) % mix_m; }
};

template <>
struct Mixed<int64_t> {
  static int64_t make(int64_t k) {
    constexpr int64_t edges[] = {INT64_MIN, INT64_MAX, 0, -1, 1};
    return k % 8 == 0 ? edges[k / 8 % 5] : (k - (1 << 30)) * (int64_t{1} << 31) + mix(k, 1);
  }
  static int64_t code(int64_t v) {
    return ((v >> 32) + (int64_t{1} << 31) + 3 * (v & 0xFFFFFFFF)) % mix_m;
  }
};

template <>
struct Mixed<float> {
  static float make(int64_t k) {
    constexpr uint32_t edges[] = {0,          0x80000000, 0x7FC00000, 0x7F800000,
                                  0xFF800000, 0x7F7FFFFF, 1,          0x3F800000};
    return k % 8 == 0 ? of_bits<float>(edges[k / 8 % 8])
                      : static_cast<float>(k % (1 << 23) - (1 << 22)) / 256;
  }
  static int64_t code(float v) { return v != v ? 7 : int64_t{of_bits<uint32_t>(v)} % mix_m; }
};

template <>
struct Mixed<double> {
  static double make(int64_t k) {
    constexpr uint64_t edges[] = {0,
                                  uint64_t{1} << 63,
                                  uint64_t{0x7FF8} << 48,
                                  uint64_t{0x7FF0} << 48,
                                  uint64_t{0xFFF0} << 48,
                                  0x7FEFFFFFFFFFFFFF,
                                  1,
                                  uint64_t{0x3FF0} << 48};
    return k % 8 == 0 ? of_bits<double>(edges[k / 8 % 8])
                      : static_cast<double>(k - (1 << 30)) / 1024;
  }
  static int64_t code(double v) { return v != v ? 7 : Mixed<int64_t>::code(of_bits<int64_t>(v)); }
};

template <class T>
struct Mixed<std::complex<T>> {
  static std::complex<T> make(int64_t k) {
    return {Mixed<T>::make(mix(k, 1)), Mixed<T>::make(mix(k, 2))};
  }
  static int64_t code(const std::complex<T>& v) {
    return mix(Mixed<T>::code(v.real()), Mixed<T>::code(v.imag()));
  }
};

// Members of structs are complex numbers of C.
inline sidl_fcomplex in_c(std::complex<float> v) {
  return {v.real(), v.imag()};
}
inline sidl_dcomplex in_c(std::complex<double> v) {
  return {v.real(), v.imag()};
}
inline std::complex<float> in_cxx(sidl_fcomplex v) {
  return {v.real, v.imaginary};
}
inline std::complex<double> in_cxx(sidl_dcomplex v) {
  return {v.real, v.imaginary};
}

inline int64_t weight(int64_t i) {
  return 1 + i * 40503 % 65521;
}

template <>
struct Mixed<std::string> {
  static std::string make(int64_t k, int64_t length) {
    std::string made;
    for (int64_t i = 0; i < length; ++i) made += static_cast<char>(33 + (k + 7 * i) % 94);
    if (k % 5 == 0 && length >= 2) made.replace(0, 2, "\xC3\xBC");
    return made;
  }
  static std::string make(int64_t k) {
    constexpr int64_t lengths[] = {0,   1,   2,   3,   5,    8,     13,    21,
                                   34,  55,  89,  100, 127,  128,   129,   255,
                                   256, 511, 512, 513, 4096, 16383, 16384, 65536};
    return make(k, lengths[static_cast<size_t>(k) % std::size(lengths)]);
  }
  static std::string item(int64_t k) { return make(k, k % 7); }
  static int64_t code(const std::string& v) {
    int64_t sum = 0, n = 0;
    for (const char c : v) sum += static_cast<unsigned char>(c) * weight(n++);
    return mix(sum % mix_m, n);
  }
};

template <class Object, class Made>
struct MixedObject {
  static Object make(int64_t k) {
    if (k % 8 == 0) return {};
    Made made = Made::_create();
    made.setId(mix(k, 9));
    return made;
  }
  static int64_t code(const Object& v) { return v._is_nil() ? 3 : v.id(); }
};
template <>
struct Mixed<mx::Cell> : MixedObject<mx::Cell, mx::Cell> {};
template <>
struct Mixed<mx::Named> : MixedObject<mx::Named, mx::Cell> {};
template <>
struct Mixed<mx::Value> : MixedObject<mx::Value, mx::Value> {};

// ---- arrays ----------------------------------------------------------------------------------

inline constexpr int32_t mix_lengths[] = {0,    1,    2,    3,    7,    16,   64,   65,
                                          127,  128,  129,  434,  511,  512,  513,  1024,
                                          2047, 2048, 2049, 3472, 5000, 8191, 8192, 8193};
inline constexpr int32_t mix_few[] = {0, 1, 2, 3, 5};

inline bool is_null_key(int64_t k) {
  return mix(k, 1) % 8 == 0;
}

inline std::vector<int32_t> mix_shape(bool is_small, int32_t rank, int64_t k) {
  static const std::vector<int32_t> dims[] = {
      {},        {},    {0, 1, 2, 3, 16, 33, 64}, {0, 1, 2, 3, 8, 9}, {1, 2, 3, 4}, {1, 2, 3},
      {1, 2, 3}, {1, 2}};
  std::vector<int32_t> lengths;
  for (int32_t d = 0; d < rank; ++d) {
    const auto draw = static_cast<size_t>(mix(k, 2 + d));
    if (is_small && rank <= 2) {
      lengths.push_back(mix_few[draw % std::size(mix_few)]);
    } else if (rank == 1) {
      lengths.push_back(mix_lengths[draw % std::size(mix_lengths)]);
    } else {
      const auto& all = dims[rank];
      lengths.push_back(all[draw % all.size()]);
    }
  }
  return lengths;
}

template <class T, class = void>
struct has_item : std::false_type {};
template <class T>
struct has_item<T, std::void_t<decltype(Mixed<T>::item(0))>> : std::true_type {};

template <class T>
T make_item(int64_t k) {
  if constexpr (has_item<T>::value) return Mixed<T>::item(k);
  return Mixed<T>::make(k);
}

// Calls `visit(index, number)` for each element in row order.
template <class Array, class Visit>
void each_index(const Array& a, const Visit& visit) {
  int32_t index[7];
  int64_t count = 1;
  const int32_t rank = a.dimen();
  for (int32_t d = 0; d < rank; ++d) {
    count *= a.length(d);
    index[d] = a.lower(d);
  }
  for (int64_t i = 0; i < count; ++i) {
    visit(index, i);
    for (int32_t d = rank - 1; d >= 0 && ++index[d] > a.upper(d); --d) index[d] = a.lower(d);
  }
}

template <class T>
void fill_array(sidl::array<T> a, int64_t k) {
  if (a._is_nil()) return;
  each_index(a, [&](const int32_t* at, int64_t i) { a.set(at, make_item<T>(mix(k, 1000 + i))); });
}

template <class T>
sidl::array<T> borrowed(T* first, int32_t rank, const int32_t* lower, const int32_t* upper,
                        const int32_t* stride) {
  using Stored = typename sidl::array<T>::stored_t;
  return sidl::array<T>::borrowed(reinterpret_cast<Stored*>(first), rank, lower, upper, stride);
}

// With `room` an array of memory that is lent, else one of its own.
template <class T>
sidl::array<T> make_array(int64_t k, bool nulls, int32_t rank, void* room = nullptr) {
  constexpr bool is_small = std::is_same_v<T, std::string> || std::is_base_of_v<sidl::StubBase, T>;
  if (nulls && is_null_key(k)) return {};
  const std::vector<int32_t> lengths = mix_shape(is_small, rank, k);
  int32_t lower[7], upper[7], stride[7], step = 1;
  for (int32_t d = 0; d < rank; ++d) {
    const int32_t length = lengths[static_cast<size_t>(d)];
    lower[d] = room || k % 3 ? 0 : static_cast<int32_t>(k % 7 - 3);
    upper[d] = lower[d] + length - 1;
    stride[d] = step;
    step *= length;
  }
  sidl::array<T> made;
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    if (room) made = borrowed(static_cast<T*>(room), rank, lower, upper, stride);
  }
  if (made._is_nil()) {
    made = k % 2 ? sidl::array<T>::createCol(rank, lower, upper)
                 : sidl::array<T>::createRow(rank, lower, upper);
  }
  fill_array(made, k);
  return made;
}

// What a caller needs to lend an array.
template <class T>
size_t mix_room(int64_t k, int32_t rank) {
  size_t size = sizeof(T);
  for (const int32_t length : mix_shape(false, rank, k)) size *= static_cast<size_t>(length);
  return size + 16;
}

template <class T>
int64_t code(const sidl::array<T>& a) {
  if (a._is_nil()) return 5;
  int64_t found = a.dimen(), sum = 0;
  for (int32_t d = 0; d < a.dimen(); ++d) found = mix(found, a.length(d));
  each_index(a, [&](const int32_t* at, int64_t i) {
    sum = (sum + code<T>(a.get(at)) * weight(i) % mix_m) % mix_m;
  });
  return mix(found, sum);
}

template <class... Types>
struct AnyOf {
  static sidl::basearray make(int64_t k, int64_t wanted) {
    sidl::basearray made;
    int64_t n = 0;
    const auto rank = static_cast<int32_t>(1 + mix(k, 7) % 3);
    ((n++ == wanted ? void(made = make_array<Types>(k, false, rank)) : void()), ...);
    return made;
  }
  static int64_t code(const sidl::basearray& a) {
    int64_t found = -1, n = 0;
    const auto look = [&](auto typed) {
      if (typed._not_nil()) found = mix(::code(typed), n);
      ++n;
    };
    (look(sidl::array<Types>(a)), ...);
    return found;
  }
};
using Any = AnyOf<bool, char, int32_t, int64_t, float, double, std::complex<float>,
                  std::complex<double>, std::string>;

inline sidl::basearray make_any(int64_t k, bool nulls) {
  if (nulls && is_null_key(k)) return {};
  return Any::make(k, mix(k, 6) % 9);
}

inline int64_t code(const sidl::basearray& a) {
  return a._is_nil() ? 5 : Any::code(a);
}

// ---- exceptions, and what implementations share
// --------------------------------------------------

inline std::string mix_text(const sidl::BaseException& thrown) {
  return thrown.getClassInfo().getName() + " " + thrown.getNote();
}

inline int64_t mix_thrown(const sidl::BaseException& thrown) {
  return mix(code(thrown.getClassInfo().getName()), code(thrown.getNote()));
}

template <class Exception>
[[noreturn]] void mix_throw(int64_t h) {
  Exception thrown = Exception::_create();
  thrown.setNote("n" + std::to_string(h));
  throw thrown;
}

inline void mix_add(int64_t& total, int64_t h) {
  static std::mutex lock;
  const std::lock_guard<std::mutex> guard(lock);
  total = (total + h) % mix_m;
}
