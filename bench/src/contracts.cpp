// What contracts cost: bench_contracts [samples]
//
// Prints a line of JSON for each measurement. Samples are taken in turn.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "benchk_Target.h"
#include "sampling.hpp"
#include "sidl_EnfPolicy.h"

namespace {

constexpr std::int64_t CALLS = 200'000;
constexpr std::int64_t ELEMENTS = 1 << 20;

benchk_Target target;
sidl_BaseInterface ex;
sidl_double__array* values;

// Nanoseconds of a call.
template <typename Call>
double timed(std::int64_t calls, Call call) {
  const auto begin = bench::Clock::now();
  for (std::int64_t i = 0; i < calls; ++i) call();
  const std::chrono::duration<double, std::nano> taken = bench::Clock::now() - begin;
  return taken.count() / static_cast<double>(calls);
}

void enforce(bool is_on) {
  if (is_on) {
    sidl_EnfPolicy_setEnforceAll(sidl_ContractClass_ALLCLASSES, TRUE, &ex);
  } else {
    sidl_EnfPolicy_setEnforceNone(TRUE, &ex);
  }
}

double guarded() {
  return timed(CALLS, [] { benchk_Target_guarded(target, 5, &ex); });
}

// As somebody would write it who looks at all elements.
__attribute__((noinline)) bool all_positive(const double* first, std::int64_t count) {
  std::int64_t fulfilled = 0;
  for (std::int64_t i = 0; i < count; ++i) fulfilled += first[i] > 0.0;
  return fulfilled == count;
}

double loop() {
  double* const first = sidl_double__array_first(values);
  return timed(5, [&] {
    __asm__ volatile("" ::"r"(first) : "memory");
    if (!all_positive(first, ELEMENTS)) std::exit(1);
  });
}

void print(const char* name, double ns, double yardstick, const char* against) {
  std::printf(R"({"name": "%s", "ns": %.3f, "yardstick": %.3f, "against": "%s"})"
              "\n",
              name, ns, yardstick, against);
}

}  // namespace

int main(int argc, char** argv) {
  const int samples = argc > 1 ? std::atoi(argv[1]) : 31;
  target = benchk_Target__create(&ex);
  values = sidl_double__array_create1d(ELEMENTS);
  std::fill_n(sidl_double__array_first(values), ELEMENTS, 1.0);
  std::vector<double> noop, off, on, positive, by_hand;
  for (int i = 0; i < samples; ++i) {
    enforce(false);
    noop.push_back(timed(CALLS, [] { benchk_Target_noop(target, &ex); }));
    off.push_back(guarded());
    by_hand.push_back(loop());
    enforce(true);
    on.push_back(guarded());
    positive.push_back(timed(5, [] { benchk_Target_positive(target, values, &ex); }));
  }
  const double cost_off = bench::median(off);
  print("inproc.c_c.noop.contracts_off", cost_off, bench::median(noop), "without a contract");
  print("inproc.c_c.noop.contracts_on", bench::median(on), cost_off + 5, "off, and 5 ns");
  print("contracts.all_positive.1048576", bench::median(positive), bench::median(by_hand),
        "the same loop in C");
  return 0;
}
