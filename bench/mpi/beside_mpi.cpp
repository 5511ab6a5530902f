// Remote calls and MPI's messages, each alone and both at the same time, of the same two processes:
//
//   mpirun -n 2 bench_beside_mpi <address> <file> <repeats> <seconds per sample>
//
// Rank 0 serves at the address and leaves its URL in the file; rank 1 calls, in a thread of its
// own, and prints a line of JSON for each sort of call with each sort of message: the median rates
// per second, of calls alone, messages alone, calls beside messages, messages beside calls. The
// samples of all alternate. A message there and one back count as one.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "benchx.hxx"
#include "sampling.hpp"
#include "sidl_rmi_ExportRegistry.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"

namespace {

using bench::Clock;
using bench::median;

enum Tag { plan_tag, message_tag };

/** What rank 0 is asked to do: to answer messages of so many bytes; of none: to end. */
using Bytes = int;

constexpr int longest = 1 << 20;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/** Rank 0: waits without using the processor, so that calls alone are alone. */
Bytes next_plan() {
  for (int there = 0; there == 0;) {
    MPI_Iprobe(1, plan_tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Bytes bytes = 0;
  MPI_Recv(&bytes, 1, MPI_INT, 1, plan_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return bytes;
}

/** The first byte of a message says whether another one follows. */
void answer_messages() {
  std::vector<char> message(longest);
  while (const Bytes bytes = next_plan()) {
    do {
      MPI_Recv(message.data(), bytes, MPI_CHAR, 1, message_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(message.data(), bytes, MPI_CHAR, 1, message_tag, MPI_COMM_WORLD);
    } while (message[0] != 0);
  }
}

/** Rank 1: how many messages in a second. */
double message_rate(Bytes bytes, double seconds) {
  static std::vector<char> message(longest);
  MPI_Send(&bytes, 1, MPI_INT, 0, plan_tag, MPI_COMM_WORLD);
  Clock::time_point start;
  // The first one waits for rank 0, which sleeps now and then.
  for (int count = -1;; ++count) {
    if (count == 0) start = Clock::now();
    message[0] = count < 1 || seconds_since(start) < seconds;
    const bool follows = message[0] != 0;
    MPI_Send(message.data(), bytes, MPI_CHAR, 0, message_tag, MPI_COMM_WORLD);
    MPI_Recv(message.data(), bytes, MPI_CHAR, 0, message_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!follows) return (count + 1) / seconds_since(start);
  }
}

using Call = std::function<void()>;

/** How many calls in a second, until `stop`. */
double call_rate(const Call& call, const std::function<bool(double)>& stop) {
  const auto start = Clock::now();
  for (int count = 1;; ++count) {
    call();
    const double seconds = seconds_since(start);
    if (stop(seconds)) return count / seconds;
  }
}

struct Pair {
  const char* name;
  const Call& call;
  Bytes bytes;
  std::vector<double> calls, messages, calls_beside, messages_beside;

  void sample(double seconds) {
    calls.push_back(call_rate(call, [=](double passed) { return passed >= seconds; }));
    messages.push_back(message_rate(bytes, seconds));
    std::atomic<bool> stop{false};
    double rate = 0;
    std::thread caller([&] { rate = call_rate(call, [&](double) { return stop.load(); }); });
    messages_beside.push_back(message_rate(bytes, seconds));
    stop = true;
    caller.join();
    calls_beside.push_back(rate);
  }

  void print() {
    std::printf(
        "{\"call\": \"%s\", \"bytes\": %d, \"calls\": %.1f, \"messages\": %.1f, "
        "\"calls_beside\": %.1f, \"messages_beside\": %.1f}\n",
        name, bytes, median(calls), median(messages), median(calls_beside),
        median(messages_beside));
  }
};

void serve(const std::string& address, const std::string& file) {
  sidl::rmi::Server server = sidl::rmi::ProtocolFactory::createServer(address);
  const std::string url = server.listen(address);
  sidl::rmi::ExportRegistry::exportClass("benchx.Target");
  server.run();
  std::ofstream(file + ".draft") << url;
  std::filesystem::rename(file + ".draft", file);
  MPI_Barrier(MPI_COMM_WORLD);
  answer_messages();
  server.drain(5);
}

void call(const std::string& file, int repeats, double seconds) {
  MPI_Barrier(MPI_COMM_WORLD);
  std::string url;
  std::ifstream(file) >> url;
  benchx::Target target = benchx::Target::_create(url);
  const auto array = sidl::array<double>::create1d(64 << 10);
  const Call noop = [&] { target.noop(); }, echo = [&] { target.echo(array); };
  std::vector<Pair> pairs{{"noop", noop, 8, {}, {}, {}, {}},
                          {"noop", noop, longest, {}, {}, {}, {}},
                          {"echo", echo, 8, {}, {}, {}, {}},
                          {"echo", echo, longest, {}, {}, {}, {}}};
  for (int i = 0; i < repeats; ++i) {
    for (Pair& each : pairs) each.sample(seconds);
  }
  for (Pair& each : pairs) each.print();
  const Bytes end = 0;
  MPI_Send(&end, 1, MPI_INT, 0, plan_tag, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 5 || level < MPI_THREAD_FUNNELED) {
    std::fprintf(stderr,
                 "usage: mpirun -n 2 bench_beside_mpi <address> <file> <repeats> <seconds>\n");
    return 2;
  }
  try {
    if (rank == 0) {
      serve(argv[1], argv[2]);
    } else {
      call(argv[2], std::max(1, std::atoi(argv[3])), std::atof(argv[4]));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_beside_mpi: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
