// Where the time of a remote call goes: marshal, send, dispatch, unmarshal, reply, type by type.
//
//   bench_layers <url> <raw> <repeats> <seconds per sample> <bytes>...
//
// A call gives its argument back, so every layer is crossed once in each direction. Marshalling and
// unmarshalling are timed alone, through the interfaces that libsidl uses; sending and replying are
// those of raw messages (src/raw.hpp) of as many bytes; dispatch is what a call without arguments
// takes above an empty one. Prints a line of JSON for each type and size, in microseconds;
// `total_us` is the whole call, measured, to be compared with the sum.
#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../src/raw.hpp"
#include "layers.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"

namespace {

using Clock = std::chrono::steady_clock;
using sidl::rmi::Invocation;
using sidl::rmi::Response;

constexpr const char* RESULT = "_retval";

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

double median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Plan {
  int repeats;
  double seconds;
};

// Median of `timed`, which gives the microseconds of one round, over as many as fit; at least five.
double sample(double seconds, const std::function<double()>& timed) {
  std::vector<double> times;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (times.size() < 5 || Clock::now() < end) times.push_back(timed());
  return median(times);
}

std::function<double()> timed(const std::function<void()>& work) {
  return [work] {
    const auto start = Clock::now();
    work();
    return microseconds(Clock::now() - start);
  };
}

// ---- values: how to make, pack and unpack one of each type -------------------------------------

#define ARRAY_OF(ELEMENT, NAME)                                    \
  void pack(Invocation& call, const sidl::array<ELEMENT>& value) { \
    call.pack##NAME##Array("values", value, 0, 1, true);           \
  }                                                                \
  void unpack(Response& answer, sidl::array<ELEMENT>& value) {     \
    answer.unpack##NAME##Array(RESULT, value, 0, 1, false);        \
  }
ARRAY_OF(bool, Bool)
ARRAY_OF(char, Char)
ARRAY_OF(int32_t, Int)
ARRAY_OF(int64_t, Long)
ARRAY_OF(float, Float)
ARRAY_OF(double, Double)
ARRAY_OF(std::complex<float>, Fcomplex)
ARRAY_OF(std::complex<double>, Dcomplex)
ARRAY_OF(std::string, String)
#undef ARRAY_OF

void pack(Invocation& call, const layers::Record& value) {
  call.packInt("id", value.id);
  call.packDouble("x", value.x);
  call.packDouble("y", value.y);
  call.packDouble("z", value.z);
  call.packString("name", value.get_name());
}

void unpack(Response& answer, layers::Record& value) {
  std::string name;
  answer.unpackInt("id", value.id);
  answer.unpackDouble("x", value.x);
  answer.unpackDouble("y", value.y);
  answer.unpackDouble("z", value.z);
  answer.unpackString("name", name);
  value.set_name(name);
}

void pack(Invocation& call, const layers::Target& value) {
  call.packObject("value", value);
}

void unpack(Response& answer, layers::Target& value) {
  sidl::BaseInterface object;
  answer.unpackObject(RESULT, object);
  value = sidl::babel_cast<layers::Target>(object);
}

// ---- one type
// ------------------------------------------------------------------------------------

int64_t digest_of(const std::string& method) {
  const sidl_type_info& info = layers_Target__info;
  for (uint16_t slot = 0; slot < info.slot_count; ++slot) {
    if (method == info.slots[slot]->name) return static_cast<int64_t>(info.slots[slot]->digest);
  }
  throw std::runtime_error("no method " + method);
}

class Bench {
 public:
  Bench(const std::string& url, const std::string& raw, Plan plan)
      : plan_(plan),
        target_(layers::Target::_create(url)),
        handle_(
            sidl::rmi::ProtocolFactory::connectInstance(target_._getURL(), "layers.Target", true)),
        raw_(raw::yardstick(raw)) {
    noop_us_ = repeated(timed([&] { target_.noop(); }));
    raw_noop_us_ = repeated(raw_echo(0));
  }

