// Objects, casts, exceptions, structs, strings.
#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "classes.hpp"
#include "sidl_BaseClass.h"
#include "sidl_BaseException.h"
#include "sidl_CastException.h"
#include "sidl_ClassInfo.h"
#include "sidl_ClassInfoI.h"
#include "sidl_Loader.h"
#include "sidl_MemAllocException.h"
#include "sidl_SIDLException.h"
#include "sidl_struct_array.h"
#include "sidl_version.h"
#include "support.hpp"

namespace {

using rt::Exception;
using rt::ok;
using rt::Ref;
using rt::take;
using rt::threw;

class Object : public ::testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(rt_live(), live_); }
  Exception ex = nullptr;

 private:
  int live_ = rt_live();
};

TEST_F(Object, CreateCallDestroy) {
  Ref<rt_Derived__object> object(rt_Derived__create(&ex));
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(rt_Base_live(&ex), rt_live());
  EXPECT_EQ(rt_Derived_a(object.get(), 1, &ex), 102) << "super is Base";
  EXPECT_EQ(take(rt_Derived_b(object.get(), "x", &ex)), "b:x");
  EXPECT_FALSE(sidl_is_remote(object.get()));
  EXPECT_EQ(rt_loads(), 1);
}

TEST_F(Object, TheLogShowsWhatDestructorsThrow) {
  rt_break_destructor(true);
  const std::string all = rt::logged([&] {
    for (int i = 0; i < 20; ++i) Ref<rt_Derived__object>(rt_Derived__create(&ex));
  });
  rt_break_destructor(false);
  EXPECT_NE(all.find("warning sidl: the destructor of rt.Derived threw sidl.SIDLException, which "
                     "has no caller to go to: the file was not closed\n"),
            std::string::npos)
      << all;
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 10) << all;
  EXPECT_NE(all.find("(further ones are not reported)\n"), std::string::npos) << all;
}

TEST_F(Object, Casts) {
  Ref<rt_Derived__object> object(rt_Derived__create(&ex));
  Ref<rt_B__object> b(rt_B__cast(object.get(), &ex));
  ASSERT_TRUE(b);
  EXPECT_EQ(rt::references(object.get()), 2);
  EXPECT_EQ(b->d_object, object.get());
  EXPECT_EQ(take(rt_B_b(b.get(), "y", &ex)), "b:y");
  EXPECT_EQ(rt_B_a(b.get(), 1, &ex), 102);
  Ref<rt_C__object> c(rt_C__cast(b.get(), &ex));
  EXPECT_EQ(rt_C_c(c.get(), &ex), 7);
  Ref<rt_Base__object> base(rt_Base__cast(c.get(), &ex));
  EXPECT_EQ(rt_Base_a(base.get(), 1, &ex), 102) << "virtual";
  Ref<sidl_BaseInterface__object> root(sidl_cast(c.get(), &sidl_BaseInterface__info, &ex));
  EXPECT_EQ(root.get(), static_cast<void*>(object.get()));
  EXPECT_EQ(rt_Worker__cast(object.get(), &ex), nullptr);
  EXPECT_EQ(rt_B__cast(nullptr, &ex), nullptr);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(rt::references(object.get()), 5);
}

