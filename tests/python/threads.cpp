// Threads of a program in C++ that pass their first arrays to Python at the same time: what Python
// is asked for once, such as NumPy's types, is asked for by all of them. It prints "fine".
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "snake_Worker.hxx"

namespace {

constexpr int count = 8;
std::atomic<int> ready{0};

void pass_array() {
  snake::Worker worker = snake::Worker::_create();
  sidl::array<double> numbers = sidl::array<double>::create1d(3);
  for (int i = 0; i < 3; ++i) numbers.set(i, i);
  for (++ready; ready < count;) std::this_thread::yield();
  const sidl::array<double> kept = worker.keep(numbers);
  if (kept.dimen() != 1 || kept.length(0) != 3 || kept.get(2) != 2) std::abort();
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(pass_array);
  for (std::thread& each : threads) each.join();
  std::puts("fine");
}
