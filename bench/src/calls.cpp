// Calls per second of many threads, beside raw TCP: a connection and a server thread for each; or
// beside the same threads' calls of another server.
//
//   bench_calls <url> <raw port or other url> <repeats> <seconds per sample>
//
// For 1, 2, 4, 16 and 64 threads in turn, each calling as fast as it is answered: a line of JSON
// with the medians over the repeats.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "benchx.hxx"
#include "raw_socket.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Call = std::function<void()>;

// Calls per second of as many threads as there are `calls`, each doing its own.
double sample(const std::vector<Call>& calls, double seconds) {
  std::latch ready(static_cast<std::ptrdiff_t>(calls.size()) + 1);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  std::vector<std::thread> threads;
  for (const Call& call : calls) {
    threads.emplace_back([&] {
      call();
      ready.arrive_and_wait();
      std::uint64_t count = 0;
      for (; !stop.load(std::memory_order_relaxed); ++count) call();
      done.fetch_add(count);
    });
  }
  ready.arrive_and_wait();
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(done) / std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<Call> calls_beside(const std::string& what, std::size_t threads) {
  if (what.find("://") != std::string::npos) {
    const benchx::Target target = benchx::Target::_create(what);
    return std::vector<Call>(threads, [target] { target.noop(); });
  }
  std::vector<Call> calls;
  const auto port = static_cast<uint16_t>(std::stoi(what));
  for (std::size_t i = 0; i < threads; ++i) {
    calls.push_back([connection = std::make_shared<raw::Connection>(raw::connect_to(port)),
                     none = std::vector<double>()]() mutable {
      std::size_t count = 0;
      connection->send(nullptr, 0);
      if (!connection->receive(none, count)) throw std::runtime_error("no answer");
    });
  }
  return calls;
}

double median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: bench_calls <url> <raw port or url> <repeats> <seconds>\n");
    return 2;
  }
  const std::string beside = argv[2];
  const int repeats = std::max(1, std::atoi(argv[3]));
  const double seconds = std::atof(argv[4]);
  try {
    const benchx::Target target = benchx::Target::_create(argv[1]);
    for (const std::size_t threads : {1, 2, 4, 16, 64}) {
      const std::vector<Call> remote(threads, [&target] { target.noop(); });
      const std::vector<Call> raw = calls_beside(beside, threads);
      std::vector<double> remote_rates;
      std::vector<double> raw_rates;
      for (int i = 0; i < repeats; ++i) {
        remote_rates.push_back(sample(remote, seconds));
        raw_rates.push_back(sample(raw, seconds));
      }
      std::printf("{\"threads\": %zu, \"rate\": %.0f, \"raw_rate\": %.0f}\n", threads,
                  median(remote_rates), median(raw_rates));
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_calls: %s\n", error.what());
    return 1;
  }
  return 0;
}
