// What libsidl's hot paths cost, each beside the cheapest thing that could do the job.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "classes.hpp"
#include "loop.hpp"
#include "support.hpp"

namespace {

using rt::Exception;

template <class T>
void keep(T* value) {
  asm volatile("" : : "g"(value) : "memory");
}

// Nanoseconds for one call of f: the best of several rounds.
template <class F>
double time_of(F f) {
  using Clock = std::chrono::steady_clock;
  constexpr int kCalls = 200000;
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) f();
    const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
    best = std::min(best, elapsed.count() / kCalls);
  }
  return best;
}

struct Virtual {
  virtual ~Virtual() = default;
  virtual int32_t a(int32_t x) { return x + 1; }
};

}  // namespace

int main() {
  Exception ex = nullptr;
  rt::loop_start();
  rt_Derived__object* const object = rt_Derived__create(&ex);
  rt_A__object* const a = rt_A__cast(object, &ex);
  rt_Base__object* const base = rt_Base__create(&ex);

  const double malloc_free = time_of([] {
    void* const p = malloc(rt_Derived__info.size);
    keep(p);
    free(p);
  });
  const double create = time_of([&] {
    rt_Worker__object* const o = rt_Worker__create(&ex);
    o->d_epv->f_deleteRef(o, &ex);
  });
  const double create_derived = time_of([&] {
    rt_Derived__object* const o = rt_Derived__create(&ex);
    o->d_epv->f_deleteRef(o, &ex);
  });
  const double cast_class = time_of([&] {
    void* const o = rt_Base__cast(object, &ex);
    keep(o);
    object->d_epv->f_deleteRef(object, &ex);
  });
  const double cast_facet = time_of([&] {
    void* const o = rt_C__cast(object, &ex);
    keep(o);
    object->d_epv->f_deleteRef(object, &ex);
  });
  const double references = time_of([&] {
    object->d_epv->f_addRef(object, &ex);
    object->d_epv->f_deleteRef(object, &ex);
  });
  const double cast_miss = time_of([&] { keep(sidl_cast(object, &rt_Worker__info, &ex)); });
  const double cast_borrowed = time_of([&] { keep(sidl_cast_borrowed(object, &rt_C__info)); });
  std::unique_ptr<Virtual> v(new Virtual);
  Virtual* p = v.get();
  const double virtual_call = time_of([&] {
    keep(p);
    p->a(1);
  });
  const double class_call = time_of([&] { rt_Base_a(base, 1, &ex); });
  const double facet_call = time_of([&] { rt_A_a(a, 1, &ex); });
  const double thrown = time_of([&] {
    rt_Broken__create(&ex);
    SIDL_CLEAR(ex);
  });
  const double array = time_of([] {
    sidl_double__array* const x = sidl_double__array_create1d(16);
    keep(x);
    sidl_double__array_deleteRef(x);
  });

  std::printf("malloc + free                %6.1f ns\n", malloc_free);
  std::printf("create + destroy             %6.1f ns  (%.2f x malloc + free)\n", create,
              create / malloc_free);
  std::printf("the same, 3 levels, busy ctor%6.1f ns\n", create_derived);
  std::printf("addRef + deleteRef           %6.1f ns\n", references);
  std::printf("cast to class + deleteRef    %6.1f ns\n", cast_class);
  std::printf("cast to interface + deleteRef%6.1f ns\n", cast_facet);
  std::printf("cast that fails              %6.1f ns\n", cast_miss);
  std::printf("cast, borrowed               %6.1f ns\n", cast_borrowed);
  std::printf("C++ virtual call             %6.1f ns\n", virtual_call);
  std::printf("call on class                %6.1f ns\n", class_call);
  std::printf("call on interface (+ super)  %6.1f ns\n", facet_call);
  std::printf("throw in ctor + clear        %6.1f ns\n", thrown);
  std::printf("array of 16 doubles          %6.1f ns\n", array);
  rt::drop(object);
  rt::drop(a);
  rt::drop(base);
  return 0;
}
