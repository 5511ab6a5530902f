#include "total_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace shinar::wire {

std::uint64_t total_memory(std::uint64_t wished) {
  if (wished != 0) return wished;
  const auto pages = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PHYS_PAGES)));
  std::uint64_t most = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  // Of a container; says "max" where there is no limit.
  std::ifstream file("/sys/fs/cgroup/memory.max");
  if (std::uint64_t of_group = 0; file >> of_group) most = std::min(most, of_group);
  return most / 2;
}

}  // namespace shinar::wire
