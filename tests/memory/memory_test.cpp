/**
 * Arrays elsewhere, given to methods in this process, or on the server that FIELDS_SERVER names.
 *
 * In one process an array is handed over as it is, and whoever touches an element gets an
 * exception. To another process it goes by way of host memory, and what replaces it comes back to
 * its space.
 */
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fields_InCxx.hxx"
#include "fields_Particle.hxx"
#include "fields_Store.hxx"
#include "sidl_MemorySpaceException.hxx"
#include "sidl_NotImplementedException.hxx"
#include "test_space.h"

namespace {

const char* const server = std::getenv("FIELDS_SERVER");

fields::Store make(const std::string& language) {
  sidl::exception_slot ex;
  const sidl_type_info* const type = sidl_type_find(("fields.In" + language).c_str());
  void* const object =
      server != nullptr ? sidl_create_remote(type, server, ex.ptr()) : sidl_create(type, ex.ptr());
  ex.check<>();
  const sidl::BaseInterface made(static_cast<sidl_BaseInterface__object*>(object));
  return sidl::babel_cast<fields::Store>(made);
}

class Memory : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    space_ = test_space();
    store_ = make(GetParam());
  }
  void TearDown() override {
    store_ = fields::Store();
    EXPECT_EQ(test_space_blocks(), 0);
  }
  static bool is_remote() { return server != nullptr; }
  static bool is_simhandle() {
    return server != nullptr && std::string_view(server).substr(0, 9) == "simhandle";
  }
  bool is_fortran() const { return GetParam() == "Fortran"; }

  /** m by n, in column order from (1, 0), of 1, 2, … in memory order. */
  static sidl::array<double> numbers(int64_t m, int64_t n) {
    const int64_t lower[] = {1, 0}, upper[] = {m, n - 1};
    auto a = sidl::array<double>::createCol(2, lower, upper);
    double next = 0;
    for (double& each : a) each = ++next;
    return a;
  }

  sidl::memory_space space_;
  fields::Store store_;
};

constexpr int64_t sizes[][2] = {{3, 4}, {700, 300}};  // sent in a message, and as a segment

TEST_P(Memory, GivesBackWhatItGot) {
  for (const auto& [m, n] : sizes) {
    const sidl::array<double> there = numbers(m, n).in(space_);
    if (!is_remote() && is_fortran()) {
      EXPECT_THROW(store_.give(there), sidl::MemorySpaceException);
      continue;
    }
    const sidl::array<double> got = store_.give(there);
    if (is_remote()) {
      EXPECT_EQ(got.space(), sidl::host_memory);
      EXPECT_EQ(got.get(m, n - 1), m * n);
    } else {
      EXPECT_EQ(got._get_ior(), there._get_ior());
    }
  }
}

TEST_P(Memory, PassesAnyArrayOn) {
  const sidl::array<double> there = numbers(3, 4).in(space_);
  const sidl::basearray got = store_.give_any(there);
  EXPECT_EQ(got.space(), is_remote() ? sidl::host_memory : space_);
  if (!is_remote()) {
    EXPECT_EQ(got.address(), there.address());
  }
}

TEST_P(Memory, ReadsElementsOnTheHostOnly) {
  for (const auto& [m, n] : sizes) {
    const sidl::array<double> there = numbers(m, n).in(space_);
    const double sum = static_cast<double>(m * n) * static_cast<double>(m * n + 1) / 2;
    if (is_remote()) {
      EXPECT_EQ(store_.total(there), sum);
      // every second row of every third column, from behind
      const int64_t count[] = {m / 2, n / 3}, start[] = {m, n - 1}, step[] = {-2, -3};
      const sidl::array<double> here = numbers(m, n).slice(2, count, start, step);
      EXPECT_EQ(store_.total(there.slice(2, count, start, step)), store_.total(here));
    } else {
      EXPECT_THROW(store_.total(there), sidl::MemorySpaceException);
    }
    EXPECT_EQ(store_.total_any(there), sum) << "it brings them to the host";
    EXPECT_EQ(store_.total(there.in(sidl::host_memory)), sum);
  }
}

