// A rank of the atmosphere: a caller of the ocean, and an object for the driver. It has columns of
// the basin, four at a time, in turn with the other ranks.
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "coupled.hxx"
#include "sidl_par.hxx"

namespace {

sidl::array<std::string> words(const char* text) {
  std::istringstream stream(text ? text : "");
  const std::vector<std::string> found{std::istream_iterator<std::string>(stream), {}};
  auto array = sidl::array<std::string>::create1d(static_cast<int32_t>(found.size()));
  for (size_t i = 0; i < found.size(); ++i) array.set(static_cast<int32_t>(i), found[i]);
  return array;
}

template <class T>
sidl::array<T> pair(T first, T second) {
  const T both[] = {first, second};
  return sidl::array<T>::create1d(2, both);
}

void serve() {
  auto group = sidl::par::Group::ofJob();
  const auto urls = words(std::getenv("SIDL_URLS_OCEAN"));
  auto ocean = sidl::babel_cast<coupled::Ocean>(group.connect("ocean", urls));
  const coupled::Grid grid = ocean.grid();
  const auto columns = sidl::par::Distribution::blockCyclic(
      pair<int64_t>(1, 1), pair<int64_t>(grid.nx, grid.ny), pair<int32_t>(group.getSize(), 1),
      pair<int64_t>(4, grid.ny));
  for (const char* argument : {"step.flux", "step.sst", "look.sst"}) {
    sidl::par::Group::distribute(ocean, argument, columns);
  }

  auto air = coupled::Atmosphere::_create();
  air.begin(ocean, static_cast<int32_t>(columns.getLengths(group.getRank())[0]));
  group.publish("atmosphere", air);
  sidl::par::Group::distribute(air, "look.t", columns);
  group.serve();
}

}  // namespace

int main() {
  try {
    serve();
  } catch (const std::exception& error) {
    std::cerr << "atmosphere: " << error.what() << "\n";
    return 1;
  }
}
