/**
 * A library that an earlier minor version of sidlc generated: older/README.md.
 */
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "loop.hpp"
#include "older_Reading_IOR.h"
#include "older_Sensor.h"
#include "sidl_header.h"
#include "support.hpp"

namespace {

using rt::ok;

class Older : public testing::Test {
 protected:
  void SetUp() override {
    library = ::dlopen(RT_OLDER, RTLD_NOW | RTLD_GLOBAL);
    ASSERT_NE(library, nullptr) << ::dlerror();
  }
  /** A table of the library's, not of this program's. */
  template <class Table>
  const Table* table(const char* name) {
    return static_cast<const Table*>(::dlsym(library, name));
  }

  sidl_BaseInterface__object* ex = nullptr;
  void* library = nullptr;
};

/** Bounds had 32 bits then. In a process of its own: the class is that of the other library. */
TEST(OlderMajorDeathTest, IsRefused) {
  const auto create = [] {
    sidl_BaseInterface__object* ex = nullptr;
    if (::dlopen(RT_OLDEST, RTLD_NOW | RTLD_GLOBAL) == nullptr) std::exit(2);
    if (older_Sensor__create(&ex) != nullptr) std::exit(3);
    std::fputs(rt::note_of(ex).c_str(), stderr);
    std::exit(0);
  };
  EXPECT_EXIT(create(), testing::ExitedWithCode(0),
              "class older.Sensor in .*libruntime_tests_oldest.so was compiled for IOR version "
              "5.0, but libsidl supports 6.0: regenerate and recompile it");
}

#define NAME_OF(symbol) NAME_OF_EXPANDED(symbol)
#define NAME_OF_EXPANDED(symbol) #symbol

/** The tables of the two are not the same, or this tests nothing. */
TEST_F(Older, IsOlder) {
  const auto* const reading = table<sidl_struct_info>(NAME_OF(older_Reading__info));
  ASSERT_NE(reading, nullptr);
  EXPECT_FALSE(SIDL_TABLE_HAS(reading, kinds));
  EXPECT_TRUE(SIDL_TABLE_HAS(&older_Reading__info, kinds));
}

/** Its objects are made, called and given back; its structs are copied and freed. */
TEST_F(Older, ObjectsAndStructs) {
  older_Sensor const sensor = older_Sensor__create(&ex);
  ASSERT_TRUE(ok(ex));
  older_Reading__data reading = older_Sensor_read(sensor, 4, &ex);
  ASSERT_TRUE(ok(ex));
  EXPECT_STREQ(reading.unit, "K");
  older_Sensor_amplify(sensor, &reading, &ex);
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(reading.place.floor, 4);
  EXPECT_EQ(sidl_double__array_get1(reading.values, 3), 6.0);
  EXPECT_EQ(older_Sensor_heightOf(&reading.place, &ex), 1.5);

  const auto* const info = table<sidl_struct_info>(NAME_OF(older_Reading__info));
  older_Reading__data copy;
  sidl_struct_copy(info, &reading, &copy, &ex);
  ASSERT_TRUE(ok(ex));
  EXPECT_STREQ(copy.unit, "K");
  EXPECT_NE(copy.unit, reading.unit);
  sidl_struct_destroy(info, &copy);
  EXPECT_EQ(copy.unit, nullptr);
  sidl_struct_destroy(&older_Reading__info, &reading);
  older_Sensor_deleteRef(sensor, &ex);
}

/** The same remotely, where values go by its tables. */
TEST_F(Older, RemoteCalls) {
  rt::loop_start();
  const rt::Ref<older_Sensor__object> local(older_Sensor__create(&ex));
  ASSERT_TRUE(ok(ex));
  char* const url = rt::loop_url(local.get());
  auto* const sensor = static_cast<older_Sensor>(sidl_connect(&older_Sensor__info, url, &ex));
  sidl_String_free(url);
  ASSERT_TRUE(ok(ex));
  EXPECT_TRUE(sidl_is_remote(sensor));
  older_Reading__data reading = older_Sensor_read(sensor, 4, &ex);
  ASSERT_TRUE(ok(ex));
  older_Sensor_amplify(sensor, &reading, &ex);
  ASSERT_TRUE(ok(ex));
  EXPECT_STREQ(reading.unit, "K");
  EXPECT_EQ(reading.place.floor, 4);
  EXPECT_EQ(sidl_double__array_get1(reading.values, 3), 6.0);
  sidl_struct_destroy(&older_Reading__info, &reading);
  older_Sensor_deleteRef(sensor, &ex);
}

}  // namespace
