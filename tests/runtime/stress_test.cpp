// Many threads at once; meant to be run under ThreadSanitizer too.
#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "classes.hpp"
#include "loop.hpp"
#include "sidl_BaseClass.h"
#include "sidl_SIDLException.h"
#include "sidl_dynamic.h"
#include "sidl_rmi_InstanceRegistry.h"
#include "support.hpp"

namespace {

using rt::Exception;
using rt::Ref;

constexpr int kThreads = 8;
constexpr int kRounds = 2000;
constexpr int kManyRounds = 250000;  // for what goes wrong within a few instructions

template <class F>
void run(F f) {
  std::vector<std::thread> threads;
  std::atomic<int> waiting{kThreads};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (--waiting; waiting > 0;) {
      }
      f(t);
    });
  }
  for (auto& thread : threads) thread.join();
}

// The first objects of a class are made by all threads at once.
TEST(Stress, ClassesAreLoadedOnce) {
  run([](int) {
    Exception ex = nullptr;
    Ref<rt_Plain__object> object(rt_Plain__create(&ex));
    ASSERT_TRUE(rt::ok(ex));
    EXPECT_EQ(rt_Plain_a(object.get(), 1, &ex), 102);
  });
  EXPECT_EQ(rt_loads(), 1);
}

TEST(Stress, CreateCastDeleteThrow) {
  const int live = rt_live();
  Exception main_ex = nullptr;
  Ref<rt_Derived__object> shared(rt_Derived__create(&main_ex));
  run([&](int t) {
    for (int i = 0; i < kRounds; ++i) {
      Exception ex = nullptr;
      Ref<rt_Derived__object> object(rt_Derived__create(&ex));
      Ref<rt_C__object> c(rt_C__cast(object.get(), &ex));
      Ref<rt_B__object> b(rt_B__cast(shared.get(), &ex));
      EXPECT_EQ(rt_C_c(c.get(), &ex), 7);
      EXPECT_EQ(rt_B_a(b.get(), t, &ex), t + 101);
      EXPECT_EQ(rt_Broken__create(&ex), nullptr);
      sidl_update_exception(ex, "file", i, "thread");
      SIDL_CLEAR(ex);
      sidl_malloc(SIZE_MAX / 2, "", "f", 1, "g", &ex);
      sidl_update_exception(ex, "file", i, "thread");
      EXPECT_EQ(rt::note_of(ex), "out of memory");
      SIDL_CLEAR(ex);
    }
  });
  EXPECT_EQ(rt::references(shared.get()), 1);
  EXPECT_EQ(rt_live(), live + 1);
}

// What bindings do for objects of their users': known without a reference as long as it lives, it
// was taken up again in the moment when its last reference was given back, and destroyed.
struct Known {
  // Spins: two threads that sleep for each other are never within the same few instructions.
  class Lock {
   public:
    explicit Lock(std::atomic_flag& flag) : flag_(flag) {
      while (flag_.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Lock() { flag_.clear(std::memory_order_release); }

   private:
    std::atomic_flag& flag_;
  };
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  void* object = nullptr;
  struct Data {
    Known* of;
    std::atomic<bool> has_ended{false};
  };
  std::vector<std::unique_ptr<Data>> made;

  static void destroy(void* data) {
    auto* const ended = static_cast<Data*>(data);
    const Lock guard(ended->of->lock);
    ended->has_ended = true;
    if (ended->of->made.back().get() == ended) ended->of->object = nullptr;
  }

  // The object, with a reference for the caller, and its data.
  std::pair<void*, Data*> take(const sidl_class* type) {
    const Lock guard(lock);
    if (object == nullptr || !sidl_dynamic_revive(object)) {
      Exception ex = nullptr;
      made.push_back(std::make_unique<Data>());
      made.back()->of = this;
      object = sidl_dynamic_create(type, made.back().get(), &ex);
    }
    return {object, made.back().get()};
  }
};

TEST(Stress, ObjectsAreTakenUpAgainOrEnd) {
  static const sidl_dynamic_functions functions = {nullptr, &Known::destroy};
  const sidl_type_info* const interface = &rt_A__info;
  Exception ex = nullptr;
  const sidl_class* const type = sidl_dynamic_class("known (test)", &interface, 1, &functions, &ex);
  ASSERT_TRUE(rt::ok(ex));
  Known known;
  std::atomic<int> ended_early{0};
  const auto use = [&] {
    for (int i = 0; i < kManyRounds; ++i) {
      const auto [object, data] = known.take(type);
      for (int wait = 0; wait < i % 64 && !data->has_ended; ++wait) {
      }
      if (data->has_ended) ++ended_early;
      sidl_BaseInterface__object* failure = nullptr;
      auto* const base = static_cast<sidl_BaseInterface__object*>(object);
      base->d_epv->f_deleteRef(base->d_object, &failure);
    }
  };
  std::thread other(use);
  use();
  other.join();
  EXPECT_EQ(ended_early, 0);
  for (const auto& each : known.made) EXPECT_TRUE(each->has_ended);
}

TEST(Stress, ArraysAreShared) {
  sidl_int__array* const shared = sidl_int__array_create1d(100);
  for (int i = 0; i < 100; ++i) sidl_int__array_set1(shared, i, i);
  run([&](int) {
    const int32_t count = 10;
    for (int i = 0; i < kRounds; ++i) {
      sidl_int__array* const same = sidl_int__array_smartCopy(shared);
      sidl_int__array* const slice =
          sidl_int__array_slice(same, 1, &count, nullptr, nullptr, nullptr);
      EXPECT_EQ(sidl_int__array_get1(slice, 9), 9);
      sidl_int__array_deleteRef(same);
      sidl_int__array_deleteRef(slice);
    }
  });
  EXPECT_EQ(shared->d_metadata.d_refcount, 1);
  sidl_int__array_deleteRef(shared);
}

TEST(Stress, RemoteCallsAndRegistry) {
  rt::loop_start();
  Exception main_ex = nullptr;
  Ref<rt_Derived__object> shared(rt_Derived__create(&main_ex));
  char* const url = rt::loop_url(shared.get());
  run([&](int t) {
    for (int i = 0; i < kRounds / 4; ++i) {
      Exception ex = nullptr;
      Ref<rt_A__object> a(sidl_connect(&rt_A__info, url, &ex));
      ASSERT_TRUE(rt::ok(ex));
      EXPECT_EQ(rt_A_a(a.get(), t, &ex), t + 101);
      Ref<rt_C__object> c(rt_C__cast(a.get(), &ex));
      EXPECT_EQ(rt_C_c(c.get(), &ex), 7);
      Ref<sidl_BaseClass__object> object(sidl_BaseClass__create(&ex));
      const std::string id =
          rt::take(sidl_rmi_InstanceRegistry_registerInstance(object.get(), &ex));
      Ref<void> found(sidl_rmi_InstanceRegistry_removeInstanceByString(id.c_str(), &ex));
      EXPECT_EQ(found.get(), object.get());
    }
  });
  sidl_String_free(url);
  EXPECT_EQ(rt::references(shared.get()), 1);
}

}  // namespace
