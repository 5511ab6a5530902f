/**
 * How long a thread polls before it sleeps.
 */
#include "core/spin.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <thread>

using shinar::wire::Spin;

namespace {

/** The threads of the test run on one core until it ends. */
class OnOneCore {
 public:
  OnOneCore() {
    ::sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (!CPU_ISSET(core, &before_)) continue;
      CPU_SET(core, &one);
      break;
    }
    ::sched_setaffinity(0, sizeof one, &one);
  }
  OnOneCore(const OnOneCore&) = delete;
  OnOneCore& operator=(const OnOneCore&) = delete;
  ~OnOneCore() { ::sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_{};
};

/**
 * The peer can answer only when it has the core: whoever spins keeps it from it. However soon the
 * answer comes, such a spin is no success. (Linux 6.6 and later let who yields go on for long;
 * calls took twice as long there.)
 */
TEST(Spin, EndsWhereThePeerSharesTheCore) {
  constexpr int calls = 300;
  constexpr std::uint32_t longest_us = 100'000;
  const OnOneCore one_core;
  std::atomic<int> asked{0}, answered{0};
  std::thread peer([&] {
    for (int i = 1; i <= calls; ++i) {
      for (int seen = asked; seen < i; seen = asked) asked.wait(seen);
      answered = i;
      answered.notify_one();
    }
  });
  Spin spin(longest_us);
  int spins = 0;
  for (int i = 1; i <= calls; ++i) {
    asked = i;
    asked.notify_one();
    if (spin.wants_to_spin()) {
      ++spins;
      spin.receive([&]() -> ssize_t {
        errno = EAGAIN;
        return answered == i ? 1 : -1;
      });
    }
    for (int seen = answered; seen < i; seen = answered) answered.wait(seen);
  }
  peer.join();
  EXPECT_LE(spins, calls / 4);
}

}  // namespace
