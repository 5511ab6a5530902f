// Calls that lend an object of this program to a server that may have been started anew meanwhile.
//
//   wire_restart <url of an object of the server>
//
// For each line that is read: a call, and a one-way call, by which the server calls back.
#include <cstdio>
#include <iostream>
#include <string>

#include "sidl_BaseException.hxx"
#include "wire_Box.hxx"
#include "wire_Hook.hxx"
#include "wire_Hook_Impl.hxx"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  wire::Box box = wire::Box::_connect(argv[1]);
  wire::Hook hook = wire::Hook::_create();
  int called = 0;
  wire::Hook_impl::action() = [&] { return std::to_string(++called); };
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::string answers = box.nameOf(hook);
      box.noteName(0, hook);  // one-way; the call behind it comes later
      answers += " " + box.nameOf(hook);
      std::printf("%s\n", answers.c_str());
    } catch (const sidl::BaseException& error) {
      std::printf("%s\n", error.getNote().c_str());
    }
    std::fflush(stdout);
  }
  return 0;
}
