/** What the parts of the client share. */
#ifndef WIRE_CLIENT_HPP
#define WIRE_CLIENT_HPP

#include <cstdio>
#include <cstdlib>
#include <string>

#include "wire_Box.hxx"

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      std::printf("line %d: %s does not hold\n", __LINE__, #condition); \
      std::exit(1);                                                     \
    }                                                                   \
  } while (false)

/** Nonblocking and one-way calls, deadlines, null strings. */
void nonblocking_calls(const wire::Box& box);
/** The server calls an object of this process, which runs no server. */
void callbacks(const wire::Box& box);
/** Leaves an object at the server and waits for the end of standard input. */
void leave_object(const wire::Box& box);

#endif
