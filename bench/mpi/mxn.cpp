// An array goes from 4 ranks to 3, by calls and by MPI_Alltoallv:
//
//   mpirun -n 7 bench_mxn_mpi <folder> <side> <repeats>
//
// Ranks 0 to 3 have blocks of rows of `side` x `side` doubles and serve; ranks 4 to 6 want rows of
// them in turn. The schedules are made before, and packing and unpacking count: of calls by
// Redistribution, of MPI by loops that are written for just these distributions. The samples of
// both alternate, and the array is checked after each; rank 4 prints a line of JSON with the
// medians.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "benchm.hxx"
#include "quiet.hpp"
#include "sampling.hpp"
#include "sidl_par_Redistribution.hxx"
#include "sidl_rmi_ExportRegistry.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"

namespace {

using bench::Clock;
using sidl::par::Distribution;
using sidl::par::Redistribution;

constexpr int kSources = 4;
constexpr int kTargets = 3;
constexpr int kRanks = kSources + kTargets;
constexpr std::size_t kUrl = 256;
constexpr std::int64_t kBlock = 64;
constexpr std::chrono::microseconds kPause{50};

sidl::array<std::int64_t> longs(std::int64_t a, std::int64_t b) {
  const std::int64_t values[] = {a, b};
  return sidl::array<std::int64_t>::create1d(2, values);
}

sidl::array<std::int32_t> ints(std::int32_t a, std::int32_t b) {
  const std::int32_t values[] = {a, b};
  return sidl::array<std::int32_t>::create1d(2, values);
}

// Rows of a source's block.
std::int64_t height_of(std::int64_t length) {
  return (length + kSources - 1) / kSources;
}

// What a rank has, of one of the two sides.
struct Side {
  Side(const Distribution& source, const Distribution& target, int rank)
      : is_source(rank < kSources),
        number(is_source ? rank : rank - kSources),
        target(target),
        plan(is_source ? Redistribution::createSender(source, target, number)
                       : Redistribution::createReceiver(source, target, number)),
        peers(plan.getPeers()) {
    const auto lengths = (is_source ? source : target).getLengths(number);
    elements = sidl::array<double>::create2dRow(lengths.get(0), lengths.get(1));
    std::fill(elements.begin(), elements.end(), is_source ? 1.0 + number : 0.0);
  }

  bool is_source;
  int number;
  Distribution target;
  Redistribution plan;
  sidl::array<std::int32_t> peers;
  sidl::array<double> elements;
};

// ---- by calls
// -----------------------------------------------------------------------------------------

std::vector<benchm::Piece> attach(const std::vector<char>& urls, const Distribution& source) {
  std::vector<benchm::Piece> pieces;
  for (int rank = 0; rank < kSources; ++rank) {
    pieces.push_back(benchm::Piece::_create(&urls[static_cast<std::size_t>(rank) * kUrl]));
    pieces.back().begin(source, rank);
  }
  return pieces;
}

void by_calls(Side& side, std::vector<benchm::Piece>& pieces) {
  if (side.is_source) return;  // the server gives
  std::vector<sidl::rmi::Ticket> tickets;
  for (const std::int32_t peer : side.peers) {
    tickets.push_back(pieces[peer].give_send(side.target, side.number));
  }
  sidl::basearray into = side.elements;
  for (std::int32_t i = 0; i < side.peers.length(); ++i) {
    const std::int32_t peer = side.peers.get(i);
    const sidl::array<double> message =
        pieces[peer].give_recv(tickets[static_cast<std::size_t>(i)]);
    side.plan.unpack(peer, message, into);
  }
}

// ---- by MPI
// -------------------------------------------------------------------------------------------

// Counts and places of messages in a row of doubles.
struct Rows {
  explicit Rows(const Side& side) : counts(kRanks, 0), places(kRanks, 0) {
    for (const std::int32_t peer : side.peers) {
      counts[peer + (side.is_source ? kSources : 0)] = static_cast<int>(side.plan.getSize(peer));
    }
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    values.resize(static_cast<std::size_t>(places.back() + counts.back()));
  }

