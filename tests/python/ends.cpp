// A program in C++ that has objects in Python when it ends, in the way that its argument names. It
// prints "fine" and must end by itself, with status 0.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "scaly_Caller.hxx"
#include "scaly_Leaver.hxx"
#include "sidl_LangSpecificException.hxx"
#include "snake_Trouble.hxx"
#include "snake_Worker.hxx"

namespace {

snake::Worker kept;  // destroyed when Python has ended: it began later

// Calls as long as the process lives, or Python does.
void call_forever(std::atomic<int>& calls) {
  const snake::Worker worker = snake::Worker::_create();
  try {
    for (;; ++calls) {
      if (worker.later(1) != 2) std::abort();
    }
  } catch (const sidl::LangSpecificException&) {
    // "Python has ended in this process"
  }
}

void end_with_a_thread_in_calls() {
  static std::atomic<int> calls{0};
  std::thread(call_forever, std::ref(calls)).detach();
  while (calls < 100) std::this_thread::yield();
}

std::atomic<bool> is_answered{true};

// Its destructor runs when Python has ended.
const struct Verdict {
  ~Verdict() {
    if (!is_answered) std::abort();
  }
} verdict;

int tell_slowly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return 1;
}

// The method waits for a thread of Python, which comes back to it meanwhile.
void end_with_a_thread_of_python() {
  is_answered = false;
  std::thread([] {
    scaly::Caller slow = scaly::Caller::_create();
    slow.of(reinterpret_cast<void*>(tell_slowly));
    is_answered = snake::Worker::_create().askAside(slow) == 2;
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

void end_with_an_object_of_a_thread() {
  std::thread([] {
    thread_local snake::Worker own;
    own = snake::Worker::_create();
    own.later(1);
  }).join();
}

// In the midst of a method in Python.
[[noreturn]] void end_inside() {
  const ty::Numbered leaver = scaly::Leaver::_create();
  snake::Worker::_create().ask(leaver);
  std::abort();
}

// As Ctrl-C does: the program has no handler, and Python, which was started in it, none either.
void end_by_an_interrupt() {
  snake::Worker::_create().later(1);
  std::raise(SIGINT);
}

void end_with_an_exception_of_python() {
  static sidl::BaseException caught;
  try {
    snake::Worker::_create().stumble("value");
  } catch (const sidl::LangSpecificException& thrown) {
    caught = thrown;
  }
  if (caught._is_nil()) std::abort();
}

}  // namespace

int main(int, char** arguments) {
  const char* const way = arguments[1];
  kept = snake::Worker::_create();
  if (kept.later(1) != 2) return 1;
  if (std::strcmp(way, "thread") == 0) end_with_a_thread_in_calls();
  if (std::strcmp(way, "thread-local") == 0) end_with_an_object_of_a_thread();
  if (std::strcmp(way, "aside") == 0) end_with_a_thread_of_python();
  if (std::strcmp(way, "inside") == 0) end_inside();
  if (std::strcmp(way, "caught") == 0) end_with_an_exception_of_python();
  if (std::strcmp(way, "interrupted") == 0) end_by_an_interrupt();
  std::puts("fine");
  std::fflush(stdout);
  if (std::strcmp(way, "quick") == 0) std::_Exit(0);
  return 0;
}
