/**
 * Threads that end themselves in methods, or are cancelled in calls: `wire_ends WAY [URL]`. Prints
 * "ok" if the others did not notice, and what the caller was told.
 */
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "sidl_rmi_NetworkException.hxx"
#include "wire_Box.hxx"
#include "wire_Hook.hxx"
#include "wire_Hook_Impl.hxx"

namespace {

std::string url;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s does not hold\n", what);
  ::_exit(1);
}

#define HOLDS(condition) \
  if (!(condition)) fail(#condition)

/** Runs `action` in a thread, which must not come back from it. */
void ends_in(const std::function<void()>& action) {
  struct Unwound {
    bool& seen;
    ~Unwound() { seen = true; }
  };
  bool came_back = false;
  bool unwound = false;
  std::thread([&] {
    const Unwound marks{unwound};
    action();
    came_back = true;
  }).join();
  HOLDS(!came_back && unwound);
}

[[noreturn]] std::string exit_thread() {
  ::pthread_exit(nullptr);
}

std::string cancel_thread() {
  ::pthread_cancel(::pthread_self());
  for (;;) ::pause();
}

wire::Hook hook_of(const char* what) {
  wire::Hook hook = url.empty() ? wire::Hook::_create() : wire::Hook::_create(url);
  hook.setName(what);
  return hook;
}

/** The thread that calls a method of this process, which ends it. */
void in_process() {
  for (const char* const way : {"pthread_exit", "pthread_cancel"}) {
    const wire::Hook hook = hook_of(way);
    ends_in([&] { hook.getName(); });
    ends_in([&] { wire::Box::_create().nameOf(hook); });
    HOLDS(hook_of("still there").getName() == "still there");
  }
}

/** The method is another process's: its caller learns what became of it, and the server lives. */
void on_server() {
  for (int i = 0; i < 40; ++i) {  // more than the server has threads
    const wire::Hook hook = hook_of(i % 2 == 0 ? "pthread_exit" : "pthread_cancel");
    try {
      hook.getName();
      fail("an exception");
    } catch (const sidl::rmi::NetworkException& error) {
      HOLDS(std::string(error.what()).find("has exited") != std::string::npos);
    }
    HOLDS(hook_of("still there").getName() == "still there");
  }
}

/** A thread of ours runs what the server calls, in the course of a call or not, and ends in it. */
void in_callback() {
  const wire::Box box = wire::Box::_create(url);
  const wire::Hook hook = wire::Hook::_create();
  for (const auto& action : {exit_thread, cancel_thread}) {
    wire::Hook_impl::action() = action;
    ends_in([&] { box.nameOf(hook); });
    for (int i = 0; i < 20; ++i) {  // more than there are threads for calls from outside
      const auto ticket = wire::Box::_create(url).slowly_send(0, 1, hook);
      try {
        wire::Box::_create(url).slowly_recv(ticket);
        fail("an exception");
      } catch (const sidl::BaseException&) {
      }
    }
    wire::Hook_impl::action() = nullptr;
    hook.setName("still there");
    HOLDS(box.nameOf(hook) == "still there");
    HOLDS(box.add(1, 2) == 3);
  }
}

/** A thread that waits for an answer is cancelled; others share its connection. */
void cancelled_waiting() {
  const wire::Box box = wire::Box::_create(url);
  for (int i = 0; i < 10; ++i) {
    std::thread other([&] {
      for (int k = 0; k < 50; ++k) HOLDS(box.add(k, 1) == k + 1);
    });
    ends_in([&] {
      const pthread_t self = ::pthread_self();
      std::thread([self] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ::pthread_cancel(self);
      }).detach();
      wire::Box::_create(url).wait(300);
      ::pthread_testcancel();
    });
    HOLDS(box.add(i, 1) == i + 1);
    other.join();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string way = argv[1];
  if (argc > 2) url = argv[2];
  if (way == "in_process") in_process();
  if (way == "on_server") on_server();
  if (way == "in_callback") in_callback();
  if (way == "cancelled_waiting") cancelled_waiting();
  std::puts("ok");
  return 0;
}
