// What a call costs, beside a C++ virtual call: prints nanoseconds.
#include <chrono>
#include <cstdio>

#include "sidl_array.hxx"
#include "zoo_Types.hxx"

namespace {

struct Virtual {
  virtual ~Virtual() = default;
  virtual void noop() {}
  virtual int32_t add(int32_t a, int32_t b) { return a + b; }
};

template <class Body>
double measure(const char* name, Body body) {
  constexpr int kCalls = 20'000'000;
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i) body(i);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = time.count() / kCalls < best ? time.count() / kCalls : best;
  }
  std::printf("%-24s %6.2f ns\n", name, best);
  return best;
}

}  // namespace

int main() {
  Virtual plain;
  Virtual* volatile hidden = &plain;
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
