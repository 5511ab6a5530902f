// What the tests of libsidl share: references that clean up, and checks on exceptions.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sidl_BaseException.h"
#include "sidl_BaseInterface.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "sidl_header.h"
#include "sidl_ior.h"
#include "sidl_protocol.h"

namespace rt {

using Exception = sidl_BaseInterface__object*;

inline void drop(void* object) {
  sidl_release_exception(object);
}

// What is written to stderr while `action` runs.
template <class Action>
std::string logged(const Action& action) {
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStderr();
}

// What a class without constructor and destructor is known by.
inline sidl_class make_class(const sidl_type_info* info, void* epv) {
  sidl_class result{};
  result.ior_major = SIDL_IOR_MAJOR_VERSION;
  result.ior_minor = SIDL_IOR_MINOR_VERSION;
  result.info = info;
  result.epv = epv;
  return result;
}

// Owns one reference to an object, seen as T.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(void* object) : object_(static_cast<T*>(object)) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { drop(object_); }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

// A string that the caller has to free.
inline std::string take(char* string) {
  std::string result = string == nullptr ? "(null)" : string;
  sidl_String_free(string);
  return result;
}

inline std::string note_of(Exception ex) {
  Exception ignored = nullptr;
  auto* const self =
      static_cast<sidl_BaseException__object*>(sidl_cast_borrowed(ex, &sidl_BaseException__info));
  return self == nullptr ? "(no exception)" : take(sidl_BaseException_getNote(self, &ignored));
}

inline std::string trace_of(Exception ex) {
  Exception ignored = nullptr;
  auto* const self =
      static_cast<sidl_BaseException__object*>(sidl_cast_borrowed(ex, &sidl_BaseException__info));
  return self == nullptr ? "(no exception)" : take(sidl_BaseException_getTrace(self, &ignored));
}

// Passes when there is no exception; shows the note otherwise. Clears it.
inline ::testing::AssertionResult ok(Exception& ex) {
  if (ex == nullptr) return ::testing::AssertionSuccess();
  auto result = ::testing::AssertionFailure()
                << sidl_object_type(ex)->name << ": " << note_of(ex) << "\n"
                << trace_of(ex);
  SIDL_CLEAR(ex);
  return result;
}

// Passes when there is an exception of the type; clears it, leaving the note in *note.
inline ::testing::AssertionResult threw(Exception& ex, const char* type,
                                        std::string* note = nullptr) {
  if (ex == nullptr) return ::testing::AssertionFailure() << "no exception";
  const bool matches = SIDL_CATCH(ex, type) != 0;
  auto result = matches ? ::testing::AssertionSuccess() : ::testing::AssertionFailure();
  result << sidl_object_type(ex)->name << ": " << note_of(ex);
  if (note != nullptr) *note = note_of(ex);
  SIDL_CLEAR(ex);
  return result;
}

// The reference count, for tests of ownership.
inline int references(const void* object) {
  const auto* const facet = static_cast<const sidl_facet_object*>(object);
  return __atomic_load_n(&static_cast<const sidl_object*>(facet->d_object)->d_refcount,
                         __ATOMIC_ACQUIRE);
}

}  // namespace rt