TEST_P(Memory, AnInoutArrayComesBackToItsSpace) {
  for (const auto& [m, n] : sizes) {
    sidl::array<double> a = numbers(m, n).in(space_);
    if (!is_remote()) {
      EXPECT_THROW(store_.scale(a, 2), sidl::MemorySpaceException);
      EXPECT_EQ(a.space(), space_);
      EXPECT_EQ(a.in(sidl::host_memory).get(1, 0), 1);
      continue;
    }
    const sidl::array<double> was = a;
    store_.scale(a, 2);
    EXPECT_EQ(a.space(), space_);
    EXPECT_EQ(a.in(sidl::host_memory).get(m, n - 1), 2.0 * m * n);
    const bool lands = is_simhandle() && m * n * 8 > 4096;
    EXPECT_TRUE(!lands || a._get_ior() == was._get_ior()) << "received where it was";
    store_.scale_rows(a, 2);
    EXPECT_EQ(a.space(), space_);
    EXPECT_EQ(a.in(sidl::host_memory).get(m, n - 1), 4.0 * m * n);
  }
}

TEST_P(Memory, PartOfAnInoutArray) {
  if (!is_remote()) return;
  for (const auto& [m, n] : sizes) {
    const sidl::array<double> a = numbers(m, n).in(space_);
    const int64_t count[] = {m - 1, n / 2}, start[] = {2, 0}, step[] = {1, 2};
    sidl::array<double> part = a.slice(2, count, start, step);
    store_.scale(part, 10);
    const sidl::array<double> seen = part.in(sidl::host_memory);
    const sidl::array<double> before = numbers(m, n);
    for (int64_t k = 0; k < n / 2; ++k) {
      for (int64_t i = 0; i < m - 1; ++i) {
        EXPECT_EQ(seen.get(2 + i, k), 10 * before.get(2 + i, 2 * k));
      }
    }
    EXPECT_EQ(a.in(sidl::host_memory).get(1, 0), 1) << "not of the part";
  }
}

TEST_P(Memory, ALongerArrayComesBackToTheSpace) {
  if (is_fortran()) return;  // whose inout arrays keep their shape
  for (const int64_t length : {5, 5000}) {
    auto here = sidl::array<int32_t>::create1d(length);
    for (int32_t& each : here) each = 3;
    sidl::array<int32_t> a = here.in(space_);
    store_.lengthen(a);
    EXPECT_EQ(a.length64(), length + 1);
    EXPECT_EQ(a.space(), is_remote() ? space_ : sidl::host_memory);
    EXPECT_EQ(a.in(sidl::host_memory).get(length), -1);
  }
}

TEST_P(Memory, WhatOnlyTheHostCanHoldStaysThere) {
  for (const int64_t length : {5, 5000}) {
    sidl::basearray a = sidl::array<int32_t>::create1d(length).in(space_);
    EXPECT_EQ(store_.label(a), length);
    const sidl::array<std::string> texts = a;
    ASSERT_TRUE(texts._not_nil());
    EXPECT_EQ(texts.space(), sidl::host_memory);
    EXPECT_EQ(texts.get(1), "two");
  }
}

TEST_P(Memory, Bools) {
  auto here = sidl::array<bool>::create1d(3);
  for (int i = 0; i < 3; ++i) here[i] = i == 1;
  sidl::array<bool> a = here.in(space_);
  if (!is_remote()) {
    EXPECT_THROW(store_.toggle(a), sidl::MemorySpaceException);
    return;
  }
  store_.toggle(a);
  EXPECT_EQ(a.space(), space_);
  EXPECT_TRUE(a.in(sidl::host_memory).get(0));
  EXPECT_FALSE(a.in(sidl::host_memory).get(1));
}

TEST_P(Memory, PlainStructs) {
  for (const int64_t length : {3, 3000}) {
    auto here = sidl::array<fields::Particle>::create1d(length);
    for (int64_t i = 0; i < length; ++i) {
      here[i] = fields::Particle();
      here[i].x = static_cast<double>(i);
      here[i].id = i;
    }
    const sidl::array<fields::Particle> there = here.in(space_);
    EXPECT_EQ(there.space(), space_);
    EXPECT_THROW(there.get(0), sidl::memory_space_error);
    sidl::array<fields::Particle> a = there;
    if (!is_remote()) {
      EXPECT_THROW(store_.move(a, 1), sidl::MemorySpaceException);
      continue;
    }
    EXPECT_EQ(store_.give_particles(there).get(length - 1).id, length - 1);
    store_.move(a, 1);
    EXPECT_EQ(a.space(), space_);
    EXPECT_EQ(a.in(sidl::host_memory).get(length - 1).x, static_cast<double>(length));
    const bool goes_back = length * static_cast<int64_t>(sizeof(fields::Particle)) >= 4096;
    EXPECT_EQ(a._get_ior() == there._get_ior(), goes_back) << "smaller ones are replaced";
    const int64_t count = length / 2, step = 2;
    sidl::array<fields::Particle> part = there.slice(1, &count, nullptr, &step);
    store_.move(part, 5);
    const double moved_before = goes_back ? 1 : 0;
    EXPECT_EQ(part.in(sidl::host_memory).get(count - 1).x, 5 + moved_before + 2.0 * (count - 1));
    sidl::array<fields::Particle> none = sidl::array<fields::Particle>::create1d(0).in(space_);
    store_.move(none, 1);
    EXPECT_EQ(none.space(), space_);
  }
}

