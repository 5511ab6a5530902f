// What a Serializer packs by its other methods (sidl_marshal.h), through the loop protocol's.
#include "loop.hpp"
#include "sidl_header.h"
#include "sidl_marshal.h"
#include "support.hpp"

namespace {

using rt::Exception;
using rt::ok;
using rt::Ref;
using rt::threw;

constexpr const char* refusal = "sidl.rmi.ProtocolException";

class Packing : public ::testing::Test {
 protected:
  void SetUp() override {
    pipe_ = Ref<rt_Pipe__object>(rt_Pipe__create(&ex));
    ASSERT_TRUE(ok(ex));
  }

  rt_Pipe__object* pipe() const { return pipe_.get(); }

  /** As a peer might send it. */
  void put_longs(const char* key, std::initializer_list<int64_t> values) {
    sidl_long__array* const array = sidl_long__array_create1d(static_cast<int64_t>(values.size()));
    int64_t i = 0;
    for (const int64_t each : values) sidl_long__array_set1(array, i++, each);
    rt_Pipe_packLongArray(pipe(), key, array, 0, 1, FALSE, &ex);
    sidl_long__array_deleteRef(array);
    ASSERT_TRUE(ok(ex));
  }

  void put_int(const char* key, int32_t value) {
    rt_Pipe_packInt(pipe(), key, value, &ex);
    ASSERT_TRUE(ok(ex));
  }

  /** An array of any type must not come out. */
  void refuse_any(const char* why) {
    std::string note;
    sidl__array* array = nullptr;
    rt_Pipe_unpackGenericArray(pipe(), "a", &array, &ex);
    EXPECT_TRUE(threw(ex, refusal, &note));
    EXPECT_EQ(note.find("a"), 0U) << note;
    EXPECT_NE(note.find(why), std::string::npos) << note;
    EXPECT_EQ(array, nullptr);
  }

  Exception ex = nullptr;

 private:
  Ref<rt_Pipe__object> pipe_;
};

TEST_F(Packing, OnlyNullPointersLeave) {
  std::string note;
  void* pointer = this;
  rt_Pipe_packOpaque(pipe(), "p", nullptr, &ex);
  ASSERT_TRUE(ok(ex));
  rt_Pipe_unpackOpaque(pipe(), "p", &pointer, &ex);
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(pointer, nullptr);
  rt_Pipe_packOpaque(pipe(), "p", this, &ex);
  EXPECT_TRUE(threw(ex, refusal, &note));
  EXPECT_EQ(note,
            "p is a pointer, which has no meaning in another process: pack what it points to, "
            "or null");
  rt_Pipe_packLong(pipe(), "p", 5, &ex);
  rt_Pipe_unpackOpaque(pipe(), "p", &pointer, &ex);
  EXPECT_TRUE(threw(ex, refusal, &note));
  EXPECT_EQ(note, "p is malformed: a pointer came from another process, which has no meaning here");
  EXPECT_EQ(pointer, nullptr);
}

TEST_F(Packing, ArraysOfNullPointers) {
  const int32_t lower[] = {-1, 2}, upper[] = {0, 4};
  for (const bool in_rows : {true, false}) {
    sidl_opaque__array* const sent = in_rows ? sidl_opaque__array_createRow(2, lower, upper)
                                             : sidl_opaque__array_createCol(2, lower, upper);
    sidl_opaque__array* got = nullptr;
    rt_Pipe_packOpaqueArray(pipe(), "a", sent, 0, 2, FALSE, &ex);
    ASSERT_TRUE(ok(ex));
    rt_Pipe_unpackOpaqueArray(pipe(), "a", &got, 0, 2, FALSE, &ex);
    ASSERT_TRUE(ok(ex));
    ASSERT_NE(got, nullptr);
    EXPECT_EQ(sidl_opaque__array_lower(got, 0), -1);
    EXPECT_EQ(sidl_opaque__array_upper(got, 1), 4);
    EXPECT_EQ(sidl_opaque__array_get2(got, 0, 3), nullptr);
    sidl_opaque__array_deleteRef(got);
    sidl_opaque__array_set2(sent, -1, 4, this);
    rt_Pipe_packOpaqueArray(pipe(), "a", sent, 0, 2, FALSE, &ex);
    EXPECT_TRUE(threw(ex, refusal));
    rt_Pipe_packGenericArray(pipe(), "a", reinterpret_cast<sidl__array*>(sent), FALSE, &ex);
    EXPECT_TRUE(threw(ex, refusal));
    sidl_opaque__array_deleteRef(sent);
  }
  sidl_opaque__array* none = nullptr;
  rt_Pipe_packOpaqueArray(pipe(), "a", nullptr, 0, 1, FALSE, &ex);
  rt_Pipe_unpackOpaqueArray(pipe(), "a", &none, 0, 1, FALSE, &ex);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(none, nullptr);
}

TEST_F(Packing, ArraysWithPointersDoNotComeIn) {
  std::string note;
  sidl_opaque__array* array = nullptr;
  put_longs("a", {0, 0, 8});
  rt_Pipe_unpackOpaqueArray(pipe(), "a", &array, 0, 1, FALSE, &ex);
  EXPECT_TRUE(threw(ex, refusal, &note));
  EXPECT_EQ(note.find("a is malformed: "), 0U) << note;
  EXPECT_EQ(array, nullptr);
  put_int("a.type", sidl_opaque_array);
  put_longs("a", {8});
  refuse_any("a pointer came from another process");
}

TEST_F(Packing, ArraysOfAnyTypeAreKnownTypes) {
  put_int("a.type", 99);
  refuse_any("unknown array type 99");
}

}  // namespace
