/**
 * libsidl_cuda with CUDA and a device, or, without, with what fake/ has in its place.
 */
#include "sidl_cuda.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>

#include "sidl_header.h"

#ifdef FAKE_CUDA
#include "../memory/test_space.h"
#endif

namespace {

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    devices_ = sidl_cuda_register();
    if (devices_ == 0) GTEST_SKIP() << "no CUDA device";
  }
#ifdef FAKE_CUDA
  void TearDown() override {
    test_space_fail(FALSE);
    EXPECT_EQ(test_space_blocks(), 0);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "ours are not for others to see";
  }
#endif

  static const sidl_memory_space* space(int device) {
    return sidl_memory_space_find(sidl_device_cuda, device);
  }
  static sidl__array* numbers(int64_t m, int64_t n) {
    const int64_t lower[] = {0, 0}, upper[] = {m - 1, n - 1};
    sidl__array* const a =
        sidl__array_create(sidl_double_array, sidl_column_major_order, 2, lower, upper);
    auto* const first = static_cast<double*>(sidl__array_first(a));
    for (int64_t i = 0; i < m * n; ++i) first[i] = static_cast<double>(i);
    return a;
  }
  static bool equal(const sidl__array* a, const sidl__array* b) {
    const std::size_t bytes = sidl__array_element_count(a) * sidl__array_element_bytes(a);
    return sidl__array_element_count(a) == sidl__array_element_count(b) &&
           std::memcmp(sidl__array_first(a), sidl__array_first(b), bytes) == 0;
  }

  int devices_ = 0;
};

TEST_F(Cuda, HasNames) {
  for (int device = 0; device < devices_; ++device) {
    EXPECT_EQ(sidl_memory_space_name(space(device)), "CUDA device " + std::to_string(device));
  }
  EXPECT_EQ(sidl_cuda_register(), devices_);
}

TEST_F(Cuda, ThereAndBack) {
  for (int device = 0; device < devices_; ++device) {
    int before = -1, after = -1;
    cudaGetDevice(&before);
    sidl__array* const a = numbers(1000, 300);
    sidl__array* const there = sidl__array_in(space(device), a);
    ASSERT_NE(there, nullptr);
    EXPECT_EQ(sidl__array_first(there), nullptr);
    sidl__array* const back = sidl__array_in(nullptr, there);
    EXPECT_TRUE(equal(a, back));
    for (sidl__array* const each : {a, there, back}) sidl__array_deleteRef(each);
    cudaGetDevice(&after);
    EXPECT_EQ(after, before);
  }
}

TEST_F(Cuda, Strides) {
  sidl__array* const a = numbers(50, 40);
  sidl__array* const there = sidl__array_in(space(0), a);
  for (const int64_t by : {1, 3, -2}) {
    const int64_t count[] = {12, 11}, start[] = {by < 0 ? 49 : 0, by < 0 ? 39 : 0};
    const int64_t step[] = {by, by};
    sidl__array* const part = sidl__array_slice(a, 2, count, start, step, nullptr);
    sidl__array* const part_there = sidl__array_slice(there, 2, count, start, step, nullptr);
    sidl__array* const dense = sidl__array_ensure(part, 2, sidl_row_major_order);
    sidl__array* const dense_there = sidl__array_ensure(part_there, 2, sidl_row_major_order);
    ASSERT_NE(dense_there, nullptr);
    sidl__array* const back = sidl__array_in(nullptr, dense_there);
    EXPECT_TRUE(equal(dense, back));
    for (sidl__array* const each : {part, part_there, dense, dense_there, back}) {
      sidl__array_deleteRef(each);
    }
  }
  sidl__array_deleteRef(a);
  sidl__array_deleteRef(there);
}

TEST_F(Cuda, BetweenDevicesAndThreads) {
  sidl__array* const a = numbers(100, 100);
  sidl__array* const first = sidl__array_in(space(0), a);
  sidl__array* second = nullptr;
  std::thread([&] { second = sidl__array_in(space(devices_ - 1), first); }).join();
  std::thread([&] { sidl__array_deleteRef(first); }).join();
  sidl__array* const back = sidl__array_in(nullptr, second);
  EXPECT_TRUE(equal(a, back));
  for (sidl__array* const each : {a, second, back}) sidl__array_deleteRef(each);
}

TEST_F(Cuda, TooMuchMemory) {
  const int64_t lower = 0, upper = (int64_t{1} << 50) - 1;
  EXPECT_EQ(sidl__array_create_in(space(0), sidl_double_array, nullptr, sidl_row_major_order, 1,
                                  &lower, &upper),
            nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

#ifdef FAKE_CUDA
TEST_F(Cuda, EquidistantElementsAreOneCopy) {
  sidl__array* const a = numbers(64, 64);
  sidl__array* const there = sidl__array_in(space(0), a);
  const int64_t count[] = {0, 64};
  sidl__array* const row = sidl__array_slice(there, 1, count, nullptr, nullptr, nullptr);
  fake_cuda_copies();
  sidl__array* const back = sidl__array_in(nullptr, row);
  EXPECT_EQ(fake_cuda_copies(), 1);
  for (sidl__array* const each : {a, there, row, back}) sidl__array_deleteRef(each);
}

TEST_F(Cuda, CopiesThatFail) {
  sidl__array* const a = numbers(3, 3);
  sidl__array* const there = sidl__array_in(space(1), a);
  test_space_fail(TRUE);
  EXPECT_EQ(sidl__array_in(nullptr, there), nullptr);
  EXPECT_EQ(sidl__array_in(space(0), there), nullptr);
  sidl__array_deleteRef(a);
  sidl__array_deleteRef(there);
}
#endif

}  // namespace