TEST_F(Object, BaseInterface) {
  Ref<rt_Derived__object> object(rt_Derived__create(&ex));
  Ref<rt_Derived__object> other(rt_Derived__create(&ex));
  Ref<rt_C__object> c(rt_C__cast(object.get(), &ex));
  EXPECT_TRUE(rt_Derived_isSame(object.get(), reinterpret_cast<Exception>(c.get()), &ex));
  EXPECT_TRUE(rt_C_isSame(c.get(), reinterpret_cast<Exception>(object.get()), &ex));
  EXPECT_FALSE(rt_C_isSame(c.get(), reinterpret_cast<Exception>(other.get()), &ex));
  EXPECT_FALSE(rt_C_isSame(c.get(), nullptr, &ex));
  for (const char* const name :
       {"rt.Derived", "rt.Base", "rt.A", "rt.B", "rt.C", "sidl.BaseClass", "sidl.BaseInterface"}) {
    EXPECT_TRUE(rt_C_isType(c.get(), name, &ex)) << name;
  }
  EXPECT_FALSE(rt_C_isType(c.get(), "rt.Worker", &ex));
  EXPECT_FALSE(rt_C_isType(c.get(), nullptr, &ex));
  Ref<sidl_ClassInfo__object> info(rt_C_getClassInfo(c.get(), &ex));
  EXPECT_EQ(take(sidl_ClassInfo_getName(info.get(), &ex)), "rt.Derived");
  EXPECT_EQ(take(sidl_ClassInfo_getVersion(info.get(), &ex)), "1.0");
  EXPECT_EQ(take(sidl_ClassInfo_getIORVersion(info.get(), &ex)), "6.0");
  // one made by hand knows nothing, and says so without falling over
  Ref<sidl_ClassInfoI__object> empty(sidl_ClassInfoI__create(&ex));
  EXPECT_EQ(take(sidl_ClassInfoI_getName(empty.get(), &ex)), "");
}

TEST_F(Object, ClassesWithoutMethodsNeedNoImplementation) {
  Ref<rt_Plain__object> object(rt_Plain__create(&ex));
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(rt_Plain_a(object.get(), 1, &ex), 102);
  Ref<rt_C__object> c(rt_C__cast(object.get(), &ex));
  EXPECT_EQ(rt_C_c(c.get(), &ex), 7);
  EXPECT_STREQ(sidl_object_type(c.get())->name, "rt.Plain");
}

// Writes to all of an Impl's place: a sanitizer finds what is not the object's.
char* filled(void* impl, size_t size) {
  EXPECT_EQ(reinterpret_cast<uintptr_t>(impl) % 16, 0u);
  std::memset(impl, 0xff, size);
  return static_cast<char*>(impl);
}

TEST_F(Object, ImplsHaveTheirPlaceInTheObjectsMemory) {
  Ref<rt_Derived__object> object(rt_Derived__create(&ex));
  ASSERT_TRUE(ok(ex));
  const char* const base = filled(object->d_rt_base.d_data, rt_base_impl_size);
  const char* const derived = filled(object->d_data, rt_derived_impl_size);
  EXPECT_GE(base, reinterpret_cast<char*>(object.get() + 1));
  EXPECT_GE(derived, base + rt_base_impl_size);
  EXPECT_EQ(rt_Derived_a(object.get(), 1, &ex), 102);
  Ref<rt_C__object> c(rt_C__cast(object.get(), &ex));
  EXPECT_EQ(rt_C_c(c.get(), &ex), 7);
  Ref<rt_Plain__object> plain(rt_Plain__create(&ex));
  filled(plain->d_rt_derived.d_data, rt_derived_impl_size);
}

TEST_F(Object, WrapUsesTheSecondConstructor) {
  int data = 5;
  Ref<rt_Base__object> object(rt_Base__wrapObj(&data, &ex));
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(object->d_data, &data);
}

TEST_F(Object, FailingConstructorsLeaveNothing) {
  EXPECT_EQ(rt_Broken__create(&ex), nullptr);
  std::string note;
  EXPECT_TRUE(threw(ex, "sidl.SIDLException", &note));
  EXPECT_EQ(note, "will not be built");
}

TEST_F(Object, FailingConstructorsMayHaveGivenTheObjectAway) {
  sidl_BaseInterface__object* given = nullptr;
  rt_hand_out(&given);
  EXPECT_EQ(rt_Broken__create(&ex), nullptr);
  rt_hand_out(nullptr);
  EXPECT_TRUE(threw(ex, "sidl.SIDLException"));
  const Ref<sidl_BaseInterface__object> by_constructor(given);
  const Ref<sidl_BaseInterface__object> by_destructor_of_base(given);
  ASSERT_TRUE(by_constructor);
  EXPECT_EQ(rt::references(given), 2);
  const Ref<rt_Broken__object> broken(rt_Broken__cast(given, &ex));
  ASSERT_TRUE(broken);
  rt_Broken_never(broken.get(), &ex);
  std::string note;
  EXPECT_TRUE(threw(ex, "sidl.rmi.ObjectDoesNotExistException", &note));
  EXPECT_EQ(note, "rt.Broken.never: the object has been destroyed, or its constructor has failed");
}

