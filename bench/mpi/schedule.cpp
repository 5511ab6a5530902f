// Who sends what to whom, found out from lists of indices of 4 ranks and of 4 others:
//
//   mpirun -n 8 bench_schedule <folder> <indices> <repeats>
//
// Ranks 0 to 3 serve, ranks 4 to 7 call. A mesh's indices lie in runs of 64 neighbours on any
// ranks, in any order, as after a partitioner. Rank 4 prints a line of JSON: the time of distribute
// on both sides, and the most memory that a rank took meanwhile, times that of its list of indices.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchm.hxx"
#include "quiet.hpp"
#include "sampling.hpp"
#include "sidl_par_Distribution.hxx"
#include "sidl_par_Group.hxx"

namespace {

using bench::Clock;
using sidl::par::Distribution;
using sidl::par::Group;

constexpr int kRanks = 4;  // of each side
constexpr std::int64_t kRun = 64;
constexpr std::chrono::microseconds kPause{200};

// A rank's indices, of all that there are.
sidl::array<std::int64_t> list_of(int rank, std::int64_t indices, unsigned seed) {
  std::vector<std::int64_t> runs((indices + kRun - 1) / kRun);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = static_cast<std::int64_t>(i) * kRun;
  std::shuffle(runs.begin(), runs.end(), std::mt19937(seed));
  std::vector<std::int64_t> own;
  for (std::size_t i = static_cast<std::size_t>(rank); i < runs.size(); i += kRanks) {
    for (std::int64_t n = runs[i]; n < std::min(runs[i] + kRun, indices); ++n) own.push_back(n);
  }
  return sidl::array<std::int64_t>::create1d(static_cast<std::int64_t>(own.size()), own.data());
}

// In KiB: "VmRSS", or "VmHWM", the most that it was.
long memory(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(what + ":", 0) == 0) return std::atol(line.c_str() + what.size() + 1);
  }
  throw std::runtime_error("/proc/self/status has no " + what);
}

double largest(double value) {
  double result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

struct Sample {
  double seconds;
  double memory;
  double call_ms;
};

class Rank {
 public:
  explicit Rank(std::int64_t indices) : indices_(indices) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    serves_ = rank_ < kRanks;
    MPI_Comm_split(MPI_COMM_WORLD, serves_ ? 0 : 1, rank_, &side_);
    group_ = Group::ofCommunicator(MPI_Comm_c2f(side_));
  }

  // Each with another object, as a server divides an argument once.
  Sample run(const std::string& name, std::vector<std::string>& urls) {
    benchm::Step step;
    if (serves_) {
      step = benchm::Step::_create();
      group_.publish(name, step);
    }
    quiet_barrier(kPause);
    if (!serves_) {
      auto all = sidl::array<std::string>::create1d(kRanks);
      for (int i = 0; i < kRanks; ++i) all.set(i, urls[static_cast<std::size_t>(i)]);
      step = sidl::babel_cast<benchm::Step>(group_.connect(name, all));
    }
    auto own = list_of(rank_ % kRanks, indices_, serves_ ? 1 : 2);
    std::ofstream("/proc/self/clear_refs") << 5;  // the most memory counts from here
    const long before = memory("VmRSS");
    const double served = timed(serves_, [&] { distribute(step, own); });
    const double called = timed(!serves_, [&] { distribute(step, own); });
    const double used = 1024.0 * static_cast<double>(memory("VmHWM") - before);
    auto mesh = sidl::array<double>::create1d(own.length64(0));
    const auto visit = [&] { step.visit(mesh); };
    timed(!serves_, visit);
    const double call = timed(!serves_, visit);
    return {served + called, largest(used / (8.0 * static_cast<double>(own.length64(0)))),
            call * 1e3};
  }

  // The servers' URLs get to all.
  std::vector<std::string> urls() {
    std::vector<std::string> result;
    for (int i = 0; i < kRanks; ++i) {
      char url[1024] = {};
      if (rank_ == i) group_.getURLs().get(i).copy(url, sizeof url - 1);
      MPI_Bcast(url, sizeof url, MPI_CHAR, i, MPI_COMM_WORLD);
      result.emplace_back(url);
    }
    return result;
  }
  bool prints() const { return rank_ == kRanks; }

 private:
  template <typename Work>
  static double timed(bool takes_part, Work work) {
    quiet_barrier(kPause);
    const auto before = Clock::now();
    if (takes_part) work();
    const std::chrono::duration<double> time = Clock::now() - before;
    quiet_barrier(kPause);
    return largest(takes_part ? time.count() : 0);
  }

  void distribute(benchm::Step& step, sidl::array<std::int64_t>& own) {
    auto distribution = Distribution::indices(own, rank_ % kRanks, kRanks);
    Group::distribute(step, "visit.mesh", distribution);
  }

  std::int64_t indices_;
  int rank_ = 0;
  bool serves_ = false;
  MPI_Comm side_ = MPI_COMM_NULL;
  Group group_;
};

void run(const std::string& folder, std::int64_t indices, int repeats) {
  setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
  Rank rank(indices);
  std::vector<std::string> urls = rank.urls();
  std::vector<double> seconds, memory, call;
  for (int i = 0; i < repeats; ++i) {
    const Sample sample = rank.run("step" + std::to_string(i), urls);
    seconds.push_back(sample.seconds);
    memory.push_back(sample.memory);
    call.push_back(sample.call_ms);
  }
  if (rank.prints()) {
    std::printf("{\"indices\": %lld, \"seconds\": %.3f, \"memory\": %.2f, \"call_ms\": %.2f}\n",
                static_cast<long long>(indices), bench::median(seconds), bench::median(memory),
                bench::median(call));
  }
  quiet_barrier(kPause);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: mpirun -n 8 bench_schedule FOLDER INDICES REPEATS\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  run(argv[1], std::atoll(argv[2]), std::atoi(argv[3]));
  MPI_Finalize();
}