  std::vector<int> counts, places;
  std::vector<double> values;
};

// Between rows of the array and messages, as one would write it for these two distributions.
template <typename Copy>
void for_each_row(Side& side, Rows& rows, std::int64_t length, Copy&& copy) {
  std::vector<int> at = rows.places;
  const std::int64_t height = height_of(length);
  std::int64_t own = 0;
  for (std::int64_t row = side.is_source ? side.number * height : 0; row < length; ++row) {
    const auto source = static_cast<int>(row / height);
    const auto target = static_cast<int>(row / kBlock % kTargets);
    if (side.is_source && source != side.number) break;
    if (!side.is_source && target != side.number) continue;
    int& place = at[side.is_source ? kSources + target : source];
    copy(side.elements.first() + own++ * length, &rows.values[static_cast<std::size_t>(place)]);
    place += static_cast<int>(length);
  }
}

void by_mpi(Side& side, Rows& rows, std::int64_t length) {
  const std::vector<int> none(kRanks, 0);
  const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(length);
  if (side.is_source) {
    for_each_row(side, rows, length,
                 [&](const double* row, double* message) { std::memcpy(message, row, bytes); });
    MPI_Alltoallv(rows.values.data(), rows.counts.data(), rows.places.data(), MPI_DOUBLE, nullptr,
                  none.data(), none.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    return;
  }
  MPI_Alltoallv(nullptr, none.data(), none.data(), MPI_DOUBLE, rows.values.data(),
                rows.counts.data(), rows.places.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  for_each_row(side, rows, length,
               [&](double* row, const double* message) { std::memcpy(row, message, bytes); });
}

template <typename Work>
double seconds(Work&& work) {
  quiet_barrier(kPause);
  const auto before = Clock::now();
  work();
  quiet_barrier(kPause);
  return std::chrono::duration<double>(Clock::now() - before).count();
}

// The elements of a source are its number and 1.
void check(const Side& side, std::int64_t length) {
  if (side.is_source) return;
  for (std::int64_t row = 0; row < side.elements.length64(0); ++row) {
    const std::int64_t of_all = (row / kBlock * kTargets + side.number) * kBlock + row % kBlock;
    const auto source = static_cast<double>(1 + of_all / height_of(length));
    const double* const first = side.elements.first() + row * length;
    if (std::any_of(first, first + length, [&](double each) { return each != source; }))
      std::abort();
  }
}

int run(const std::string& folder, std::int64_t length, int repeats) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto lower = longs(0, 0);
  const auto upper = longs(length - 1, length - 1);
  const Distribution source = Distribution::blocks(lower, upper, ints(kSources, 1));
  const Distribution target =
      Distribution::blockCyclic(lower, upper, ints(kTargets, 1), longs(kBlock, length));
  Side side(source, target, rank);
  std::vector<char> own(kUrl), urls(kUrl * kRanks);
  sidl::rmi::Server server;
  if (side.is_source) {
    const std::string address = "simhandle+unix://" + folder + "/" + std::to_string(rank);
    sidl::rmi::ExportRegistry::exportClass("benchm.Piece");
    server = sidl::rmi::ProtocolFactory::createServer(address);
    server.listen(address).copy(own.data(), kUrl - 1);
    server.run();
  }
  MPI_Allgather(own.data(), kUrl, MPI_CHAR, urls.data(), kUrl, MPI_CHAR, MPI_COMM_WORLD);
  // All ranks have attached before any begins; each has objects of its own there.
  std::vector<benchm::Piece> pieces;
  if (!side.is_source) pieces = attach(urls, source);
  Rows rows(side);
  std::vector<double> calls, messages;
  for (int n = 0; n <= repeats; ++n) {
    std::fill(side.elements.begin(), side.elements.end(), side.is_source ? 1.0 + rank : 0.0);
    const double call = seconds([&] { by_calls(side, pieces); });
    check(side, length);
    const double message = seconds([&] { by_mpi(side, rows, length); });
    check(side, length);
    if (n == 0) continue;  // connections are made with the first one
    calls.push_back(call);
    messages.push_back(message);
  }
  if (rank == kSources) {
    std::printf("{\"bytes\": %.0f, \"calls_us\": %.0f, \"mpi_us\": %.0f}\n",
                8.0 * static_cast<double>(length) * static_cast<double>(length),
                1e6 * bench::median(calls), 1e6 * bench::median(messages));
    std::fflush(stdout);
  }
  pieces.clear();
  quiet_barrier(kPause);
  if (server) server.drain(5);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  MPI_Init(&count, &arguments);
  const int status = run(arguments[1], std::atoll(arguments[2]), std::atoi(arguments[3]));
  MPI_Finalize();
  return status;
}
