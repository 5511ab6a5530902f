// The first ranks serve, the others call; the numbers of both are arguments.
#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "sidl_BaseException.hxx"
#include "sidl_par_Distribution.hxx"
#include "sidl_par_Group.hxx"
#include "tide_Gauge.hxx"

namespace {

constexpr int kPlaces = 11;

// The servers' URLs get to all by MPI, in one line.
std::string shared(std::string text) {
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

sidl::par::Distribution divided(int ranks) {
  const std::int64_t lower[] = {1};
  const std::int64_t upper[] = {kPlaces};
  const std::int32_t grid[] = {ranks};
  auto first = sidl::array<std::int64_t>::create1d(1, lower);
  auto last = sidl::array<std::int64_t>::create1d(1, upper);
  auto shape = sidl::array<std::int32_t>::create1d(1, grid);
  return sidl::par::Distribution::blocks(first, last, shape);
}

void serve(sidl::par::Group& group) {
  tide::Gauge gauge = tide::Gauge::_create();
  gauge.begin(group.getRank());
  group.publish("tide", gauge);
  auto distribution = divided(group.getSize());
  sidl::par::Group::distribute(gauge, "rise.levels", distribution);
  std::string urls;
  auto all = group.getURLs();
  for (std::int64_t i = 0; i < all.length64(0); ++i) urls += all.get(i) + "\n";
  shared(urls);
  MPI_Barrier(MPI_COMM_WORLD);  // the callers have done
}

void call(sidl::par::Group& group, int servers) {
  const std::string text = shared("");
  auto urls = sidl::array<std::string>::create1d(servers);
  std::size_t at = 0;
  for (int i = 0; i < servers; ++i) {
    const std::size_t end = text.find('\n', at);
    urls.set(i, text.substr(at, end - at));
    at = end + 1;
  }
  auto gauge = sidl::babel_cast<tide::Gauge>(group.connect("tide", urls));
  auto distribution = divided(group.getSize());
  sidl::par::Group::distribute(gauge, "rise.levels", distribution);
  const std::int64_t places = distribution.getLengths(group.getRank()).get(0);
  auto levels = sidl::array<double>::create1d(places);
  for (std::int64_t i = 0; i < places; ++i) levels.set(i, static_cast<double>(i));
  for (int turn = 1; turn <= 3; ++turn) {
    const int rank = gauge.rise(levels, 0.5);
    if (rank != group.getRank() % servers) throw std::runtime_error("another rank has answered");
  }
  for (std::int64_t i = 0; i < places; ++i) {
    if (levels.get(i) != static_cast<double>(i) + 1.5) throw std::runtime_error("a wrong level");
  }
  std::cout << "well\n" << std::flush;
  MPI_Barrier(MPI_COMM_WORLD);
}

int refuse() {
  try {
    sidl::par::Group::ofCommunicator(0);
  } catch (const sidl::BaseException& refusal) {
    std::cout << refusal.getNote() << "\n";
  }
  MPI_Init(nullptr, nullptr);
  try {
    sidl::par::Group::ofCommunicator(MPI_Comm_c2f(MPI_COMM_NULL));
  } catch (const sidl::BaseException& refusal) {
    std::cout << refusal.getNote() << "\n";
  }
  MPI_Finalize();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) return refuse();
  const int servers = std::atoi(argv[1]);
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  try {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool serves = rank < servers;
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, serves ? 0 : 1, rank, &part);
    auto group = sidl::par::Group::ofCommunicator(MPI_Comm_c2f(part));
    if (serves) {
      serve(group);
    } else {
      call(group, servers);
    }
  } catch (const sidl::BaseException& failure) {
    std::cerr << failure.getNote() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
