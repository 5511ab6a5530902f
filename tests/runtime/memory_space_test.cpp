/** Arrays whose elements are not in host memory: memory/test_space.h faults where nobody asks. */
#include "../memory/test_space.h"

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "rt_Record_IOR.h"
#include "rt_Spot_IOR.h"
#include "sidl_MemorySpaceException_IOR.h"
#include "sidl_dlpack.h"
#include "sidl_header.h"
#include "sidl_raw_array.h"
#include "sidl_struct_array.h"
#include "support.hpp"

using rt::drop;
using rt::logged;
using rt::note_of;

namespace {

/** Nothing is left in the space. */
class MemorySpace : public testing::Test {
 protected:
  void SetUp() override { space_ = test_space(); }
  void TearDown() override {
    test_space_fail(FALSE);
    EXPECT_EQ(test_space_blocks(), 0);
  }

  /** 3 x 4 in column order from (1, -1), element number i has the value i + 1. */
  static sidl__array* host(int32_t type) {
    const int64_t lower[] = {1, -1}, upper[] = {3, 2};
    sidl__array* const a = sidl__array_create(type, sidl_column_major_order, 2, lower, upper);
    const size_t size = sidl__array_element_size(type);
    auto* const first = static_cast<unsigned char*>(sidl__array_first(a));
    for (size_t i = 0; i < 12 * size; ++i) first[i] = 0;
    for (size_t i = 0; i < 12; ++i) first[i * size] = static_cast<unsigned char>(i + 1);
    return a;
  }
  static std::string bytes_of(const sidl__array* a) {
    const size_t size = sidl__array_element_bytes(a) * sidl__array_element_count(a);
    return {static_cast<const char*>(sidl__array_first(a)), size};
  }

