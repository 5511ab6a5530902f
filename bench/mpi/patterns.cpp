// Messages of ranks to their neighbours between stages of work, by calls and by MPI:
//
//   mpirun -n <2 or more> bench_patterns <repeats> <ms of a sample> <s to wait> <us of work>...
//
// Each rank is a server with one object (benchn.Rank). Stages that wait for messages, stages that
// messages start, and questions with answers; in a line, where messages go to the right, and in a
// ring. A sample is a number of stages on all ranks, and its time that of the slowest rank; the
// same work without any message is sampled in turn and subtracted, so that what is left is what a
// stage pays for its messages. All values are checked, and what does not end is ended. Rank 0
// prints a line of JSON for each pattern and amount of work.
//
// With BENCH_FAULT=lost, =silent or =wrong in the environment rank 0 leaves out one call, all that
// follow, or falsifies one: what the checks are for.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "benchn.hxx"
#include "quiet.hpp"
#include "sampling.hpp"
#include "sidl_par_Group.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"
#include "stages.hpp"
#include "watchdog.hpp"

namespace {

using bench::Clock;
using bench::value_of;
using benchn::Side;
using benchn::Side_left;
using benchn::Side_right;

constexpr std::chrono::microseconds kPause{100};
constexpr int kInFlight = 16;  // questions of a group
constexpr int kFewest = 8, kMost = 1000;
constexpr double kOverhead = 50;  // microseconds, a guess that only says how many stages there are

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

Side other(Side side) {
  return side == Side_left ? Side_right : Side_left;
}

struct Job {
  int stages;
  std::int64_t rounds;

  void work() const { bench::work(rounds); }
};

// Where a rank is in the ring.
struct Place {
  int rank, ranks;

  int at(Side side) const { return (rank + (side == Side_left ? ranks - 1 : 1)) % ranks; }
  bool is_first() const { return rank == 0; }
  bool is_last() const { return rank == ranks - 1; }
};

std::string_view fault() {
  const char* const text = std::getenv("BENCH_FAULT");
  return text != nullptr ? text : "";
}

// ---- by calls ----------------------------------------------------------------------------------

// Who waits for messages, which are oneway calls; or nonblocking ones, after which their sender
// waits until they are there.
class Calls {
 public:
  Calls(Place place, benchn::Rank own, std::array<benchn::Rank, 2> neighbours, bool is_answered)
      : place_(place),
        own_(std::move(own)),
        neighbours_(std::move(neighbours)),
        is_answered_(is_answered) {}

  void send(Side to, int stage) {
    start(to, stage);
    finish(to);
  }

  void receive(Side from, int stage) {
    bench::check(own_.await(from, stage), place_.at(from), stage);
  }

  void shift(Side to, int stage) {
    start(to, stage);
    receive(other(to), stage);
    finish(to);
  }

  void exchange(int stage) {
    for (const Side side : {Side_right, Side_left}) start(side, stage);
    for (const Side side : {Side_left, Side_right}) receive(side, stage);
    for (const Side side : {Side_right, Side_left}) finish(side);
  }

 private:
  void start(Side to, int stage) {
    double value = value_of(place_.rank, stage);
    if (place_.is_first() && stage > 0 && !fault_.empty()) {
      if (fault_ == "silent" || (fault_ == "lost" && stage == 1)) return;
      if (fault_ == "wrong") value += 1;
    }
    const benchn::Rank& neighbour = neighbours_[to];
    if (is_answered_) {
      tickets_[to] = neighbour.deliver_send(other(to), stage, value);
    } else {
      neighbour.put(other(to), stage, value);
    }
  }

  void finish(Side to) {
    if (tickets_[to]) neighbours_[to].deliver_recv(tickets_[to]);
    tickets_[to] = {};
  }

