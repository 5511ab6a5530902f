// What the suite in C++ makes and compares values with, in its program and in its implementations.
#pragma once

#include <complex>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "mx.hxx"
#include "sidl_InvViolation.hxx"
#include "sidl_MemorySpaceException.hxx"
#include "sidl_PostViolation.hxx"
#include "sidl_PreViolation.hxx"
#include "sidl_RuntimeException.hxx"
#include "sidl_rmi_Ticket.hxx"

#define REQUIRE(condition)                                \
  do {                                                    \
    if (!(condition)) throw std::logic_error(#condition); \
  } while (0)

template <class Object>
Object new_object(int32_t number) {
  if constexpr (std::is_same_v<Object, mx::Named>) {
    return new_object<mx::Cell>(number);
  } else {
    Object made = Object::_create();
    made.set(number);
    return made;
  }
}

// No std::string is.
inline bool is_null(const std::string& text) {
  return text.data() == nullptr;
}

template <class Object>
int32_t number_of(const Object& object) {
  return object._is_nil() ? -1 : object.number();
}

template <class T>
bool same_element(const T& a, const T& b) {
  return a == b;
}

inline bool same_element(const mx::Named& a, const mx::Named& b) {
  return number_of(a) == number_of(b);
}

using Bounds = std::vector<int64_t>;

// Elements are in row order.
template <class T>
sidl::array<T> make_array(bool columns, const Bounds& lower, const Bounds& upper,
                          const std::vector<T>& values) {
  const auto rank = static_cast<int32_t>(lower.size());
  auto made = sidl::array<T>::createRow(rank, lower.data(), upper.data());
  auto place = made.begin();
  for (const auto& value : values) *place++ = value;
  if (columns) made.ensure(rank, sidl::column_major_order);
  return made;
}

template <class T>
bool has_bounds(const sidl::array<T>& array, const Bounds& lower, const Bounds& upper) {
  const auto rank = static_cast<int32_t>(lower.size());
  if (array._is_nil() || array.dimen() != rank) return false;
  for (int32_t d = 0; d < rank; ++d) {
    const auto at = static_cast<size_t>(d);
    if (array.lower64(d) != lower[at] || array.upper64(d) != upper[at]) return false;
  }
  return true;
}

template <class T>
bool same_array(sidl::array<T> array, const Bounds& lower, const Bounds& upper,
                const std::vector<T>& values) {
  if (!has_bounds(array, lower, upper)) return false;
  array.ensure(array.dimen(), sidl::row_major_order);
  auto place = array.begin();
  for (const auto& value : values) {
    if (!same_element(static_cast<T>(*place++), static_cast<T>(value))) return false;
  }
  return true;
}

// A new object, here or on the server.
template <class Object>
Object target_at(const char* url) {
  return url ? Object::_create(url) : Object::_create();
}

// A copy on the device, or a part of a larger array there.
template <class T>
sidl::array<T> there(const sidl::array<T>& here, sidl::memory_space device, bool is_part) {
  if (!is_part) return here.in(device);
  const int64_t count = here.length64(), first = 1, step = 2, lower = 0;
  auto whole = sidl::array<T>::create1d(2 * count);
  for (int64_t i = 0; i < whole.length64(); ++i) whole[i] = here[i / 2];
  return whole.in(device).slice(1, &count, &first, &step, &lower);
}

// Whether exactly this class is thrown, with this note, which may be "": any.
template <class Exception, class Call>
bool throws(const Call& call, const std::string& note) {
  try {
    call();
  } catch (const Exception& thrown) {
    return thrown.getClassInfo().getName() == Exception::type_name() &&
           (note.empty() || thrown.getNote() == note);
  }
  return false;
}

template <class Case>
void tell(const char* group, const char* name, const Case& run) {
  std::string said = "ok";
  try {
    run();
  } catch (const std::exception& failure) {
    said = failure.what();
    for (char& c : said) {
      if (c == '\n') c = ' ';
    }
  }
  std::printf("%s\t%s\t%s\n", group, name, said.c_str());
  std::fflush(stdout);
}
