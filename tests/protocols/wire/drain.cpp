// A chain of calls through two servers and this program, of which one is asked to stop in its
// midst.
//
//   wire_drain <url> <other url> <fresh|known>
//
// The first server calls the program back, which says "in work", and goes on when it has read a
// line: all that it calls from there on is part of the chain, and comes by the first server, over
// connections that exist and, with `fresh`, over new ones of the other server. Says what came of
// it.
#include <cstdio>
#include <iostream>
#include <string>

#include "sidl_BaseException.hxx"
#include "wire_Box.hxx"
#include "wire_Hook.hxx"
#include "wire_Hook_Impl.hxx"

namespace {

std::string say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
  return line;
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

/** In the course of a call of the first server. */
std::string go_on(const char* url, wire::Box& box, wire::Box& other) {
  say("in work");
  std::string line;
  std::getline(std::cin, line);
  attempt("back", [&] { box.add(20, 3); });
  attempt("round", [&] { other.nameOf(box); });
  attempt("to and fro", [&] { box.bounce(other, 7); });
  attempt("one way", [&] {
    const int before = box.ran();
    box.noteName(0, other);
    if (box.ran() != before + 1) say("it has not run");
  });
  attempt("create", [&] { wire::Box::_create(url).noop(); });
  return "the end";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  wire::Box box = wire::Box::_create(argv[1]);
  wire::Box other = wire::Box::_create(argv[2]);
  if (argv[3] == std::string("known")) other.nameOf(box);
  wire::Hook hook = wire::Hook::_create();
  wire::Hook_impl::action() = [&] { return go_on(argv[1], box, other); };
  attempt("all", [&] { say(box.nameOf(hook)); });
  return 0;
}
