// Small remote calls, one after the other: what callgrind counts (tests/test_instructions.py), and
// what one call at a time on an object costs (run.py).
//
//   bench_noops <url> Target|Free <calls>     makes so many calls of noop, of this class
//   bench_noops <url> <values> <calls>        so many with numbers, a struct, an object, an inout
//                                             array, or 1 Ki records with a string each
//   bench_noops <url> strands <repeats> <seconds per sample>
//
// The latter prints a line of JSON: median microseconds of a no-op of Target, which runs its calls
// one at a time, and of Free, which does not, in turn.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchx.hxx"
#include "sampling.hpp"

namespace {

template <class Object>
void call(const char* url, long calls) {
  Object object = Object::_create(url);
  for (long i = 0; i < calls; ++i) object.noop();
}

void call_with_records(const char* url, long calls) {
  constexpr int64_t count = 1 << 10;
  auto records = sidl::array<benchx::Record>::create1d(count);
  for (int64_t i = 0; i < count; ++i) {
    records[i].id = static_cast<int32_t>(i);
    records[i].set_name("rec" + std::to_string(10000 + i));
  }
  benchx::Many object = benchx::Many::_create(url);
  for (long i = 0; i < calls; ++i) object.records(records);
}

bool call_with(const char* what, const char* url, long calls) {
  if (std::strcmp(what, "records") == 0) return call_with_records(url, calls), true;
  benchx::Values object = benchx::Values::_create(url);
  const auto repeat = [&](auto call) {
    for (long i = 0; i < calls; ++i) call();
    return true;
  };
  if (std::strcmp(what, "numbers") == 0) return repeat([&] { object.add(1, 2); });
  if (std::strcmp(what, "struct") == 0) {
    benchx::Point point;
    point.x = point.y = 1;
    point.set_name("here");
    return repeat([&] { object.move(point, 2); });
  }
  if (std::strcmp(what, "object") == 0) return repeat([&] { object.same(object); });
  if (std::strcmp(what, "inout") == 0) {
    sidl::array<double> values = sidl::array<double>::create1d(8);
    return repeat([&] { object.shift(values, 1); });
  }
  return false;
}

void compare(const char* url, int repeats, double seconds) {
  benchx::Target target = benchx::Target::_create(url);
  benchx::Free free = benchx::Free::_create(url);
  std::vector<double> serial;
  std::vector<double> concurrent;
  for (int i = 0; i < repeats; ++i) {
    serial.push_back(bench::sample([&] { target.noop(); }, seconds));
    concurrent.push_back(bench::sample([&] { free.noop(); }, seconds));
  }
  std::printf("{\"us\": %.4f, \"concurrent_us\": %.4f}\n", bench::median(serial),
              bench::median(concurrent));
}

int usage() {
  std::fprintf(stderr,
               "usage: bench_noops <url> Target|Free|numbers|struct|object|inout <calls>\n");
  std::fprintf(stderr, "       bench_noops <url> strands <repeats> <seconds>\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    return usage();
  }
  try {
    if (std::strcmp(argv[2], "strands") == 0) {
      compare(argv[1], std::atoi(argv[3]), std::atof(argv[4]));
    } else if (std::strcmp(argv[2], "Free") == 0) {
      call<benchx::Free>(argv[1], std::atol(argv[3]));
    } else if (std::strcmp(argv[2], "Target") == 0) {
      call<benchx::Target>(argv[1], std::atol(argv[3]));
    } else if (!call_with(argv[2], argv[1], std::atol(argv[3]))) {
      return usage();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_noops: %s\n", error.what());
    return 1;
  }
  return 0;
}