  // `call` is the whole call through the generated stub.
  template <class Value>
  void measure(const char* type, const char* method, size_t bytes, const Value& value,
               const std::function<Value(const Value&)>& call) {
    const int64_t digest = digest_of(method);
    const auto marshal = timed([&] {
      Invocation invocation = handle_.createInvocation(method, digest);
      pack(invocation, value);
    });
    const auto begin = timed([&] { handle_.createInvocation(method, digest); });
    const auto unmarshal = [&] {
      Invocation invocation = handle_.createInvocation(method, digest);
      pack(invocation, value);
      Response answer = invocation.invokeMethod();
      const auto start = Clock::now();
      {
        Value back;
        unpack(answer, back);
      }
      return microseconds(Clock::now() - start);
    };
    const auto clock = timed([] {});
    const double marshal_us = std::max(0.0, repeated(marshal) - repeated(begin));
    const double unmarshal_us = std::max(0.0, repeated(unmarshal) - repeated(clock));
    const double raw_us = repeated(raw_echo(bytes));
    const double total_us = repeated(timed([&] { call(value); }));
    std::printf(
        "{\"type\": \"%s\", \"bytes\": %zu, \"marshal_us\": %.3f, \"send_us\": %.3f, "
        "\"dispatch_us\": %.3f, \"unmarshal_us\": %.3f, \"reply_us\": %.3f, "
        "\"total_us\": %.3f, \"raw_us\": %.3f}\n",
        type, bytes, 2 * marshal_us, raw_us / 2, noop_us_ - raw_noop_us_, 2 * unmarshal_us,
        raw_us / 2, total_us, raw_us);
    std::fflush(stdout);
  }

  layers::Target& target() { return target_; }

 private:
  double repeated(const std::function<double()>& round) const {
    std::vector<double> medians;
    for (int i = 0; i < plan_.repeats; ++i) medians.push_back(sample(plan_.seconds, round));
    return median(medians);
  }

  std::function<double()> raw_echo(size_t bytes) {
    const size_t count = (bytes + 7) / 8;
    sent_.assign(count, 1.0);
    return timed([this, count] {
      if (raw_(sent_.data(), count, 0, got_) != count) throw std::runtime_error("a raw message");
    });
  }

  Plan plan_;
  layers::Target target_;
  sidl::rmi::InstanceHandle handle_;
  raw::RoundTrip raw_;
  std::vector<double> sent_, got_;
  double noop_us_ = 0;
  double raw_noop_us_ = 0;
};

// ---- all types
// -----------------------------------------------------------------------------------

template <class Element>
void measure_array(Bench& bench, const char* type, const char* method, size_t bytes) {
  using Array = sidl::array<Element>;
  const Array values = Array::create1d(static_cast<int32_t>(bytes / sizeof(Element)));
  std::fill_n(values.first(), values.length(0), Element(1));
  bench.measure<Array>(type, method, bytes, values,
                       [&](const Array& in) { return bench.target().echo(in); });
}

// One byte a bool travels as, four it lies in.
void measure_bools(Bench& bench, size_t bytes) {
  using Array = sidl::array<bool>;
  Array values = Array::create1d(static_cast<int32_t>(bytes));
  for (int32_t i = 0; i < values.length(0); ++i) values.set(i, i % 2 == 0);
  bench.measure<Array>("bool", "echoBool", bytes, values,
                       [&](const Array& in) { return bench.target().echo(in); });
}

void measure_strings(Bench& bench, size_t bytes) {
  using Array = sidl::array<std::string>;
  constexpr size_t LENGTH = 16;
  Array values = Array::create1d(static_cast<int32_t>(bytes / LENGTH));
  for (int32_t i = 0; i < values.length(0); ++i) values.set(i, std::string(LENGTH, 'x'));
  bench.measure<Array>("string", "echoString", bytes, values,
                       [&](const Array& in) { return bench.target().echo(in); });
}

void measure_single_values(Bench& bench) {
  layers::Record record;
  record.id = 1;
  record.x = record.y = record.z = 2;
  record.set_name("name0000");
  bench.measure<layers::Record>("struct", "echoRecord", 36, record,
                                [&](const layers::Record& in) { return bench.target().echo(in); });
  bench.measure<layers::Target>("object", "echoObject", 33, bench.target(),
                                [&](const layers::Target& in) { return bench.target().echo(in); });
}

void measure_all(Bench& bench, size_t bytes) {
  measure_bools(bench, bytes);
  measure_array<char>(bench, "char", "echoChar", bytes);
  measure_array<int32_t>(bench, "int", "echoInt", bytes);
  measure_array<int64_t>(bench, "long", "echoLong", bytes);
  measure_array<float>(bench, "float", "echoFloat", bytes);
  measure_array<double>(bench, "double", "echoDouble", bytes);
  measure_array<std::complex<float>>(bench, "fcomplex", "echoFcomplex", bytes);
  measure_array<std::complex<double>>(bench, "dcomplex", "echoDcomplex", bytes);
  measure_strings(bench, bytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: bench_layers <url> <raw> <repeats> <seconds> <bytes>...\n");
    return 2;
  }
  try {
    Bench bench(argv[1], argv[2], Plan{std::max(1, std::atoi(argv[3])), std::atof(argv[4])});
    measure_single_values(bench);
    for (int i = 5; i < argc; ++i) measure_all(bench, std::strtoul(argv[i], nullptr, 10));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_layers: %s\n", error.what());
    return 1;
  }
  return 0;
}
