// What a call costs, beside a C++ virtual call: prints nanoseconds of CPU time.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>

#include "sidl_array.hxx"
#include "zoo_Types.hxx"

// Two of them, so that the compiler cannot know which one a pointer points to.
struct Virtual {
  virtual ~Virtual() = default;
  virtual void noop() = 0;
  virtual int32_t add(int32_t a, int32_t b) = 0;
};
struct Plus : Virtual {
  void noop() override {}
  int32_t add(int32_t a, int32_t b) override { return a + b; }
};
struct Minus : Virtual {
  void noop() override {}
  int32_t add(int32_t a, int32_t b) override { return a - b; }
};

namespace {

double cpu_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

template <class Body>
void measure(const char* name, Body body) {
  constexpr int kCalls = 200'000;
  double best = 1e9;
  for (int round = 0; round < 100; ++round) {
    const double start = cpu_nanoseconds();
    for (int i = 0; i < kCalls; ++i) body(i);
    best = std::min(best, (cpu_nanoseconds() - start) / kCalls);
  }
  std::printf("%-24s %6.2f ns\n", name, best);
}

}  // namespace

int main(int argc, char**) {
  std::unique_ptr<Virtual> hidden;
  if (argc > 1) {
    hidden = std::make_unique<Minus>();
  } else {
    hidden = std::make_unique<Plus>();
  }
  volatile int32_t sink = 0;
  const zoo::Types types = zoo::Types::_create();
  sidl::array<double> a = sidl::array<double>::create1d(1);
  measure("virtual no-op", [&](int) { hidden->noop(); });
  measure("virtual add", [&](int i) { sink = hidden->add(i, 1); });
  measure("C++ > C++ no-op", [&](int) { types.noop(); });
  measure("C++ > C++ add", [&](int i) { sink = types.add(i, 1); });
  measure("array in and returned", [&](int) { types.same(a); });
  measure("handle copy", [&](int) { const zoo::Types copy = types; });
}
