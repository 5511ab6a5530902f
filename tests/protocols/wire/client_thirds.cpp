/**
 * Objects of a third process: whoever named one to somebody else keeps it until that one has a
 * reference of its own, and no longer.
 */
#include <chrono>
#include <thread>

#include "client.hpp"
#include "sidl_rmi_Deadline.hxx"

namespace {

constexpr int passed = 30;

/** Shorter than any time after which somebody might let go who does not know better. */
template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/** Of `home` there are objects that `action` passes: none is left of them. */
template <class Action>
void leaves_none(const wire::Box& home, const char* what, Action action) {
  for (int i = 0; i < passed; ++i) action(home.make("third"));
  if (soon([&] { return home.alive() == 1; })) return;
  std::printf("%s: %d objects are left\n", what, home.alive() - 1);
  std::exit(1);
}

void answers(const wire::Box& box, const wire::Box& home) {
  leaves_none(home, "result",
              [&](const wire::Named& third) { CHECK(box.back(third).getName() == "third"); });
  leaves_none(home, "inout", [&](const wire::Named& third) {
    wire::Named a = third;
    wire::Named b;
    box.swap(a, b);
    CHECK(a._is_nil() && b.getName() == "third");
  });
  leaves_none(home, "array", [&](const wire::Named& third) {
    auto all = sidl::array<wire::Named>::create1d(3);
    for (int i = 0; i < 3; ++i) all.set(i, third);
    CHECK(box.reversed(all).get(2).getName() == "third");
  });
}

/** The server asks an object of this process, which answers with one of the third. */
void answers_of_listeners(const wire::Box& box, const wire::Box& home) {
  const wire::Box mine = wire::Box::_create();
  leaves_none(home, "answer of a listener", [&](const wire::Named& third) {
    mine.keep(third);
    CHECK(box.keptBy(mine).getName() == "third");
    mine.keep(wire::Named());
  });
}

/** What is passed must be there when the call runs, which may be late. */
void one_way(const wire::Box& box, const wire::Box& home) {
  const int before = box.ran();
  leaves_none(home, "one-way", [&](const wire::Named& third) { box.noteName(1, third); });
  CHECK(soon([&] { return box.ran() == before + passed; }));
}

void nonblocking(const wire::Box& box, const wire::Box& home) {
  leaves_none(home, "nonblocking", [&](const wire::Named& third) {
    const auto ticket = send_slowly(box, 0, 1, third);
    CHECK(ticket.getResponse()._not_nil());
  });
  leaves_none(home, "dropped", [&](const wire::Named& third) { send_slowly(box, 1, 1, third); });
  leaves_none(home, "cancelled",
              [&](const wire::Named& third) { send_slowly(box, 1, 1, third).cancel(); });
}

}  // namespace

void third_objects_end(const wire::Box& box, const std::string& other_url) {
  const wire::Box home = wire::Box::_create(other_url);
  answers(box, home);
  answers_of_listeners(box, home);
  one_way(box, home);
  nonblocking(box, home);
}

void late_third_objects_end(const wire::Box& box, const std::string& other_url) {
  const wire::Box home = wire::Box::_create(other_url);
  leaves_none(home, "too late", [&](const wire::Named& third) {
    sidl::rmi::Deadline::setForThread(1);
    const auto late = send_slowly(box, 5, 1, third);
    sidl::rmi::Deadline::setForThread(-1);
    late.block();
  });
}
