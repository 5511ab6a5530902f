// A worker: `worker POINTS`, with the number of points of all workers together.
#include <initializer_list>
#include <iostream>
#include <stdexcept>
#include <string>

#include "clustering.hxx"
#include "impl/shares.hpp"
#include "sidl_par.hxx"

namespace {

constexpr int32_t block = 250;
constexpr int32_t most_clusters = 16;

template <class T>
sidl::array<T> list(std::initializer_list<T> values) {
  return sidl::array<T>::create1d(static_cast<int32_t>(values.size()), values.begin());
}

void serve(int32_t points) {
  auto group = sidl::par::Group::ofJob();
  const int32_t workers = group.getSize();
  clustering::Layout layout;
  layout.points = points;
  layout.block = block;
  layout.clusters = most_clusters;
  auto worker = clustering::Worker::_create();
  worker.begin(layout);
  group.publish("workers", worker);

  // Blocks go to the workers in turn; one with what they add up to each of them.
  const auto by_points =
      sidl::par::Distribution::blockCyclic(list<int64_t>({0, 0}), list<int64_t>({points - 1, 1}),
                                           list<int32_t>({workers, 1}), list<int64_t>({block, 2}));
  const int64_t blocks = (points + block - 1) / block;
  const auto by_blocks = sidl::par::Distribution::blockCyclic(
      list<int64_t>({0, 0, 0}), list<int64_t>({blocks - 1, most_clusters - 1, shares::moments - 1}),
      list<int32_t>({workers, 1, 1}), list<int64_t>({1, most_clusters, shares::moments}));
  sidl::par::Group::distribute(worker, "take.points", by_points);
  sidl::par::Group::distribute(worker, "share.sums", by_blocks);
  group.serve();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::invalid_argument("usage: worker POINTS");
    serve(std::stoi(argv[1]));
  } catch (const std::exception& error) {
    std::cerr << "worker: " << error.what() << "\n";
    return 1;
  }
}
