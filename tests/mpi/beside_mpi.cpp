/**
 * MPI and Shinar in one process, both at work at the same time:
 *
 *   mpirun -n 2 beside_mpi ADDRESS FOLDER one|both mpi|shinar
 *
 * ADDRESS is where a rank listens, with {rank} for its number; in FOLDER the ranks leave their URLs
 * for each other, which works before MPI does. `one`: rank 0 serves and rank 1 calls; `both`: each
 * does both. The last argument says which of the two is used first. Later MPI is finalized while
 * connections are open, which are used on. All values are checked.
 */
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "beside.hxx"
#include "sidl_log.h"
#include "sidl_rmi_Deadline.hxx"
#include "sidl_rmi_ExportRegistry.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"
#include "traffic.hpp"

namespace {

constexpr int patience = 20;  // seconds, for what takes some milliseconds
constexpr int calls = 200;    // of those that are made while messages are exchanged
constexpr int messages = 50;  // at least

struct Plan {
  int rank;
  std::string address;
  std::filesystem::path folder;
  bool both;
  bool shinar_first;

  bool serves() const { return both || rank == 0; }
  bool calls() const { return both || rank == 1; }
  std::filesystem::path url_of(int which) const { return folder / ("url" + std::to_string(which)); }
};

Plan plan_of(char** arguments) {
  const char* const number = std::getenv("OMPI_COMM_WORLD_RANK");
  check(number != nullptr, "mpirun starts this program");
  Plan plan{std::atoi(number), arguments[1], arguments[2], std::string(arguments[3]) == "both",
            std::string(arguments[4]) == "shinar"};
  if (const auto at = plan.address.find("{rank}"); at != std::string::npos) {
    plan.address.replace(at, 6, number);
  }
  return plan;
}

/** What this rank has of Shinar. */
class Shinar {
 public:
  explicit Shinar(const Plan& plan) : plan_(plan) {
    sidl::rmi::Deadline::setForProcess(1000 * patience);
    if (plan.serves()) serve();
    if (plan.calls()) peer_ = std::make_unique<beside::Peer>(beside::Peer::_create(url()));
  }

  void call(int times) {
    if (!peer_) return;
    for (int i = 0; i < times; ++i) check_calls(*peer_, i);
  }

  /** At the same time, by connections of which some are new. */
  void call_from_threads() {
    if (!peer_) return;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([this] {
        guarded([this] {
          beside::Peer another = beside::Peer::_create(url());
          for (int turn = 0; turn < 5; ++turn) check_calls(another, turn);
        });
      });
    }
    for (std::thread& each : threads) each.join();
  }

  /** The other has no more calls to make, and this one has not. */
  void finish() {
    if (peer_) peer_->finish();
    peer_.reset();
    if (!plan_.serves()) return;
    check(beside::Peer::awaitFinish(patience), "the other rank finishes");
    check(server_.drain(patience), "the server ends");
  }

 private:
  void serve() {
    sidl_log_configure(sidl_log_detail, false);  // which says what connections are
    server_ = sidl::rmi::ProtocolFactory::createServer(plan_.address);
    server_.setVerbose(true);
    const std::string url = server_.listen(plan_.address);
    sidl::rmi::ExportRegistry::exportClass("beside.Peer");
    server_.run();
    const std::string file = plan_.url_of(plan_.rank), draft = file + ".draft";
    std::ofstream(draft) << url;
    std::filesystem::rename(draft, file);
  }

  /** Of the other rank's server. */
  std::string url() const {
    const auto file = plan_.url_of(1 - plan_.rank);
    while (!std::filesystem::exists(file)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::string url;
    std::ifstream(file) >> url;
    return url;
  }

  const Plan plan_;
  sidl::rmi::Server server_;
  std::unique_ptr<beside::Peer> peer_;
};

/**
 * One serves: the thread that has initialized MPI, which is enough for MPI_THREAD_FUNNELED,
 * exchanges messages, another one calls. Both serve: the other way round, with
 * MPI_THREAD_MULTIPLE.
 */
void work(const Plan& plan, Shinar& shinar) {
  std::atomic<bool> done{false};
  const auto call = [&] {
    shinar.call(calls);
    done = true;
  };
  const auto exchange = [&] { exchange_messages(plan.rank, done, messages); };
  if (plan.both) {
    std::thread other([&] { guarded(exchange); });
    call();
    other.join();
  } else {
    std::thread other([&] { guarded(call); });
    exchange();
    other.join();
  }
}

void run(const Plan& plan) {
  std::unique_ptr<Shinar> shinar;
  if (plan.shinar_first) {
    now_at("calls before MPI_Init");
    shinar = std::make_unique<Shinar>(plan);
    shinar->call(3);
  }
  now_at("MPI_Init");
  const int wanted = plan.both ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  int got = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, wanted, &got);
  check(got >= wanted, "MPI has as many threads as were asked for");
  now_at("Shinar's first use");
  if (!shinar) shinar = std::make_unique<Shinar>(plan);
  now_at("calls and messages at the same time");
  work(plan, *shinar);
  now_at("MPI_Finalize");
  MPI_Finalize();
  now_at("calls after MPI_Finalize");
  shinar->call(10);
  shinar->call_from_threads();
  now_at("the end of Shinar");
  shinar->finish();
  now_at("the exit");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    std::fprintf(stderr, "usage: mpirun -n 2 beside_mpi ADDRESS FOLDER one|both mpi|shinar\n");
    return 2;
  }
  guarded([&] {
    const Plan plan = plan_of(arguments);
    give_up_after(2 * patience);
    run(plan);
    std::printf("rank %d is done\n", plan.rank);
  });
  return 0;
}