TEST_P(Memory, GoesInParts) {
  if (!is_simhandle()) return;  // other protocols get it whole
  constexpr std::size_t parts = std::size_t{256} << 10;
  sidl::array<double> a = numbers(1024, 1024).in(space_);
  test_space_copied();
  test_space_largest();
  store_.scale(a, 2);
  EXPECT_LE(test_space_largest(), parts);
  const std::size_t bytes = std::size_t{8} << 20;
  EXPECT_LT(test_space_copied(), 3 * bytes) << "what the network has not taken is fetched again";
}

TEST_P(Memory, ADeviceThatNobodyReaches) {
  const int64_t lower[] = {0, 0}, upper[] = {99, 99}, stride[] = {1, 100};
  sidl::array<double> a(reinterpret_cast<sidl_double__array*>(sidl__array_borrow_in(
      sidl_memory_space_find(sidl_device_vulkan, 1), sidl_double_array, nullptr,
      reinterpret_cast<void*>(0x1000), 2, lower, upper, stride, [](void*) {}, nullptr)));
  EXPECT_THROW(store_.total(a), sidl::MemorySpaceException);
  EXPECT_THROW(store_.total_any(a), sidl::MemorySpaceException);
  EXPECT_THROW(store_.scale(a, 2), sidl::MemorySpaceException);
  EXPECT_THROW(a.in(sidl::host_memory), sidl::memory_space_error);
  EXPECT_EQ(store_.total(numbers(2, 2)), 10) << "the connection goes on";
}

TEST_P(Memory, ADeviceThatFails) {
  const sidl::array<double> a = numbers(700, 300).in(space_);
  test_space_fail(TRUE);
  EXPECT_THROW(store_.total(a), sidl::BaseException);
  test_space_fail(FALSE);
  EXPECT_EQ(store_.total(numbers(2, 2)), 10);
}

TEST(MemoryInCxx, AccessorsThrow) {
  const sidl::memory_space space = test_space();
  const auto here = sidl::array<double>::create1d(3);
  sidl::array<double> there = here.in(space);
  const int64_t index[] = {0};
  EXPECT_THROW(there.get(0), sidl::memory_space_error);
  EXPECT_THROW(there.get(index), sidl::memory_space_error);
  EXPECT_THROW(there.set(0, 1.0), sidl::memory_space_error);
  EXPECT_THROW(there.begin(), sidl::memory_space_error);
  EXPECT_THROW(there.end(), sidl::memory_space_error);
  EXPECT_THROW(there.span(), sidl::memory_space_error);
  EXPECT_EQ(there.first(), nullptr);
  EXPECT_NE(there.address(), nullptr);
  there.smartCopy();
  EXPECT_EQ(there.space(), space);
  const int64_t lower[] = {0}, upper[] = {4};
  sidl::array<double> other =
      sidl::array<double>::create_in(space, sidl::column_major_order, 1, lower, upper);
  other.copy(here);
  other.copy(there);
  EXPECT_THROW(sidl::array<double>().in(space).get(0), std::out_of_range) << "nil stays nil";
}

TEST(MemoryInCxx, DLPack) {
  auto here = sidl::array<int32_t>::create1d(3);
  here[2] = 7;
  const sidl::array<int32_t> there = here.in(test_space());
  const sidl::array<int32_t> again = sidl::basearray::from_dlpack(there.to_dlpack());
  EXPECT_EQ(again.address(), there.address());
  EXPECT_EQ(again.space(), there.space());
  EXPECT_EQ(again.in(sidl::host_memory).get(2), 7);
  EXPECT_THROW(sidl::array<std::string>::create1d(1).to_dlpack(), sidl::BaseException);
}

#ifdef FIELDS_IN_FORTRAN
const std::string languages[] = {"Cxx", "Fortran"};
#else
const std::string languages[] = {"Cxx"};
#endif
INSTANTIATE_TEST_SUITE_P(In, Memory, testing::ValuesIn(languages),
                         [](const auto& info) { return info.param; });

}  // namespace
