#include "spin.hpp"

namespace shinar::wire {

unsigned usable_cores() {
  static const unsigned count = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1u;
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  }();
  return count;
}

}  // namespace shinar::wire
