// A collective call that does nothing, from 4 ranks to 4, beside a barrier of each side and a call
// of one rank:
//
//   mpirun -n 8 bench_collective <folder> <calls> <repeats>
//
// Ranks 0 to 3 serve, ranks 4 to 7 call. The samples of what is compared alternate, and whoever
// takes no part sleeps meanwhile; rank 4 prints a line of JSON with the medians.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "benchm.hxx"
#include "quiet.hpp"
#include "sampling.hpp"
#include "sidl_par_Group.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"

namespace {

using bench::Clock;
using sidl::par::Group;

constexpr int kRanks = 4;  // of each side
constexpr std::chrono::microseconds kPause{200};

std::string url_of(const std::string& folder, int rank) {
  return "simhandle+unix://" + folder + "/" + std::to_string(rank);
}

sidl::array<std::string> urls_of(const std::string& folder, int first) {
  auto urls = sidl::array<std::string>::create1d(kRanks);
  for (int i = 0; i < kRanks; ++i) urls.set(i, url_of(folder, first + i));
  return urls;
}

// Microseconds of each of several calls, if this rank makes them.
template <typename Call>
double sample(bool takes_part, int calls, Call call) {
  quiet_barrier(kPause);
  const auto before = Clock::now();
  for (int i = 0; takes_part && i < calls; ++i) call();
  const std::chrono::duration<double, std::micro> time = Clock::now() - before;
  quiet_barrier(kPause);
  return time.count() / calls;
}

void run(const std::string& folder, int calls, int repeats) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool serves = rank < kRanks;
  MPI_Comm side;
  MPI_Comm_split(MPI_COMM_WORLD, serves ? 0 : 1, rank, &side);
  const Group group = Group::ofURLs(urls_of(folder, serves ? 0 : kRanks), rank % kRanks);
  benchm::Step step;
  benchm::Step alone;
  if (serves) {
    step = benchm::Step::_create();
    group.publish("step", step);
    sidl::rmi::InstanceRegistry::registerInstance(step, "alone");
    quiet_barrier(kPause);
  } else {
    quiet_barrier(kPause);
    step = sidl::babel_cast<benchm::Step>(group.connect("step", urls_of(folder, 0)));
    alone = benchm::Step::_connect(url_of(folder, rank - kRanks) + "#alone");
  }
  std::vector<double> together, served, called, one;
  for (int i = 0; i < repeats; ++i) {
    together.push_back(sample(!serves, calls, [&] { step.all(); }));
    served.push_back(sample(serves, calls, [&] { MPI_Barrier(side); }));
    called.push_back(sample(!serves, calls, [&] { MPI_Barrier(side); }));
    one.push_back(sample(rank == kRanks, calls, [&] { alone.one(); }));
  }
  // The barrier of the servers is measured there.
  double barrier = bench::median(served);
  MPI_Bcast(&barrier, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == kRanks) {
    std::printf("{\"collective_us\": %.2f, \"barriers_us\": %.2f, \"call_us\": %.2f}\n",
                bench::median(together), barrier + bench::median(called), bench::median(one));
  }
  quiet_barrier(kPause);
  MPI_Comm_free(&side);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: mpirun -n 8 bench_collective FOLDER CALLS REPEATS\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  MPI_Finalize();
}
