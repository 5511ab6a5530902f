/** What the parts of the client share. */
#ifndef WIRE_CLIENT_HPP
#define WIRE_CLIENT_HPP

#include <cstdio>
#include <cstdlib>
#include <string>

#include "sidl_rmi_Ticket.hxx"
#include "wire_Box.hxx"

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      std::printf("line %d: %s does not hold\n", __LINE__, #condition); \
      std::exit(1);                                                     \
    }                                                                   \
  } while (false)

/** A nonblocking call of slowly(). */
sidl::rmi::Ticket send_slowly(const wire::Box& box, int32_t milliseconds, int32_t number,
                              const wire::Named& object = {});

/** Nonblocking and one-way calls, deadlines, null strings. */
void nonblocking_calls(const wire::Box& box);
/** The server calls an object of this process, which runs no server. */
void callbacks(const wire::Box& box);
/** Streams take arrays of any dimension, on their own side and on the other. */
void streams(const wire::Box& box, const std::string& url);
/** Arrays lent from the stack: nothing of them is used once a call has returned. */
void lending(const wire::Box& box, const std::string& url);
/** What was begun before its object was dropped runs, and references are not lost on the way. */
void dropped_handles(const wire::Box& box, const std::string& url);
/** The same for objects of this process. */
void dropped_listeners(const wire::Box& box);
/** Many threads pass objects to and fro; `make` makes one. */
void references_to_and_fro(const wire::Box& box, wire::Box (*make)(const wire::Box& box));
/**
 * Creates and drops `count` objects, passes others; whatever fails is tried no more. When told,
 * says how many of its own are left. `has_classes`: this program can make objects of its own.
 * `other_url`: where else objects are made, or the same.
 */
void create_and_drop(const std::string& url, int count, bool has_classes,
                     const std::string& other_url);
/** Objects of another server that are passed to this one, or by it, end with their references. */
void third_objects_end(const wire::Box& box, const std::string& other_url);
/** The same for calls whose deadline passes. */
void late_third_objects_end(const wire::Box& box, const std::string& other_url);
/** Leaves an object at the server and waits for the end of standard input. */
void leave_object(const wire::Box& box);

#endif
