// A call that is given up, while it waits elsewhere in the course of its own, is followed by
// another one of its chain, which has all the time it wants.
//
//   wire_abandoned <url> <other url> <in time|interrupted>
//
// The server calls the program back, which says "in work", and goes on when it has read a line.
// Says what came of all calls.
#include <atomic>
#include <cstdio>
#include <iostream>
#include <string>

#include "sidl_BaseException.hxx"
#include "sidl_process.h"
#include "sidl_rmi_Deadline.hxx"
#include "wire_Box.hxx"
#include "wire_Hook.hxx"
#include "wire_Hook_Impl.hxx"

namespace {

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

template <class Action>
void attempt(const std::string& what, Action action) {
  try {
    action();
    say(what + ": right");
  } catch (const sidl::BaseException& error) {
    say(what + ": " + error.getNote());
  }
}

/** A tenth of a second after a wait began, as if somebody had pressed Ctrl-C in Python. */
void interrupt_next_wait() {
  static std::atomic<bool> wants_out{true};
  static const sidl_interruption interruption{
      [] { return int{wants_out}; },
      [] { return int{wants_out.exchange(false)}; },
  };
  ::sidl_set_interruption(&interruption);
}

/** In the course of a call of `box`. */
std::string go_on(const wire::Box& box, const wire::Box& other, bool is_interrupted) {
  say("in work");
  std::string line;
  std::getline(std::cin, line);
  is_interrupted ? interrupt_next_wait() : sidl::rmi::Deadline::setForThread(200);
  attempt("first", [&] { box.waitFor(other); });
  sidl::rmi::Deadline::setForThread(-1);
  attempt("second", [&] { box.waitFor(other); });
  return "the end";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const bool is_interrupted = argv[3] == std::string("interrupted");
  const wire::Box box = wire::Box::_create(argv[1]);
  const wire::Box other = wire::Box::_create(argv[2]);
  const wire::Hook hook = wire::Hook::_create();
  wire::Hook_impl::action() = [&] { return go_on(box, other, is_interrupted); };
  attempt("all", [&] { box.nameOf(hook); });
  return 0;
}
