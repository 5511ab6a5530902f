/** What is sent to and fro, by MPI and by Shinar, and how a wrong value or a hang ends it. */
#ifndef BESIDE_TRAFFIC_HPP
#define BESIDE_TRAFFIC_HPP

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "beside.hxx"

inline void check(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error("not so: " + what);
}

// ---- hangs and failures
// ---------------------------------------------------------------------------

inline const char* volatile step = "the start";

/** For the message of a hang; a literal. */
inline void now_at(const char* what) {
  step = what;
}

/** Ends the process with a message that says where it hangs. */
inline void give_up_after(unsigned seconds) {
  std::signal(SIGALRM, [](int) {
    const char* const where = step;
    static_cast<void>(!::write(STDERR_FILENO, "hangs in ", 9));
    static_cast<void>(!::write(STDERR_FILENO, where, std::strlen(where)));
    static_cast<void>(!::write(STDERR_FILENO, "\n", 1));
    ::_exit(3);
  });
  ::alarm(seconds);
}

/** Ends the process where it throws; mpirun then ends the other. */
template <class Function>
void guarded(Function function) {
  try {
    function();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "in %s: %s\n", step, error.what());
    ::_exit(1);
  }
}

// ---- Shinar
// ---------------------------------------------------------------------------------------

/** Numbers of their own for each turn, in memory of their own. */
inline void check_echo(beside::Peer& peer, std::int32_t size, int turn) {
  auto sent = sidl::array<double>::create1d(size);
  for (std::int32_t i = 0; i < size; ++i) sent.set(i, turn + 0.5 * i);
  sidl::array<double> back = peer.echo(sent);
  check(back.dimen() == 1 && back.length(0) == size, "an echo is as long as what was sent");
  for (std::int32_t i = 0; i < size; ++i) {
    if (back.get(i) != turn + 0.5 * i) {
      check(false, "an echo of " + std::to_string(size) + " in turn " + std::to_string(turn) +
                       " has " + std::to_string(turn + 0.5 * i) + " at " + std::to_string(i) +
                       " and not " + std::to_string(back.get(i)));
    }
  }
}

/** Small calls, and a big one now and then. */
inline void check_calls(beside::Peer& peer, int turn) {
  check(peer.add(turn, 1000) == turn + 1000, "a sum is right");
  check_echo(peer, 16, turn);
  if (turn % 4 == 0) check_echo(peer, 64 << 10, turn);
  if (turn % 32 == 1) check_echo(peer, 1 << 20, turn);
}

// ---- MPI
// ------------------------------------------------------------------------------------------

inline double element(int rank, int turn, std::size_t i) {
  return rank + 2.0 * turn + 0.25 * static_cast<double>(i);
}

/**
 * Messages of one number and of 128 Ki to and from the other rank, at least so many, and until both
 * are done: each message says in front whether its sender is, so that both stop after the same one.
 */
inline void exchange_messages(int rank, const std::atomic<bool>& done, int least) {
  for (int turn = 0;; ++turn) {
    const std::size_t size = turn % 2 == 0 ? 1 : 128 << 10;
    std::vector<double> sent(size + 1), got(size + 1);
    sent[0] = done;
    for (std::size_t i = 1; i <= size; ++i) sent[i] = element(rank, turn, i);
    MPI_Status status;
    const int count = static_cast<int>(size + 1);
    MPI_Sendrecv(sent.data(), count, MPI_DOUBLE, 1 - rank, turn, got.data(), count, MPI_DOUBLE,
                 1 - rank, turn, MPI_COMM_WORLD, &status);
    int arrived = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &arrived);
    check(arrived == count, "a message is as long as it was");
    for (std::size_t i = 1; i <= size; ++i) {
      if (got[i] != element(1 - rank, turn, i)) {
        check(false, "message " + std::to_string(turn) + " has at " + std::to_string(i) +
                         " what was sent");
      }
    }
    if (turn + 1 >= least && sent[0] != 0 && got[0] != 0) return;
  }
}

#endif