TEST_F(Object, DestructorsMayGiveTheObjectAway) {
  sidl_BaseInterface__object* given = nullptr;
  const int before = rt_live();
  rt_hand_out(&given);
  Ref<rt_Derived__object>(rt_Derived__create(&ex));
  rt_hand_out(nullptr);
  EXPECT_EQ(rt_live(), before);
  const Ref<sidl_BaseInterface__object> kept(given);
  const Ref<rt_Derived__object> derived(rt_Derived__cast(given, &ex));
  ASSERT_TRUE(derived);
  rt_Derived_a(derived.get(), 1, &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.ObjectDoesNotExistException"));
  EXPECT_EQ(rt_live(), before);
}

TEST_F(Object, MissingImplementationsAreExplained) {
  EXPECT_EQ(rt_Missing__create(&ex), nullptr);
  std::string note;
  EXPECT_TRUE(threw(ex, "sidl.RuntimeException", &note));
  for (const char* const part : {"rt.Missing", "rt_Missing__class", "SIDL_DLL_PATH", ".scl"}) {
    EXPECT_NE(note.find(part), std::string::npos) << note;
  }
  EXPECT_EQ(sidl_create(&rt_A__info, &ex), nullptr);
  EXPECT_TRUE(threw(ex, "sidl.RuntimeException", &note));
  EXPECT_NE(note.find("interface"), std::string::npos) << note;
}

TEST_F(Object, ImplementationsThatDoNotFitAreRefused) {
  std::string note;
  sidl_type_info info = rt_old_info();
  const int32_t major = SIDL_IOR_MAJOR_VERSION, minor = SIDL_IOR_MINOR_VERSION;
  for (const auto& version : {std::pair(major + 1, 0), {major - 1, minor}, {major, minor + 1}}) {
    rt_make_old(version.first, version.second);
    EXPECT_EQ(sidl_create(&info, &ex), nullptr);
    EXPECT_TRUE(threw(ex, "sidl.RuntimeException", &note));
    const std::string text = "runtime_tests was compiled for IOR version " +
                             std::to_string(version.first) + "." + std::to_string(version.second);
    EXPECT_NE(note.find(text), std::string::npos) << note;
  }
  info.name = "rt.Other";
  EXPECT_EQ(sidl_create(&info, &ex), nullptr);
  EXPECT_TRUE(threw(ex, "sidl.RuntimeException", &note));
  EXPECT_NE(note.find("different SIDL files"), std::string::npos) << note;
}

TEST_F(Object, TypesAreKnownByName) {
  EXPECT_EQ(sidl_type_find("rt.Derived"), &rt_Derived__info);
  EXPECT_NE(sidl_type_find("sidl.rmi.Response"), nullptr);
  EXPECT_EQ(sidl_type_find("rt.derived"), nullptr);
  EXPECT_EQ(sidl_type_find(""), nullptr);
  EXPECT_EQ(sidl_type_find(nullptr), nullptr);
  sidl_type_register(&rt_Derived__info);  // again: no harm
  EXPECT_EQ(sidl_type_find("rt.Derived"), &rt_Derived__info);
  EXPECT_EQ(sidl_type_find("rt.Derived")->id, rt_Derived__info.id);
}

// ---- exceptions -------------------------------------------------------------------------------

void thrower(Exception* _ex) {
  SIDL_THROW(*_ex, sidl_SIDLException, "the note");
EXIT:
  return;
}

void passer(Exception* _ex) {
  thrower(_ex);
  SIDL_CHECK(*_ex);
EXIT:
  return;
}

TEST_F(Object, ThrowCheckCatchClear) {
  passer(&ex);
  ASSERT_NE(ex, nullptr);
  EXPECT_TRUE(SIDL_CATCH(ex, "sidl.SIDLException"));
  EXPECT_TRUE(SIDL_CATCH(ex, "sidl.BaseException"));
  EXPECT_TRUE(SIDL_CATCH(ex, "sidl.io.Serializable"));
  EXPECT_FALSE(SIDL_CATCH(ex, "sidl.CastException"));
  EXPECT_FALSE(SIDL_CATCH(nullptr, "sidl.SIDLException"));
  EXPECT_EQ(rt::note_of(ex), "the note");
  const std::string trace = rt::trace_of(ex);
  const auto first = trace.find("in thrower at ");
  const auto second = trace.find("\nin passer at ");
  EXPECT_EQ(first, 0u) << trace;
  EXPECT_NE(second, std::string::npos) << trace;
  EXPECT_NE(trace.find("object_test.cpp:"), std::string::npos) << trace;
  SIDL_CLEAR(ex);
  EXPECT_EQ(ex, nullptr);
  SIDL_CLEAR(ex);
  sidl_update_exception(nullptr, "f", 1, "g");
  sidl_report_exception(nullptr);
}

TEST_F(Object, TracesGrow) {
  Ref<sidl_SIDLException__object> e(sidl_SIDLException__create(&ex));
  EXPECT_EQ(take(sidl_SIDLException_getNote(e.get(), &ex)), "");
  EXPECT_EQ(take(sidl_SIDLException_getTrace(e.get(), &ex)), "");
  sidl_SIDLException_setNote(e.get(), "one", &ex);
  sidl_SIDLException_setNote(e.get(), nullptr, &ex);
  EXPECT_EQ(take(sidl_SIDLException_getNote(e.get(), &ex)), "");
  for (int i = 0; i < 1000; ++i) sidl_SIDLException_addLine(e.get(), "a line", &ex);
  sidl_SIDLException_add(e.get(), "file.c", 12, "method", &ex);
  ASSERT_TRUE(ok(ex));
  const std::string trace = take(sidl_SIDLException_getTrace(e.get(), &ex));
  EXPECT_EQ(trace.size(), 7000u + std::strlen("in method at file.c:12\n"));
  sidl_SIDLException_add(e.get(), nullptr, 0, "a.Class._ctor", &ex);
  EXPECT_EQ(take(sidl_SIDLException_getTrace(e.get(), &ex)), trace + "in a.Class._ctor\n");
}

/** One that is thrown again and again. */
TEST_F(Object, LongTracesGrowNoMore) {
  Ref<sidl_SIDLException__object> e(sidl_SIDLException__create(&ex));
  for (int i = 0; i < 100000; ++i) sidl_SIDLException_add(e.get(), "file.c", i, "method", &ex);
  ASSERT_TRUE(ok(ex));
  const std::string trace = take(sidl_SIDLException_getTrace(e.get(), &ex));
  EXPECT_LT(trace.size(), 66000u);
  EXPECT_EQ(trace.find("in method at file.c\n"), 0u);
  EXPECT_NE(trace.find("left out"), std::string::npos);
}

/** The heap was corrupted: each of them adds to the trace. */
TEST_F(Object, ManyThreadsThrowOneException) {
  Ref<sidl_SIDLException__object> e(sidl_SIDLException__create(&ex));
  constexpr int each = 500;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      struct sidl_BaseInterface__object* lost = nullptr;
      for (int n = 0; n < each; ++n) {
        sidl_SIDLException_addLine(e.get(), "a line", &lost);
        if (n % 50 == 0) sidl_String_free(sidl_SIDLException_getTrace(e.get(), &lost));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(take(sidl_SIDLException_getTrace(e.get(), &ex)).size(), 4u * each * 7);
}

TEST_F(Object, UserExceptionsNeedOnlyStubs) {
  Ref<rt_Error__object> error(rt_Error__create(&ex));
  ASSERT_TRUE(ok(ex));
  rt_Error_setNote(error.get(), "mine", &ex);
  EXPECT_EQ(take(rt_Error_getNote(error.get(), &ex)), "mine");
}

void count_up(void* number) {
  ++*static_cast<int*>(number);
}

void other(void*) {}

TEST_F(Object, ExceptionsOwnTheirOrigins) {
  int ended = 0;
  {
    Ref<rt_Error__object> error(rt_Error__create(&ex));
    EXPECT_EQ(sidl_exception_origin(error.get(), count_up), nullptr);
    EXPECT_TRUE(sidl_exception_set_origin(error.get(), &ended, count_up));
    EXPECT_FALSE(sidl_exception_set_origin(error.get(), &ended, other)) << "it has one";
    const Ref<sidl_BaseException__object> facet(sidl_BaseException__cast(error.get(), &ex));
    EXPECT_EQ(sidl_exception_origin(facet.get(), count_up), &ended);
    EXPECT_EQ(sidl_exception_origin(error.get(), other), nullptr) << "another language's";
    EXPECT_EQ(ended, 0);
  }
  EXPECT_EQ(ended, 1);
  const Ref<rt_Derived__object> object(rt_Derived__create(&ex));
  EXPECT_FALSE(sidl_exception_set_origin(object.get(), &ended, count_up)) << "no exception";
  EXPECT_EQ(sidl_exception_origin(object.get(), count_up), nullptr);
  EXPECT_EQ(sidl_malloc(SIZE_MAX / 2, "too much", __FILE__, __LINE__, __func__, &ex), nullptr);
  EXPECT_FALSE(sidl_exception_set_origin(ex, &ended, count_up)) << "it is everybody's";
  SIDL_CLEAR(ex);
}

TEST_F(Object, ExhaustedMemory) {
  EXPECT_EQ(sidl_malloc(SIZE_MAX / 2, "too much", __FILE__, __LINE__, __func__, &ex), nullptr);
  Exception first = ex;
  EXPECT_TRUE(SIDL_CATCH(ex, "sidl.MemAllocException"));
  EXPECT_EQ(rt::note_of(ex), "out of memory");
  SIDL_CLEAR(ex);
  EXPECT_EQ(sidl_String_alloc_ex(SIZE_MAX / 2, &ex), nullptr);
  EXPECT_EQ(ex, first) << "there is one instance, made in advance";
  EXPECT_TRUE(threw(ex, "sidl.RuntimeException"));
  void* const memory = sidl_malloc(10, "fits", __FILE__, __LINE__, __func__, &ex);
  EXPECT_TRUE(ok(ex));
  free(memory);
}

// ---- structs ------------------------------------------------------------------------------------

// Written by hand: sidlc does not take objects in structs yet.
struct Holder {
  rt_A__object* object;
  sidl_double__array* matrix;
};

const sidl_member_info holder_members[] = {
    {"object", {sidl_kind_interface, 0, 0, 0, 0, {nullptr}, &rt_A__info}, offsetof(Holder, object)},
    {"matrix",
     {sidl_kind_array, sidl_kind_double, 2, 0, 0, {nullptr}, nullptr},
     offsetof(Holder, matrix)},
};
const sidl_struct_info holder_info = {"rt.Holder", sizeof(Holder), holder_members, 2, nullptr};

TEST_F(Object, Structs) {
  Ref<rt_Derived__object> object(rt_Derived__create(&ex));
  Holder holder;
  sidl_struct_init(&holder_info, &holder);
  holder.object = rt_A__cast(object.get(), &ex);
  holder.matrix = sidl_double__array_create2dRow(2, 3);
  sidl_double__array_set2(holder.matrix, 1, 2, 3.5);
  Holder copy;
  sidl_struct_copy(&holder_info, &holder, &copy, &ex);
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(copy.object, holder.object);
  EXPECT_NE(copy.matrix, holder.matrix);
  EXPECT_TRUE(sidl_double__array_isRowOrder(copy.matrix));
  EXPECT_EQ(sidl_double__array_get2(copy.matrix, 1, 2), 3.5);
  EXPECT_EQ(rt::references(object.get()), 3);
  sidl_struct_destroy(&holder_info, &holder);
  sidl_struct_destroy(&holder_info, &copy);
  sidl_struct_destroy(&holder_info, &copy);  // again: nothing left
  EXPECT_EQ(rt::references(object.get()), 1);
}

/** A library's tables of two structs that contain arrays of each other. */
struct Rooms {
  struct Data {
    void* ways;
    std::int64_t number;
  };

  explicit Rooms(sidl_kind number) : members{{ways(door), at(number)}, {ways(room), at(number)}} {}
  Rooms(const Rooms&) = delete;
  Rooms& operator=(const Rooms&) = delete;

  static sidl_member_info ways(const sidl_struct_info& to) {
    return {"ways", {sidl_kind_array, sidl_kind_struct, 1, 0, 0, {&to}, nullptr}, 0};
  }
  static sidl_member_info at(sidl_kind kind) {
    const auto byte = static_cast<std::uint8_t>(kind);
    return {"number", {byte, 0, 0, 0, 0, {nullptr}, nullptr}, offsetof(Data, number)};
  }

  const sidl_member_info members[2][2];
  const sidl_struct_info room = {"rt.Room", sizeof(Data), members[0], 2, nullptr};
  const sidl_struct_info door = {"rt.Door", sizeof(Data), members[1], 2, nullptr};
};

TEST(Structs, ThatContainArraysOfEachOtherAreCompared) {
  const Rooms mine(sidl_kind_long), other(sidl_kind_long), older(sidl_kind_double);
  const std::int64_t lower = 0, upper = 1;
  sidl__array* const rooms = sidl_struct__array_create(&mine.room, 0, 1, &lower, &upper);
  EXPECT_EQ(sidl_struct__array_cast(&other.room, rooms), rooms);
  EXPECT_EQ(sidl_struct__array_cast(&other.door, rooms), nullptr);
  EXPECT_EQ(sidl_struct__array_cast(&older.room, rooms), nullptr);
  sidl__array_deleteRef(rooms);
}

// ---- strings ------------------------------------------------------------------------------------

TEST(String, Functions) {
  Exception ex = nullptr;
  EXPECT_EQ(sidl_String_strlen(nullptr), 0u);
  EXPECT_EQ(take(sidl_String_strdup("abc")), "abc");
  EXPECT_EQ(sidl_String_strdup(nullptr), nullptr);
  EXPECT_EQ(take(sidl_String_strndup("abc", 2)), "ab");
  EXPECT_EQ(take(sidl_String_strndup("abc", SIZE_MAX)), "abc");
  EXPECT_TRUE(sidl_String_equals("a", "a"));
  EXPECT_FALSE(sidl_String_equals("a", nullptr));
  EXPECT_TRUE(sidl_String_equals(nullptr, nullptr));
  EXPECT_TRUE(sidl_String_startsWith("abc", "ab"));
  EXPECT_FALSE(sidl_String_startsWith("a", "ab"));
  EXPECT_TRUE(sidl_String_startsWith(nullptr, ""));
  EXPECT_TRUE(sidl_String_endsWith("abc", "bc"));
  EXPECT_FALSE(sidl_String_endsWith("c", "bc"));
  EXPECT_EQ(take(sidl_String_substring("abc", 1)), "bc");
  EXPECT_EQ(take(sidl_String_substring("abc", 9)), "");
  EXPECT_EQ(take(sidl_String_concat2("a", nullptr)), "a");
  EXPECT_EQ(take(sidl_String_concat3("a", "b", "c")), "abc");
  EXPECT_EQ(take(sidl_String_concat4_ex("a", "b", "c", "d", &ex)), "abcd");
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(sidl_String_strdup_ex(nullptr, &ex), nullptr);
  EXPECT_TRUE(ok(ex)) << "no string is no error";
  char text[] = "a.b.c";
  sidl_String_replace(text, '.', '_');
  EXPECT_STREQ(text, "a_b_c");
  char copy[8];
  sidl_String_strcpy(copy, "xyz");
  EXPECT_STREQ(copy, "xyz");
}

TEST(Version, Exists) {
  EXPECT_STREQ(SIDL_VERSION, "0.9.17");
}

}  // namespace
