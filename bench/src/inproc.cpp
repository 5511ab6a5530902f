// Calls in process: from C (inproc_c.c) and from C++ (here), to C and to C++, and their yardsticks.
//
//   bench_inproc [samples] [threads]
//   valgrind --tool=callgrind bench_inproc instructions
//
// With `threads`, a second thread sleeps meanwhile: reference counts are atomic then. Takes the
// samples of all measurements in turn (A B C A B C ...), so that a change of the machine's mood
// meets all of them, and prints the median of each as a line of JSON. With `instructions`,
// callgrind writes a dump for each measurement that is named after it and counts CALLS_COUNTED
// calls.
#include "inproc.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

#include "benchc.hxx"
#include "benchx.hxx"
#include "yardstick.h"

volatile int64_t inproc_sink;

namespace {

YardstickObject* virtual_object;

template <class Target>
struct Callee {
  static inline Target target;
  static inline sidl::array<double> values;
  static inline sidl::array<double> many_values;

  static void prepare() {
    target = Target::_create();
    values = sidl::array<double>::create1d(ARRAY_LENGTH);
    many_values = sidl::array<double>::create1d(LARGE_ARRAY_LENGTH);
  }
  static void noop(int64_t calls) {
    Target object = target;
    for (int64_t i = 0; i < calls; ++i) object.noop();
  }
  static void add(int64_t calls) {
    Target object = target;
    int32_t sum = 0;
    for (int64_t i = 0; i < calls; ++i) sum = object.add(sum, 1);
    inproc_sink = sum;
  }
  template <sidl::array<double>& passed>
  static void array(int64_t calls) {
    Target object = target;
    for (int64_t i = 0; i < calls; ++i) sidl::array<double> back = object.echo(passed);
  }
  static void create(int64_t calls) {
    for (int64_t i = 0; i < calls; ++i) Target object = Target::_create();
  }
};

template <class Target, class Face>
void cast(int64_t calls) {
  Target object = Callee<Target>::target;
  for (int64_t i = 0; i < calls; ++i) Face face = sidl::babel_cast<Face>(object);
}

void virtual_noop(int64_t calls) {
  YardstickObject* object = virtual_object;
  for (int64_t i = 0; i < calls; ++i) object->noop();
}

void virtual_add(int64_t calls) {
  YardstickObject* object = virtual_object;
  int32_t sum = 0;
  for (int64_t i = 0; i < calls; ++i) sum = object->add(sum, 1);
  inproc_sink = sum;
}

std::vector<measurement> all_measurements() {
  using C = Callee<benchc::Target>;
  using Cxx = Callee<benchx::Target>;
  C::prepare();
  Cxx::prepare();
  std::vector<measurement> all;
  for (const measurement* each = inproc_from_c(); each->name; ++each) all.push_back(*each);
  const measurement from_cxx[] = {
      {"yardstick.virtual.noop", nullptr, virtual_noop, 1000000},
      {"yardstick.virtual.add", nullptr, virtual_add, 1000000},
      {"cxx_c.noop", "yardstick.virtual.noop", C::noop, 1000000},
      {"cxx_c.add", "yardstick.virtual.add", C::add, 1000000},
      {"cxx_c.array", "cxx_c.noop", C::array<C::values>, 300000},
      {"cxx_c.array.large", "cxx_c.array", C::array<C::many_values>, 300000},
      {"cxx_c.create", "yardstick.malloc", C::create, 100000},
      {"cxx_c.cast", "cxx_c.noop", cast<benchc::Target, benchc::Face>, 300000},
      {"cxx_cxx.noop", "yardstick.virtual.noop", Cxx::noop, 1000000},
      {"cxx_cxx.add", "yardstick.virtual.add", Cxx::add, 1000000},
      {"cxx_cxx.array", "cxx_cxx.noop", Cxx::array<Cxx::values>, 300000},
      {"cxx_cxx.array.large", "cxx_cxx.array", Cxx::array<Cxx::many_values>, 300000},
      {"cxx_cxx.create", "yardstick.malloc", Cxx::create, 100000},
      {"cxx_cxx.cast", "cxx_cxx.noop", cast<benchx::Target, benchx::Face>, 300000},
  };
  all.insert(all.end(), std::begin(from_cxx), std::end(from_cxx));
  return all;
}

double sample(const measurement& what) {
  const auto start = std::chrono::steady_clock::now();
  what.run(what.calls);
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / static_cast<double>(what.calls);
}

#ifdef CALLGRIND_ZERO_STATS
constexpr int64_t CALLS_COUNTED = 1000;

int count_instructions(const std::vector<measurement>& all) {
  for (const measurement& each : all) {
    each.run(1);  // whatever is done once
    CALLGRIND_ZERO_STATS;
    each.run(CALLS_COUNTED);
    CALLGRIND_DUMP_STATS_AT(each.name);
  }
  return 0;
}
#else
int count_instructions(const std::vector<measurement>&) {
  std::fputs("bench_inproc: built without valgrind/callgrind.h\n", stderr);
  return 2;
}
#endif

// Ends with the process.
void start_sleeper() {
  std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }).detach();
}

}  // namespace

int main(int argc, char** argv) {
  virtual_object = make_yardstick(argc > 100);
  if (argc > 1 && std::strcmp(argv[1], "instructions") == 0) {
    return count_instructions(all_measurements());
  }
  const int samples = argc > 1 ? std::max(1, std::atoi(argv[1])) : 31;
  if (argc > 2 && std::strcmp(argv[2], "threads") == 0) start_sleeper();
  const std::vector<measurement> all = all_measurements();
  std::vector<std::vector<double>> times(all.size());
  for (const measurement& each : all) sample(each);
  for (int round = 0; round < samples; ++round) {
    for (size_t i = 0; i < all.size(); ++i) times[i].push_back(sample(all[i]));
  }
  for (size_t i = 0; i < all.size(); ++i) {
    std::sort(times[i].begin(), times[i].end());
    std::printf("{\"name\": \"%s\", \"yardstick\": \"%s\", \"ns\": %.3f}\n", all[i].name,
                all[i].yardstick ? all[i].yardstick : "", times[i][times[i].size() / 2]);
  }
}
