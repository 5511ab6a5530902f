// Calls in a circle of two servers, by many threads at once, for ever or for some rounds.
//
//   wire_circle <url> <other url> <threads> <depth> <rounds, 0: for ever>
//
// Each thread has an object at either server; they call each other, so that at the end of a round
// `depth` calls wait. Says "going" when all threads have begun, and at the end how many rounds were
// right and how many failed.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "sidl_rmi_TimeOutException.hxx"
#include "wire.hxx"

namespace {

std::atomic<int> begun{0}, right{0}, failed{0};

/** The time of a call may be over before its answer has come: once more, then. */
wire::Box create(const char* url) {
  for (;;) {
    try {
      return wire::Box::_create(url);
    } catch (const sidl::rmi::TimeOutException&) {
    }
  }
}

void go_round(const char* first, const char* second, int depth, int rounds) {
  const wire::Box here = create(first);
  wire::Box there = create(second);
  ++begun;
  for (int i = 0; rounds == 0 || i < rounds; ++i) {
    try {
      here.bounce(there, depth) == depth ? ++right : ++failed;
    } catch (const sidl::BaseException&) {
      ++failed;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const int count = std::atoi(argv[3]);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back(go_round, argv[1], argv[2], std::atoi(argv[4]), std::atoi(argv[5]));
  }
  while (begun != count) std::this_thread::yield();
  std::puts("going");
  std::fflush(stdout);
  for (std::thread& each : threads) each.join();
  std::printf("%d right, %d failed\n", right.load(), failed.load());
  return 0;
}
