/**
 * changing URL: looks at an object's own array, as its methods return it, while another thread has
 * it changed. Prints how often it was as it never was between two calls.
 */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

#include "bulk_Store.hxx"

namespace {

bool is_torn(const sidl::array<double>& state) {
  const double first = state.get(0);
  return std::any_of(state.begin(), state.end(), [first](double each) { return each != first; });
}

}  // namespace

int main(int, char** arguments) {
  const auto store = bulk::Store::_create(arguments[1]);
  std::atomic<bool> is_over{false};
  std::thread changes([&] {
    while (!is_over) store.step();
  });
  int torn = 0;
  for (int i = 0; i < 50; ++i) torn += is_torn(store.state()) + is_torn(store.halfState());
  is_over = true;
  changes.join();
  std::printf("%d\n", torn);
}
