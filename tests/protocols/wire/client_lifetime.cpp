/** Objects that are let go while calls of them, or messages that refer to them, are on their way.
 */
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "client.hpp"
#include "sidl_rmi_NetworkException.hxx"

namespace {

constexpr int rounds = 20;
constexpr int calls = 10;

/** Waits until `count` calls have run in the process of the box; none may run after that. */
void expect_ran(const wire::Box& box, int count) {
  for (int i = 0; i < 2000 && box.ran() < count; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const int ran = box.ran();
  if (ran != count) std::printf("%d of %d calls ran\n", ran, count);
  CHECK(ran == count);
}

template <class Action>
void on_threads(int count, Action action) {
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) all.emplace_back([&, i] { action(i); });
  for (std::thread& each : all) each.join();
}

/** Objects of two addresses: they may be those of one server, which then calls itself. */
void pass_on(const wire::Box& box, const wire::Box& home, const wire::Named& other) {
  box.nameOf(other);
  box.handOn(home, other);
  home.handOn(box, other);
  box.keep(other);
  home.nest(box, 3);
  box.bounce(home, 4);
}

}  // namespace

void dropped_handles(const wire::Box& box, const std::string& url) {
  int expected = 0;
  for (int round = 0; round < rounds; ++round) {
    const wire::Box brief = wire::Box::_create(url);
    for (int i = 0; i < calls; ++i) brief.note(1, i);
  }
  expected += rounds * calls;
  for (int round = 0; round < rounds; ++round) {
    const wire::Box brief = wire::Box::_create(url);
    for (int i = 0; i < calls; ++i) send_slowly(brief, 1, i);
  }
  expected += rounds * calls;
  // What is passed is dropped at once as well.
  for (int i = 0; i < rounds; ++i) box.noteName(1, box.make("passed"));
  for (int i = 0; i < rounds; ++i) send_slowly(box, 1, i, box.make("passed"));
  expected += 2 * rounds;
  // Others keep the connections busy, over which the releases go.
  on_threads(4, [&](int) {
    for (int round = 0; round < rounds; ++round) {
      const wire::Box brief = wire::Box::_create(url);
      for (int i = 0; i < calls; ++i) brief.note(0, i);
      brief.noteName(1, box.make("passed"));
    }
  });
  expected += 4 * rounds * (calls + 1);
  expect_ran(box, expected);
}

void dropped_listeners(const wire::Box& box) {
  const wire::Box here = wire::Box::_create();
  for (int round = 0; round < rounds; ++round) box.tellBack(wire::Box::_create(), calls);
  for (int i = 0; i < rounds; ++i) box.noteName(0, wire::Box::_create());
  on_threads(4, [&](int) {
    for (int round = 0; round < rounds; ++round) box.tellBack(wire::Box::_create(), calls);
  });
  expect_ran(here, 5 * rounds * calls);
  expect_ran(box, rounds);
}

void references_to_and_fro(const wire::Box& box, wire::Box (*make)(const wire::Box& box)) {
  on_threads(8, [&](int) {
    for (int round = 0; round < 100; ++round) {
      const wire::Box mine = make(box);
      CHECK(box.back(mine).isSame(mine));
      wire::Named first = make(box);
      wire::Named second = box;
      box.swap(first, second);
      CHECK(first.isSame(box) && !second.isSame(box));
      CHECK(second.getName() == first.getName() || second.getName() == "made");
      auto all = sidl::array<wire::Named>::create1d(3);
      for (int i = 0; i < 2; ++i) all[i] = make(box);
      auto reversed = box.reversed(all);
      const wire::Named none = reversed[0];
      const wire::Named last = reversed[2];
      CHECK(reversed.length() == 3 && none._is_nil() && last.isSame(wire::Named(all[0])));
      all = {};
      CHECK(!wire::Named(reversed[1]).getName().empty());
    }
  });
}

void create_and_drop(const std::string& url, int count, bool has_classes,
                     const std::string& other_url) {
  std::atomic<int> made{0};
  std::atomic<int> failed{0};
  on_threads(4, [&](int) {
    while (made++ < count) {
      try {
        const wire::Box box = wire::Box::_create(url);
        const wire::Box home = other_url == url ? box : wire::Box::_create(other_url);
        const wire::Named other = home.make("other");
        box.back(other);
        box.noteName(0, other);
        send_slowly(box, 0, 1, other);
        if (other_url != url) pass_on(box, home, other);
        if (!has_classes) continue;
        const wire::Box mine = wire::Box::_create();
        box.back(mine);
        box.tellBack(mine, 2);
        box.noteName(0, mine);
        box.keep(mine);
      } catch (const sidl::rmi::NetworkException&) {
        ++failed;
      }
    }
  });
  std::printf("%d of %d failed\n", failed.load(), count);
  std::fflush(stdout);
  std::getchar();
  // What both ends have to tell each other goes with the next calls.
  on_threads(8, [&](int) {
    for (int i = 0; i < 50; ++i) {
      try {
        wire::Box::_create(i % 2 == 0 ? url : other_url).wait(1);
      } catch (const sidl::rmi::NetworkException&) {
      }
    }
  });
  int left = 0;
  for (int i = 0; i < 1000; ++i) {
    left = has_classes ? wire::Box::_create().alive() - 1 : 0;
    if (left == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::printf("%d\n", left);
  std::fflush(stdout);
  while (std::getchar() != EOF) continue;
}
