// What the tests share: objects by the name of their class, and the two classes there are.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "from_c.h"
#include "sidl_RuntimeException.hxx"
#include "sidl_cxx.hxx"
#include "sidl_protocol.h"

namespace ty_test {

// Where objects are made: on the server that TY_SERVER names, or in this process.
inline const char* server() {
  return std::getenv("TY_SERVER");
}

// A new object of the class, with a reference for the caller.
inline void* create(const char* class_name) {
  sidl::exception_slot ex;
  const sidl_type_info* const type = sidl_type_find(class_name);
  void* const object =
      server() ? sidl_create_remote(type, server(), ex.ptr()) : sidl_create(type, ex.ptr());
  ex.check<>();
  return object;
}

// Every test runs with an object implemented in C and one implemented in C++.
class Both : public testing::TestWithParam<const char*> {
 protected:
  template <class Interface>
  Interface object() const {
    const sidl::BaseInterface made(static_cast<sidl_BaseInterface__object*>(create(GetParam())));
    return sidl::babel_cast<Interface>(made);
  }

  void from_c(const char* (*test)(void*)) const {
    void* const made = create(GetParam());
    const char* const failure = test(made);
    EXPECT_EQ(nullptr, failure) << failure;
    sidl::delete_ref(made);
  }
};

inline std::string language(const testing::TestParamInfo<const char*>& info) {
  return std::string(info.param) == "ty.InC" ? "C" : "Cxx";
}

// For tests of what is the same memory here and there.
#define ONLY_IN_PROCESS() \
  if (ty_test::server()) GTEST_SKIP() << "the object is in another process"

// tests/fortran builds these tests for a class of its own.
#ifndef TY_CLASSES
#define TY_CLASSES "ty.InC", "ty.InCxx"
#endif

#define IN_BOTH_LANGUAGES(Suite) \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::Values(TY_CLASSES), ty_test::language)

// Whether no object of the class is left. A server drops its references some time after a call.
template <class Class>
bool all_given_back() {
  for (int i = 0; Class::alive() != 0 && server() && i < 500; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return Class::alive() == 0;
}

// How many references there are to an array.
template <class Array>
int32_t references(const Array& array) {
  return array._get_baseior()->d_refcount;
}

}  // namespace ty_test
