// A program in C++ that forks while three of its threads are in Python, whose interpreter it was
// given: from the thread that the argument names. It prints "fine"; each child calls, and ends in
// the ordinary way.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "scaly_Caller.hxx"
#include "snake_Worker.hxx"

namespace {

constexpr int forks = 5;
constexpr unsigned patience = 30;  // seconds, for what takes milliseconds: a fault hangs

int one() {
  return 1;
}

ty::Numbered numbered(int (*function)()) {
  scaly::Caller made = scaly::Caller::_create();
  made.of(reinterpret_cast<void*>(function));
  return made;
}

bool works() {
  const snake::Worker worker = snake::Worker::_create();
  return worker.ask(numbered(one)) == 2 && worker.askAside(numbered(one)) == 2;
}

// Children leave by _exit: they are within a method, or the fork came while another thread loaded
// libraries, whose own handlers of forks (OpenBLAS's) were then not run.
bool are_short = false;

[[noreturn]] void live_as_child(int depth) {
  alarm(patience);
  if (!works()) std::_Exit(2);
  if (are_short) std::_Exit(0);
  if (depth > 0) {
    const pid_t child = fork();
    if (child == 0) live_as_child(depth - 1);
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) std::_Exit(3);
  }
  std::exit(0);
}

bool fork_well() {
  for (int i = 0; i < forks; ++i) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) live_as_child(1);
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0 || !works()) {
      std::fprintf(stderr, "fork %d: child's status %d\n", i, status);
      return false;
    }
  }
  return true;
}

// At moments when the others enter Python, and leave it.
bool fork_often() {
  bool is_well = true;
  for (int i = 0; i < 300 && is_well; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(patience);
      std::_Exit(0);
    }
    int status = 0;
    is_well = waitpid(child, &status, 0) == child && status == 0;
  }
  return is_well;
}

// A thread that Python has not seen.
bool fork_in_new_thread() {
  bool is_well = false;
  std::thread([&] { is_well = fork_well(); }).join();
  return is_well;
}

// While a method in Python waits for this one.
bool fork_inside() {
  are_short = true;
  return snake::Worker::_create().ask(numbered([] { return fork_well() ? 1 : 0; })) == 2;
}

// While a method in Python waits for a thread of its own, which waits for this one.
bool fork_aside() {
  are_short = true;
  return snake::Worker::_create().askAside(numbered([] { return fork_well() ? 1 : 0; })) == 2;
}

// While the interpreter is started by another thread.
bool fork_at_the_start() {
  are_short = true;
  std::thread other([] { works(); });
  const bool is_well = fork_well();
  other.join();
  return is_well;
}

const struct {
  const char* name;
  bool (*run)();
} ways[] = {
    {"main", fork_well},     {"often", fork_often}, {"new", fork_in_new_thread},
    {"inside", fork_inside}, {"aside", fork_aside}, {"start", fork_at_the_start},
};

std::atomic<int> begun{0};
std::atomic<bool> is_over{false};

void call() {
  if (!works()) std::abort();
  for (++begun; !is_over;) {
    if (!works()) std::abort();
  }
}

void call_briefly() {
  const snake::Worker worker = snake::Worker::_create();
  for (++begun; !is_over;) {
    if (worker.later(1) != 2) std::abort();
  }
}

void wait_for(int callers) {
  while (begun < callers) std::this_thread::yield();
}

}  // namespace

int main(int, char** arguments) {
  std::vector<std::thread> others;
  bool is_well = false;
  for (const auto& way : ways) {
    if (std::strcmp(way.name, arguments[1]) != 0) continue;
    const int callers = way.run == fork_at_the_start ? 0 : 3;
    for (int i = 0; i < callers; ++i)
      others.emplace_back(way.run == fork_often ? call_briefly : call);
    wait_for(callers);
    is_well = way.run();
  }
  is_over = true;
  for (std::thread& each : others) each.join();
  if (is_well) std::puts("fine");
  return is_well ? 0 : 1;
}