  Place place_;
  benchn::Rank own_;
  std::array<benchn::Rank, 2> neighbours_;
  bool is_answered_;
  std::string_view fault_ = fault();
  std::array<sidl::rmi::Ticket, 2> tickets_;
};

// ---- by MPI ------------------------------------------------------------------------------------

// What a call carries besides the side, which is the tag.
struct Message {
  std::int32_t stage;
  double value;
};

void check(const Message& message, int rank, int stage) {
  if (message.stage != stage) throw std::runtime_error("a message of another stage");
  bench::check(message.value, rank, stage);
}

// If they are answered, a sender waits until their receiver takes them: the nearest that MPI has to
// calls with answers.
class Messages {
 public:
  Messages(Place place, bool is_answered) : place_(place), is_answered_(is_answered) {}

  void send(Side to, int stage) {
    const Message message = make(stage);
    const auto send = is_answered_ ? MPI_Ssend : MPI_Send;
    send(&message, sizeof message, MPI_BYTE, place_.at(to), other(to), MPI_COMM_WORLD);
  }

  void receive(Side from, int stage) {
    Message message{};
    MPI_Recv(&message, sizeof message, MPI_BYTE, place_.at(from), from, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    check(message, place_.at(from), stage);
  }

  void shift(Side to, int stage) {
    if (is_answered_) return trade(stage, {to});
    const Side from = other(to);
    const Message own = make(stage);
    Message message{};
    MPI_Sendrecv(&own, sizeof own, MPI_BYTE, place_.at(to), from, &message, sizeof message,
                 MPI_BYTE, place_.at(from), from, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(message, place_.at(from), stage);
  }

  void exchange(int stage) { trade(stage, {Side_right, Side_left}); }

 private:
  Message make(int stage) const { return {stage, value_of(place_.rank, stage)}; }

  // Messages to some sides, all at once.
  void trade(int stage, std::initializer_list<Side> sides) {
    const Message own = make(stage);
    std::array<Message, 2> messages{};
    std::array<MPI_Request, 4> requests;
    int count = 0;
    for (const Side to : sides) {
      const Side from = other(to);
      MPI_Irecv(&messages[from], sizeof own, MPI_BYTE, place_.at(from), from, MPI_COMM_WORLD,
                &requests[count++]);
    }
    const auto send = is_answered_ ? MPI_Issend : MPI_Isend;
    for (const Side to : sides) {
      send(&own, sizeof own, MPI_BYTE, place_.at(to), other(to), MPI_COMM_WORLD,
           &requests[count++]);
    }
    MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
    for (const Side to : sides) check(messages[other(to)], place_.at(other(to)), stage);
  }

  Place place_;
  bool is_answered_;
};

// ---- stages that wait for messages -------------------------------------------------------------

// A rank's time begins with its first message: what fills the line is not a stage's overhead.
template <typename Ways>
double line(Ways& ways, Place place, const Job& job) {
  auto start = Clock::now();
  for (int stage = 0; stage < job.stages; ++stage) {
    if (!place.is_first()) ways.receive(Side_left, stage);
    if (stage == 0) start = Clock::now();
    job.work();
    if (!place.is_last()) ways.send(Side_right, stage);
  }
  return since(start);
}

template <typename Step>
double ring(const Job& job, Step step) {
  const auto start = Clock::now();
  for (int stage = 0; stage < job.stages; ++stage) {
    job.work();
    step(stage);
  }
  return since(start);
}

enum class Pattern { line, shift, two_shifts, exchange };

template <typename Ways>
double wait_for_messages(Pattern pattern, Ways& ways, Place place, const Job& job) {
  switch (pattern) {
    case Pattern::line:
      return line(ways, place, job);
    case Pattern::shift:
      return ring(job, [&](int stage) { ways.shift(Side_right, stage); });
    case Pattern::two_shifts:
      return ring(job, [&](int stage) {
        ways.shift(Side_right, stage);
        ways.shift(Side_left, stage);
      });
    case Pattern::exchange:
      break;
  }
  return ring(job, [&](int stage) { ways.exchange(stage); });
}

// ---- stages that messages start ----------------------------------------------------------------

double start_by_calls(Pattern pattern, Place place, const benchn::Rank& own,
                      const std::array<benchn::Rank, 2>& neighbours, const Job& job) {
  const auto start = Clock::now();
  if (pattern == Pattern::line) {
    if (!place.is_first()) return own.finish();
    for (int stage = 0; stage < job.stages; ++stage) {
      job.work();
      neighbours[Side_right].follow(stage, value_of(place.rank, stage));
    }
    return since(start);
  }
  const double value = value_of(place.rank, 1);
  if (pattern == Pattern::shift) {
    neighbours[Side_right].shift(1, value);
  } else {
    for (const Side to : {Side_right, Side_left}) neighbours[to].swap(other(to), 1, value);
  }
  own.finish();
  return since(start);
}

void send_by_mpi(Place place, Side to, int stage) {
  const Message message{stage, value_of(place.rank, stage)};
  MPI_Send(&message, sizeof message, MPI_BYTE, place.at(to), other(to), MPI_COMM_WORLD);
}

// MPI starts nothing: the thread that receives a message, of any rank, does what it asks for.
double start_by_mpi(Pattern pattern, Place place, const Job& job) {
  if (pattern == Pattern::line) {
    Messages messages(place, false);
    return line(messages, place, job);
  }
  const std::vector<Side> sides =
      pattern == Pattern::shift ? std::vector{Side_right} : std::vector{Side_right, Side_left};
  std::vector<std::size_t> arrived(static_cast<std::size_t>(job.stages) + 1, 0);
  const auto start = Clock::now();
  for (const Side to : sides) send_by_mpi(place, to, 1);
  for (int done = 0; done < job.stages;) {
    Message message{};
    MPI_Status status;
    MPI_Recv(&message, sizeof message, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
             &status);
    bench::check(message.value, place.at(static_cast<Side>(status.MPI_TAG)), message.stage);
    if (++arrived.at(static_cast<std::size_t>(message.stage)) < sides.size()) continue;
    job.work();
    ++done;
    for (const Side to : sides) {
      if (message.stage < job.stages) send_by_mpi(place, to, message.stage + 1);
    }
  }
  return since(start);
}

// ---- questions with answers --------------------------------------------------------------------

// Rank 0 asks its neighbour: one after the other, or several at once.
double ask_by_calls(Place place, const benchn::Rank& neighbour, const Job& job, int in_flight) {
  if (!place.is_first()) return 0;
  const auto start = Clock::now();
  for (int first = 0; first < job.stages; first += in_flight) {
    if (in_flight == 1) {
      if (neighbour.ask(first) != first) throw std::runtime_error("another answer");
      continue;
    }
    std::vector<sidl::rmi::Ticket> tickets;
    for (int i = 0; i < in_flight; ++i) tickets.push_back(neighbour.ask_send(first + i));
    for (int i = 0; i < in_flight; ++i) {
      const double answer = neighbour.ask_recv(tickets[static_cast<std::size_t>(i)]);
      if (answer != first + i) throw std::runtime_error("another answer");
    }
  }
  return since(start);
}

double ask_by_mpi(Place place, const Job& job, int in_flight) {
  const auto start = Clock::now();
  std::vector<double> questions(static_cast<std::size_t>(in_flight)), answers(questions.size());
  std::vector<MPI_Request> requests(2 * questions.size());
  for (int first = 0; first < job.stages; first += in_flight) {
    for (int i = 0; i < in_flight; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (place.is_first()) {
        questions[at] = first + i;
        MPI_Irecv(&answers[at], 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &requests[2 * at]);
        MPI_Isend(&questions[at], 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &requests[2 * at + 1]);
      } else if (place.rank == 1) {
        MPI_Recv(&answers[at], 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&answers[at], 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
      }
    }
    if (!place.is_first()) continue;
    MPI_Waitall(2 * in_flight, requests.data(), MPI_STATUSES_IGNORE);
    if (answers != questions) throw std::runtime_error("another answer");
  }
  return place.is_first() ? since(start) : 0;
}

// ---- samples -----------------------------------------------------------------------------------

struct Row {
  std::string name;
  Pattern pattern;
  std::string kind;
  int in_flight = 0;  // of questions; 0: there are stages of work
  int us = 0;         // of work
  Job job{};
  std::vector<double> work{}, calls{}, messages{};
};

class Rank {
 public:
  explicit Rank(int wait_seconds) {
    MPI_Comm_rank(MPI_COMM_WORLD, &place_.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &place_.ranks);
    watchdog_ = std::make_unique<Watchdog>("bench_patterns: rank " + std::to_string(place_.rank),
                                           std::chrono::seconds(wait_seconds));
    watchdog_->begin("meeting the neighbours");
    group_ = sidl::par::Group::ofCommunicator(MPI_Comm_c2f(MPI_COMM_WORLD));
    own_ = benchn::Rank::_create();
    sidl::rmi::InstanceRegistry::registerInstance(own_, "rank");
    quiet_barrier(kPause);
    const auto urls = group_.getURLs();
    for (const Side side : {Side_left, Side_right}) {
      neighbours_[side] = benchn::Rank::_connect(urls.get(place_.at(side)) + "#rank");
    }
    own_.meet(place_.rank, place_.ranks, neighbours_[Side_left], neighbours_[Side_right]);
  }

  // Neighbours hold each other.
  void part() {
    quiet_barrier(kPause);
    own_.meet(place_.rank, place_.ranks, {}, {});
    neighbours_ = {};
    quiet_barrier(kPause);
  }

  bool is_first() const { return place_.is_first(); }

  void sample(Row& row, bool counts) {
    const double work = time(row, "work", [&] { return work_alone(row); });
    const double calls = time(row, "calls", [&] { return by_calls(row); });
    own_.begin(0, 0);  // that no message is left
    const double messages = time(row, "MPI", [&] { return by_mpi(row); });
    if (!counts) return;
    row.work.push_back(work);
    row.calls.push_back(calls - work);
    row.messages.push_back(messages - work);
  }

  // Rounds of work in a microsecond: the fastest of many tries, as others use the processor, too.
  double calibrate() {
    constexpr std::int64_t rounds = 100'000;
    double fastest = 1e9;
    for (int i = 0; i < 30; ++i) {
      const auto start = Clock::now();
      bench::work(rounds);
      fastest = std::min(fastest, since(start));
    }
    double result = static_cast<double>(rounds) / fastest;
    MPI_Bcast(&result, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return result;
  }

 private:
  // In a line a rank begins a stage after the one before, alone, too: how many others work at the
  // same time makes a core faster or slower.
  double work_alone(const Row& row) {
    if (row.pattern == Pattern::line) {
      std::this_thread::sleep_for(std::chrono::microseconds(row.us) * place_.rank);
    }
    return ring(row.job, [](int) {});
  }

  double by_calls(const Row& row) {
    if (row.in_flight > 0) {
      return ask_by_calls(place_, neighbours_[Side_right], row.job, row.in_flight);
    }
    if (row.kind == "spawned") {
      return start_by_calls(row.pattern, place_, own_, neighbours_, row.job);
    }
    Calls calls(place_, own_, neighbours_, row.kind == "answered");
    return wait_for_messages(row.pattern, calls, place_, row.job);
  }

  double by_mpi(const Row& row) {
    if (row.in_flight > 0) return ask_by_mpi(place_, row.job, row.in_flight);
    if (row.kind == "spawned") return start_by_mpi(row.pattern, place_, row.job);
    Messages messages(place_, row.kind == "answered");
    return wait_for_messages(row.pattern, messages, place_, row.job);
  }

  // Microseconds of a stage, on the slowest rank.
  template <typename Sample>
  double time(const Row& row, const char* what, Sample sample) {
    watchdog_->begin(row.name + ", " + std::to_string(row.us) + " us of work, " + what);
    own_.begin(row.job.stages, row.job.rounds);
    quiet_barrier(kPause);
    MPI_Barrier(MPI_COMM_WORLD);  // all awake, at once
    double own = sample(), slowest = 0;
    quiet_barrier(kPause);
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest / row.job.stages;
  }

  Place place_{};
  std::unique_ptr<Watchdog> watchdog_;
  sidl::par::Group group_;
  benchn::Rank own_;
  std::array<benchn::Rank, 2> neighbours_;
};

// As many stages as fit into a sample, with a guess of what their messages cost.
Job job_of(int us, double rounds_per_us, double sample_ms) {
  const double stages = 1e3 * sample_ms / (us + kOverhead);
  return {std::clamp(static_cast<int>(stages), kFewest, kMost),
          static_cast<std::int64_t>(us * rounds_per_us)};
}

std::vector<Row> rows_of(const std::vector<int>& works, double rounds_per_us, double sample_ms) {
  const std::vector<Row> patterns{{"pipeline.spawned", Pattern::line, "spawned"},
                                  {"shift.spawned", Pattern::shift, "spawned"},
                                  {"two_shifts.spawned", Pattern::two_shifts, "spawned"},
                                  {"pipeline.rendezvous", Pattern::line, "rendezvous"},
                                  {"shift.rendezvous", Pattern::shift, "rendezvous"},
                                  {"two_shifts.rendezvous", Pattern::two_shifts, "rendezvous"},
                                  {"exchange.rendezvous", Pattern::exchange, "rendezvous"},
                                  {"pipeline.answered", Pattern::line, "answered"},
                                  {"shift.answered", Pattern::shift, "answered"},
                                  {"two_shifts.answered", Pattern::two_shifts, "answered"},
                                  {"exchange.answered", Pattern::exchange, "answered"}};
  std::vector<Row> rows;
  for (const int us : works) {
    for (Row row : patterns) {
      row.us = us;
      row.job = job_of(us, rounds_per_us, sample_ms);
      rows.push_back(row);
    }
  }
  const int questions = job_of(0, 0, sample_ms).stages / kInFlight * kInFlight + kInFlight;
  rows.push_back({"service.one", Pattern::line, "service", 1});
  rows.push_back({"service.group", Pattern::line, "service", kInFlight});
  for (Row& row : rows) {
    if (row.in_flight > 0) row.job = {questions, 0};
  }
  return rows;
}

void print(Row& row, int ranks) {
  const double work = bench::median(row.work);
  std::vector<double> spread;
  for (const double each : row.work) spread.push_back(std::abs(each - work));
  std::printf(
      "{\"name\": \"patterns.%s\", \"ranks\": %d, \"work\": %d, \"stages\": %d, "
      "\"work_us\": %.3f, \"spread_us\": %.3f, \"calls_us\": %.3f, \"mpi_us\": %.3f}\n",
      row.name.c_str(), ranks, row.us, row.job.stages, work, bench::median(spread),
      bench::median(row.calls), bench::median(row.messages));
}

void run(int repeats, double sample_ms, int wait_seconds, const std::vector<int>& works) {
  Rank rank(wait_seconds);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<Row> rows = rows_of(works, rank.calibrate(), sample_ms);
  // Connections are made with the first one.
  for (int i = 0; i <= repeats; ++i) {
    for (Row& row : rows) rank.sample(row, i > 0);
  }
  for (Row& row : rows) {
    if (rank.is_first()) print(row, ranks);
  }
  rank.part();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 5 || ranks < 2) {
    std::fprintf(stderr, "usage: mpirun -n RANKS bench_patterns REPEATS MS SECONDS US...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  try {
    std::vector<int> works;
    for (int i = 4; i < argc; ++i) works.push_back(std::atoi(argv[i]));
    run(std::max(1, std::atoi(argv[1])), std::atof(argv[2]), std::atoi(argv[3]), works);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_patterns: %s\n", error.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
