// What the tests share: objects by the name of their class, and the two classes there are.
#pragma once

#include <gtest/gtest.h>

#include "from_c.h"
#include "sidl_RuntimeException.hxx"
#include "sidl_cxx.hxx"
#include "sidl_protocol.h"

namespace ty_test {

// A new object of the class, with a reference for the caller.
inline void* create(const char* class_name) {
  sidl::exception_slot ex;
  void* const object = sidl_create(sidl_type_find(class_name), ex.ptr());
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

#define IN_BOTH_LANGUAGES(Suite) \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::Values("ty.InC", "ty.InCxx"), ty_test::language)

// How many references there are to an array.
template <class Array>
int32_t references(const Array& array) {
  return array._get_baseior()->d_refcount;
}

}  // namespace ty_test