  const sidl_memory_space* space_;
};

constexpr int32_t kinds[] = {sidl_bool_array,     sidl_char_array,    sidl_int_array,
                             sidl_long_array,     sidl_float_array,   sidl_double_array,
                             sidl_fcomplex_array, sidl_dcomplex_array};

TEST_F(MemorySpace, HasANameAndIsTheSameForTheSameDevice) {
  EXPECT_STREQ(sidl_memory_space_name(space_), "the test space");
  EXPECT_EQ(sidl_memory_space_find(sidl_device_extension, 0), space_);
  EXPECT_NE(sidl_memory_space_find(sidl_device_extension, 1), space_);
  EXPECT_STREQ(sidl_memory_space_name(sidl_memory_space_find(sidl_device_extension, 1)),
               "device 12:1");
  for (const int32_t type : {sidl_device_host, sidl_device_cuda_host, sidl_device_cuda_managed}) {
    EXPECT_EQ(sidl_memory_space_find(type, 0), nullptr) << "the host's";
  }
  EXPECT_STREQ(sidl_memory_space_name(nullptr), "host memory");
  EXPECT_EQ(sidl_memory_space_device_type(nullptr), sidl_device_host);
  EXPECT_EQ(sidl_memory_space_device_type(space_), sidl_device_extension);
}

TEST_F(MemorySpace, ThereAndBack) {
  for (const int32_t type : kinds) {
    sidl__array* const a = host(type);
    sidl__array* const there = sidl__array_in(space_, a);
    ASSERT_NE(there, nullptr);
    EXPECT_EQ(sidl__array_space(there), space_);
    EXPECT_EQ(sidl__array_first(there), nullptr);
    EXPECT_NE(sidl__array_address(there), nullptr);
    EXPECT_EQ(sidl__array_lower64(there, 1), -1);
    EXPECT_EQ(sidl__array_upper64(there, 0), 3);
    EXPECT_TRUE(sidl__array_isColumnOrder(there));
    sidl__array* const same = sidl__array_in(space_, there);
    EXPECT_EQ(same, there);
    sidl__array* const back = sidl__array_in(nullptr, there);
    EXPECT_EQ(sidl__array_space(back), nullptr);
    EXPECT_EQ(bytes_of(back), bytes_of(a));
    for (sidl__array* const each : {a, there, same, back}) sidl__array_deleteRef(each);
  }
}

TEST_F(MemorySpace, SlicesOrdersAndCopiesStayThere) {
  for (const int32_t type : kinds) {
    sidl__array* const a = host(type);
    sidl__array* const there = sidl__array_in(space_, a);
    const int64_t count[] = {2, 2}, start[] = {3, -1}, step[] = {-2, 3};
    sidl__array* const part = sidl__array_slice(a, 2, count, start, step, nullptr);
    sidl__array* const part_there = sidl__array_slice(there, 2, count, start, step, nullptr);
    ASSERT_NE(part_there, nullptr);
    EXPECT_EQ(sidl__array_space(part_there), space_);
    for (const int order : {sidl_row_major_order, sidl_column_major_order, sidl_general_order}) {
      sidl__array* const ordered = sidl__array_ensure(part, 2, order);
      sidl__array* const ordered_there = sidl__array_ensure(part_there, 2, order);
      EXPECT_EQ(sidl__array_space(ordered_there), space_);
      sidl__array* const dense = sidl__array_ensure(ordered, 2, sidl_column_major_order);
      sidl__array* const seen = sidl__array_in(nullptr, ordered_there);
      sidl__array* const dense_seen = sidl__array_ensure(seen, 2, sidl_column_major_order);
      EXPECT_EQ(bytes_of(dense_seen), bytes_of(dense));
      for (sidl__array* const each : {ordered, ordered_there, dense, seen, dense_seen}) {
        sidl__array_deleteRef(each);
      }
    }
    sidl__array* const kept = sidl__array_smartCopy(part_there);
    EXPECT_EQ(kept, part_there) << "it owns what it has";
    // into a part, from another one of other strides
    sidl__array* const target = sidl__array_in(space_, a);
    sidl__array* const same_here = sidl__array_in(nullptr, a);
    sidl__array* const copy_here = sidl__array_ensure(part, 2, sidl_row_major_order);
    sidl__array_copy(part_there, target);
    sidl__array_copy(part, same_here);
    sidl__array* const result = sidl__array_in(nullptr, target);
    EXPECT_EQ(bytes_of(result), bytes_of(same_here));
    for (sidl__array* const each :
         {a, there, part, part_there, kept, target, same_here, copy_here, result}) {
      sidl__array_deleteRef(each);
    }
  }
}

TEST_F(MemorySpace, BigArraysGoInParts) {
  const int64_t lower[] = {0, 0}, upper[] = {1023, 1023};
  sidl__array* const here =
      sidl__array_create(sidl_double_array, sidl_column_major_order, 2, lower, upper);
  auto* const first = static_cast<double*>(sidl__array_first(here));
  for (int i = 0; i < 1024 * 1024; ++i) first[i] = i;
  sidl__array* const there = sidl__array_create_in(space_, sidl_double_array, nullptr,
                                                   sidl_row_major_order, 2, lower, upper);
  sidl__array_copy(here, there);
  test_space_largest();
  sidl__array* const ordered = sidl__array_ensure(there, 2, sidl_column_major_order);
  EXPECT_LE(test_space_largest(), size_t{256} << 10);
  sidl__array* const back = sidl__array_in(nullptr, ordered);
  EXPECT_EQ(bytes_of(back), bytes_of(here));
  for (sidl__array* const each : {here, there, ordered, back}) sidl__array_deleteRef(each);
}

#define ACCESSORS(name, value_type)                                                                \
  TEST_F(MemorySpace, Accessors_of_##name) {                                                       \
    sidl__array* const a = host(sidl_##name##_array);                                              \
    auto* const there = sidl_##name##__array_cast(sidl__array_in(space_, a));                      \
    const value_type zero = {}, before = *static_cast<value_type*>(sidl__array_first(a));          \
    const int32_t narrow[] = {1, -1};                                                              \
    const int64_t wide[] = {1, -1};                                                                \
    const std::string log = logged([&] {                                                           \
      const value_type got[] = {sidl_##name##__array_get2(there, 1, -1),                           \
                                sidl_##name##__array_get(there, narrow),                           \
                                sidl_##name##__array_get64(there, wide)};                          \
      for (const value_type& each : got) EXPECT_EQ(memcmp(&each, &zero, sizeof zero), 0);          \
      sidl_##name##__array_set2(there, 1, -1, zero);                                               \
      sidl_##name##__array_set(there, narrow, zero);                                               \
      sidl_##name##__array_set64(there, wide, zero);                                               \
      EXPECT_EQ(sidl_##name##__array_first(there), nullptr);                                       \
    });                                                                                            \
    EXPECT_NE(log.find("they are in the test space"), std::string::npos) << log;                   \
    sidl__array* const back = sidl__array_in(nullptr, sidl_array_cast(there));                     \
    EXPECT_EQ(memcmp(sidl__array_first(back), &before, sizeof before), 0) << "not written";        \
    for (sidl__array* const each : {a, sidl_array_cast(there), back}) sidl__array_deleteRef(each); \
  }
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) ACCESSORS(name, ctype)
#define SIDL_STRING(name, kind, array, ctype, Name, numpy)
#define SIDL_LOCAL(name, kind, array, ctype, Name, numpy)
#include "sidl_kinds.def"

TEST_F(MemorySpace, ElementsThatAreMoreThanTheirBytesAreRefused) {
  const int64_t lower = 0, upper = 1, stride = 1;
  void* two[2] = {};
  for (const int32_t type : {sidl_string_array, sidl_interface_array, sidl_opaque_array}) {
    EXPECT_EQ(sidl__array_create_in(space_, type, nullptr, sidl_row_major_order, 1, &lower, &upper),
              nullptr);
    EXPECT_EQ(sidl__array_borrow_in(space_, type, nullptr, two, 1, &lower, &upper, &stride, nullptr,
                                    nullptr),
              nullptr);
    sidl__array* const a = sidl__array_create(type, sidl_row_major_order, 1, &lower, &upper);
    EXPECT_EQ(sidl__array_in(space_, a), nullptr);
    sidl__array_deleteRef(a);
  }
  EXPECT_EQ(sidl__array_create_in(space_, sidl_struct_array, &rt_Record__info, sidl_row_major_order,
                                  1, &lower, &upper),
            nullptr);
  EXPECT_EQ(sidl__array_create_in(space_, sidl_struct_array, nullptr, sidl_row_major_order, 1,
                                  &lower, &upper),
            nullptr);
}

TEST_F(MemorySpace, BadBoundsAreRefused) {
  const int64_t lower[] = {0, 0}, bad[] = {INT64_C(1) << 62, INT64_C(1) << 62}, wrong[] = {-5, 0};
  for (const int64_t* upper : {bad, wrong}) {
    EXPECT_EQ(sidl__array_create_in(space_, sidl_double_array, nullptr, sidl_row_major_order, 2,
                                    lower, upper),
              nullptr);
  }
  const int64_t none[] = {-1, 3};
  sidl__array* const empty = sidl__array_create_in(space_, sidl_double_array, nullptr,
                                                   sidl_row_major_order, 2, lower, none);
  ASSERT_NE(empty, nullptr);
  sidl__array* const back = sidl__array_in(nullptr, empty);
  EXPECT_EQ(sidl__array_element_count(back), 0u);
  sidl__array_deleteRef(empty);
  sidl__array_deleteRef(back);
}

TEST_F(MemorySpace, WithoutFunctionsArraysAreOnlyPassedOn) {
  const sidl_memory_space* const far = sidl_memory_space_find(sidl_device_vulkan, 3);
  const int64_t lower = 0, upper = 3, stride = 1;
  int given_back = 0;
  auto* const a = sidl__array_borrow_in(
      far, sidl_double_array, nullptr, reinterpret_cast<void*>(0x10000), 1, &lower, &upper, &stride,
      [](void* owner) { ++*static_cast<int*>(owner); }, &given_back);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(sidl__array_in(nullptr, a), nullptr);
  EXPECT_EQ(sidl__array_in(space_, a), nullptr);
  EXPECT_EQ(sidl__array_create_in(far, sidl_double_array, nullptr, sidl_row_major_order, 1, &lower,
                                  &upper),
            nullptr);
  sidl__array* const part = sidl__array_slice(a, 1, &stride, nullptr, nullptr, nullptr);
  sidl__array_deleteRef(a);
  EXPECT_EQ(given_back, 0);
  EXPECT_EQ(sidl__array_address(part), reinterpret_cast<void*>(0x10000));
  sidl__array_deleteRef(part);
  EXPECT_EQ(given_back, 1);
}

TEST_F(MemorySpace, WhatNeedsTheHostThrows) {
  sidl__array* const a = host(sidl_double_array);
  sidl__array* const there = sidl__array_in(space_, a);
  sidl_BaseInterface__object* ex = nullptr;
  EXPECT_TRUE(sidl__array_require_host(a, "x", &ex));
  EXPECT_FALSE(sidl__array_require_host(there, "x", &ex));
  EXPECT_EQ(note_of(ex),
            "x: the array's elements are in the test space, but are needed in host memory");
  drop(ex);
  const int64_t extents[] = {3, 4};
  EXPECT_EQ(sidl_raw_array_accept(there, 2, extents, "x", &ex), nullptr);
  ASSERT_NE(ex, nullptr);
  drop(ex);
  // an order is made there
  sidl__array* const ordered = sidl_array_demand(there, 2, sidl_row_major_order, "x", &ex);
  ASSERT_EQ(ex, nullptr);
  EXPECT_EQ(sidl__array_space(ordered), space_);
  for (sidl__array* const each : {a, there, ordered}) sidl__array_deleteRef(each);
}

TEST_F(MemorySpace, CopiesThatFailLeaveNothing) {
  sidl__array* const a = host(sidl_double_array);
  sidl__array* const there = sidl__array_in(space_, a);
  test_space_fail(TRUE);
  EXPECT_EQ(sidl__array_in(nullptr, there), nullptr);
  EXPECT_EQ(sidl__array_in(space_, a), nullptr);
  EXPECT_EQ(sidl__array_ensure(there, 2, sidl_row_major_order), nullptr);
  EXPECT_NE(logged([&] { sidl__array_copy(there, a); }), "");
  sidl_BaseInterface__object* ex = nullptr;
  EXPECT_EQ(sidl_array_demand(there, 2, sidl_row_major_order, "x", &ex), nullptr);
  ASSERT_NE(ex, nullptr);
  EXPECT_STREQ(sidl_object_type(ex)->name, "sidl.MemorySpaceException");
  drop(ex);
  sidl__array_deleteRef(a);
  sidl__array_deleteRef(there);
}

TEST_F(MemorySpace, PlainStructs) {
  const int64_t lower = 0, upper = 2, at = 1;
  sidl__array* const a =
      sidl_struct__array_create(&rt_Spot__info, sidl_row_major_order, 1, &lower, &upper);
  memset(sidl__array_first(a), 7, 3 * rt_Spot__info.size);
  sidl__array* const there = sidl__array_in(space_, a);
  ASSERT_NE(there, nullptr);
  EXPECT_EQ(sidl__array_struct(there), &rt_Spot__info);
  EXPECT_EQ(sidl_struct__array_cast(&rt_Spot__info, there), there);
  EXPECT_NE(logged([&] { EXPECT_EQ(sidl_struct__array_at(there, 1, &at), nullptr); }), "");
  sidl__array* const back = sidl__array_in(nullptr, there);
  EXPECT_EQ(bytes_of(back), bytes_of(a));
  for (sidl__array* const each : {a, there, back}) sidl__array_deleteRef(each);
}

// ---- DLPack ----

/** DLPack's tensors, written down once more, from its documentation. */
struct Tensor {
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};
struct Versioned {
  uint32_t major, minor;
  void* context;
  void (*deleter)(Versioned*);
  uint64_t flags;
  Tensor tensor;
};
template <class T, class From>
T* as(From* tensor) {
  return reinterpret_cast<T*>(tensor);
}

TEST_F(MemorySpace, DLPackOut) {
  struct Expected {
    int32_t type;
    int code, bits;
  };
  for (const Expected each :
       {Expected{sidl_char_array, 1, 8}, Expected{sidl_int_array, 0, 32},
        Expected{sidl_long_array, 0, 64}, Expected{sidl_float_array, 2, 32},
        Expected{sidl_double_array, 2, 64}, Expected{sidl_fcomplex_array, 5, 64},
        Expected{sidl_dcomplex_array, 5, 128}}) {
    for (const sidl_memory_space* const space : {space_, static_cast<decltype(space_)>(nullptr)}) {
      sidl__array* const a = host(each.type);
      sidl__array* const there = sidl__array_in(space, a);
      const int64_t count[] = {2, 4}, step[] = {2, 1};
      sidl__array* const part = sidl__array_slice(there, 2, count, nullptr, step, nullptr);
      sidl_BaseInterface__object* ex = nullptr;
      auto* const tensor = as<Versioned>(sidl__array_to_dlpack_versioned(part, &ex));
      ASSERT_EQ(ex, nullptr);
      EXPECT_EQ(tensor->major, 1u);
      EXPECT_EQ(tensor->flags, 0u);
      auto* const plain = as<Managed>(sidl__array_to_dlpack(part, &ex));
      for (const Tensor* t : {&tensor->tensor, &plain->tensor}) {
        EXPECT_EQ(t->data, sidl__array_address(part));
        EXPECT_EQ(t->device_type, space == nullptr ? 1 : 12);
        EXPECT_EQ(t->ndim, 2);
        EXPECT_EQ(t->code, each.code);
        EXPECT_EQ(t->bits, each.bits);
        EXPECT_EQ(t->lanes, 1);
        EXPECT_EQ(t->shape[0], 2);
        EXPECT_EQ(t->shape[1], 4);
        EXPECT_EQ(t->strides[0], 2);
        EXPECT_EQ(t->strides[1], 3);
        EXPECT_EQ(t->byte_offset, 0u);
      }
      for (sidl__array* const array : {a, there, part}) sidl__array_deleteRef(array);
      // a tensor is an array again, and keeps the elements
      sidl__array* const again =
          sidl__array_from_dlpack_versioned(as<DLManagedTensorVersioned>(tensor), &ex);
      ASSERT_EQ(ex, nullptr);
      EXPECT_EQ(sidl__array_type(again), each.type);
      EXPECT_EQ(sidl__array_space(again), space);
      EXPECT_EQ(sidl__array_stride64(again, 1), 3);
      EXPECT_EQ(sidl__array_lower64(again, 1), 0);
      sidl__array_deleteRef(again);
      plain->deleter(plain);
    }
  }
}

TEST_F(MemorySpace, DLPackOutRefuses) {
  sidl_BaseInterface__object* ex = nullptr;
  const int64_t lower = 0, upper = 1;
  EXPECT_EQ(sidl__array_to_dlpack(nullptr, &ex), nullptr);
  EXPECT_EQ(note_of(ex), "a null array has no DLPack tensor");
  drop(ex);
  for (const int32_t type :
       {sidl_bool_array, sidl_string_array, sidl_opaque_array, sidl_interface_array}) {
    sidl__array* const a = sidl__array_create(type, sidl_row_major_order, 1, &lower, &upper);
    EXPECT_EQ(sidl__array_to_dlpack_versioned(a, &ex), nullptr);
    EXPECT_NE(ex, nullptr);
    drop(ex);
    sidl__array_deleteRef(a);
  }
}

/** A tensor of ours over two rows of three doubles. */
struct Source {
  double numbers[6] = {1, 2, 3, 4, 5, 6};
  int64_t shape[7] = {2, 3, 1, 1, 1, 1, 1};
  int64_t strides[7] = {3, 1, 1, 1, 1, 1, 1};
  int deleted = 0;
  Versioned versioned = {
      1,    1,
      this, [](Versioned* self) {
                           ++static_cast<Source*>(self->context)->deleted; },
      0,    {numbers, 1, 0, 2, 2, 64, 1, shape, strides, 0}};

  sidl__array* array(sidl_BaseInterface__object** ex) {
    return sidl__array_from_dlpack_versioned(as<DLManagedTensorVersioned>(&versioned), ex);
  }
  std::string refused() {
    sidl_BaseInterface__object* ex = nullptr;
    EXPECT_EQ(array(&ex), nullptr);
    EXPECT_EQ(deleted, 0) << "it is the caller's still";
    const std::string text = ex == nullptr ? "" : note_of(ex);
    drop(ex);
    return text;
  }
};

TEST_F(MemorySpace, DLPackIn) {
  sidl_BaseInterface__object* ex = nullptr;
  {
    Source source;
    source.versioned.tensor.strides = nullptr;
    source.versioned.tensor.byte_offset = sizeof(double);
    source.shape[0] = 1;
    auto* const a = sidl_double__array_cast(source.array(&ex));
    ASSERT_EQ(ex, nullptr);
    EXPECT_EQ(sidl_double__array_first(a), source.numbers + 1);
    EXPECT_EQ(sidl_double__array_get2(a, 0, 2), 4);
    EXPECT_EQ(source.deleted, 0);
    sidl_double__array_deleteRef(a);
    EXPECT_EQ(source.deleted, 1);
  }
  {
    Source source;  // which must not be written to
    source.versioned.flags = 1;
    auto* const a = sidl_double__array_cast(source.array(&ex));
    ASSERT_EQ(ex, nullptr);
    EXPECT_EQ(source.deleted, 1);
    EXPECT_NE(sidl_double__array_first(a), source.numbers);
    EXPECT_EQ(sidl_double__array_get2(a, 1, 0), 4);
    sidl_double__array_deleteRef(a);
  }
  {
    Source source;  // read-only, in a space nobody can read
    source.versioned.flags = 1;
    source.versioned.tensor.device_type = 4;
    EXPECT_EQ(source.refused(), "a read-only DLPack tensor in device 4:0 cannot be copied");
  }
}

TEST_F(MemorySpace, DLPackInRefusesWhatIsNoArray) {
  sidl_BaseInterface__object* ex = nullptr;
  EXPECT_EQ(sidl__array_from_dlpack_versioned(nullptr, &ex), nullptr);
  EXPECT_EQ(note_of(ex), "there is no DLPack tensor");
  drop(ex);
  const auto refused = [](auto change) {
    Source source;
    change(source.versioned, source);
    return source.refused();
  };
  EXPECT_EQ(refused([](Versioned& v, Source&) { v.major = 2; }),
            "a tensor of DLPack 2.1, of which only 1 is known");
  EXPECT_EQ(refused([](Versioned& v, Source&) { v.tensor.ndim = 0; }),
            "a DLPack tensor has 0 dimensions, not 1 to 7");
  EXPECT_EQ(refused([](Versioned& v, Source&) { v.tensor.ndim = 8; }),
            "a DLPack tensor has 8 dimensions, not 1 to 7");
  EXPECT_EQ(refused([](Versioned& v, Source&) { v.tensor.bits = 16; }),
            "no array of SIDL's has DLPack's elements of type 2, 16 bits and 1 lanes");
  EXPECT_NE(refused([](Versioned& v, Source&) {
              v.tensor.code = 0;  // signed: a char is not
              v.tensor.bits = 8;
            }),
            "");
  EXPECT_NE(refused([](Versioned& v, Source&) { v.tensor.lanes = 4; }), "");
  EXPECT_NE(refused([](Versioned& v, Source&) { v.tensor.code = 6; }), "");
  EXPECT_EQ(refused([](Versioned& v, Source&) { v.tensor.data = nullptr; }),
            "a DLPack tensor has elements, but no memory");
  EXPECT_NE(refused([](Versioned&, Source& s) { s.shape[0] = -1; }), "");
  EXPECT_NE(refused([](Versioned&, Source& s) { s.shape[0] = INT64_MAX; }), "");
  EXPECT_NE(refused([](Versioned&, Source& s) { s.shape[0] = s.shape[1] = INT64_C(1) << 62; }), "");
  EXPECT_NE(refused([](Versioned&, Source& s) { s.strides[0] = INT64_MAX / 4; }), "");
  EXPECT_EQ(refused([](Versioned& v, Source&) { v.tensor.byte_offset = 4; }),
            "a DLPack tensor's elements are not aligned");
  EXPECT_EQ(refused([](Versioned& v, Source&) { v.tensor.byte_offset = UINT64_MAX - 7; }),
            "a DLPack tensor's offset is beyond its memory");
  EXPECT_EQ(refused([](Versioned& v, Source&) { v.tensor.shape = nullptr; }),
            "a DLPack tensor of 2 dimensions has no shape");
}

}  // namespace
