// Remote calls beside raw messages: the same arrays, in the same process, in turn.
//
//   bench_remote <url> <raw> <repeats> <seconds per sample> <largest array>
//
// raw: which raw messages (raw.hpp), or the URL of a server reached another way.
//
// Prints a line of JSON for each workload: the median over the repeats of each repeat's median, in
// microseconds. Every answer is checked.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchx.hxx"
#include "raw.hpp"
#include "sampling.hpp"

namespace {

using bench::median;
using bench::sample;

struct Plan {
  int repeats;
  double seconds;
};

void compare(const char* name, int32_t n, const Plan& plan, const std::function<void()>& remote,
             const std::function<void()>& raw) {
  std::vector<double> remote_us;
  std::vector<double> raw_us;
  const double warm_up = plan.seconds / 5;
  sample(remote, warm_up);
  sample(raw, warm_up);
  for (int i = 0; i < plan.repeats; ++i) {
    remote_us.push_back(sample(remote, plan.seconds));
    raw_us.push_back(sample(raw, plan.seconds));
  }
  std::printf("{\"workload\": \"%s\", \"n\": %d, \"us\": %.3f, \"raw_us\": %.3f}\n", name, n,
              median(remote_us), median(raw_us));
  std::fflush(stdout);
}

void check(bool ok) {
  if (!ok) throw std::runtime_error("an answer is wrong");
}

void noop(benchx::Target& target, const raw::RoundTrip& round_trip, const Plan& plan) {
  std::vector<double> none;
  compare(
      "noop", 0, plan, [&] { target.noop(); }, [&] { round_trip(nullptr, 0, 0, none); });
}

void echo(benchx::Target& target, const raw::RoundTrip& round_trip, const Plan& plan, int32_t n) {
  sidl::array<double> values = sidl::array<double>::create1d(n);
  for (int32_t i = 0; i < n; ++i) values.set(i, 0.25 * (i % 1000) + 1);
  const double last = values.get(n - 1);
  std::vector<double> received;
  compare(
      "echo_double", n, plan,
      [&] {
        sidl::array<double> back = target.echo(values);
        check(back.length(0) == n && back.get(n - 1) == last);
      },
      [&] {
        const size_t count = round_trip(values.first(), static_cast<size_t>(n), 0, received);
        check(count == static_cast<size_t>(n) && received[count - 1] == last);
      });
}

/** Structs there, and a number back, beside the same bytes as doubles in a call of the same kind.
 */
void particles(benchx::Many& many, const Plan& plan, int32_t n) {
  auto structs = sidl::array<benchx::Particle>::create1d(n);
  for (int32_t i = 0; i < n; ++i) {
    benchx::Particle& each = structs[i];
    each = benchx::Particle();
    each.x = 0.25 * (i % 1000) + 1;
    each.id = i;
  }
  const auto count = static_cast<int32_t>(sizeof(benchx::Particle) / sizeof(double)) * n;
  auto values = sidl::array<double>::create1d(count);
  for (double& each : values) each = 0.5;
  const double last = structs[n - 1].x;
  compare(
      "particles", n, plan, [&] { check(many.particles(structs) == last); },
      [&] { check(many.doubles(values) == 0.5); });
}

/**
 * The same for structs with a string, beside raw messages that are packed and unpacked by hand, and
 * beside as many raw bytes, which convert nothing.
 */
void records(benchx::Many& many, const raw::RoundTrip& round_trip, const Plan& plan, int32_t n) {
  auto structs = sidl::array<benchx::Record>::create1d(n);
  for (int32_t i = 0; i < n; ++i) {
    structs[i].id = i;
    structs[i].x = 0.25 * (i % 1000) + 1;
    structs[i].set_name("rec" + std::to_string(10000 + i % 10000));
  }
  const double last = structs[n - 1].x;
  const auto call = [&] { check(many.records(structs) == last); };
  std::vector<raw::Record> by_hand;
  for (int32_t i = 0; i < n; ++i) {
    const benchx::Record& each = structs[i];
    by_hand.push_back({each.id, each.x, each.y, each.z, each.get_name()});
  }
  std::vector<double> message;
  std::vector<double> answer;
  compare("records", n, plan, call, [&] {
    const size_t count = raw::pack(by_hand, message);
    check(round_trip(message.data(), count, raw::packed, answer) == 1 && answer[0] == last);
  });
  constexpr size_t payload = 4 + 3 * 8 + 8;  // of one: its name has eight characters
  const std::vector<double> bytes(payload * static_cast<size_t>(n) / sizeof(double));
  compare("records.bytes", n, plan, call,
          [&] { check(round_trip(bytes.data(), bytes.size(), raw::kept, answer) == 0); });
}

void compare_all(const char* url, const raw::RoundTrip& round_trip, const Plan& plan,
                 long largest) {
  benchx::Target target = benchx::Target::_create(url);
  noop(target, round_trip, plan);
  for (int32_t n : {1, 16, 128, 1 << 10, 8 << 10, 64 << 10, 128 << 10, 512 << 10, 4 << 20}) {
    if (n <= largest) echo(target, round_trip, plan, n);
  }
  benchx::Many many = benchx::Many::_create(url);
  if (largest >= 64 << 10) records(many, round_trip, plan, 64 << 10);
  if (largest >= 4 << 20) particles(many, plan, 1 << 20);
}

/** The same calls to a server that is reached another way. */
void compare_ways(const char* url, const char* other_url, const Plan& plan, long largest) {
  benchx::Target target = benchx::Target::_create(url);
  benchx::Target other = benchx::Target::_create(other_url);
  compare(
      "noop", 0, plan, [&] { target.noop(); }, [&] { other.noop(); });
  for (int32_t n : {1 << 10, 64 << 10, 4 << 20}) {
    if (n > largest) break;
    sidl::array<double> values = sidl::array<double>::create1d(n);
    for (double& each : values) each = 0.25;
    const auto echo = [&](benchx::Target& there) {
      sidl::array<double> back = there.echo(values);
      check(back.length(0) == n && back.get(n - 1) == 0.25);
    };
    compare(
        "echo_double", n, plan, [&] { echo(target); }, [&] { echo(other); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: bench_remote <url> <raw> <repeats> <seconds> <largest>\n");
    return 2;
  }
  const Plan plan{std::max(1, std::atoi(argv[3])), std::atof(argv[4])};
  const long largest = std::atol(argv[5]);
  try {
    if (std::strncmp(argv[2], "simhandle", 9) == 0) {
      compare_ways(argv[1], argv[2], plan, largest);
    } else {
      compare_all(argv[1], raw::yardstick(argv[2]), plan, largest);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_remote: %s\n", error.what());
    return 1;
  }
  return 0;
}
