/**
 * What was used before a fork × who else is at it × what is used after it, in the child and in the
 * parent: `wire_fork URL BEFORE alone|busy`. Prints "ok", or which uses went wrong.
 */
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sidl_rmi_InstanceRegistry.hxx"
#include "sidl_rmi_NetworkException.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"
#include "sidl_rmi_ServerRegistry.hxx"
#include "sidl_rmi_Ticket.hxx"
#include "sidl_rmi_TicketBook.hxx"
#include "wire_Box.hxx"
#include "wire_Hook.hxx"
#include "wire_Hook_Impl.hxx"

namespace {

using sidl::rmi::Ticket;

constexpr unsigned patience = 20;  // seconds, for what takes a few milliseconds

std::string url;

/** The URL of the box that the server has published. */
std::string published() {
  return url + (url.find(":///") == std::string::npos ? "/pub" : "#pub");
}

/** What the parent has when it forks. */
struct Parent {
  wire::Box box;       // remote
  wire::Box listener;  // its own
  wire::Hook hook;     // its own
  Ticket pending;
  sidl::rmi::TicketBook book;
  sidl::rmi::Server server;
};

/** Each fork finds what its parent has used, and nothing that a fork before it did to that. */
Parent parent;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s does not hold\n", what);
  ::_exit(1);
}

#define HOLDS(condition) \
  if (!(condition)) fail(#condition)

// ---- before
// ---------------------------------------------------------------------------------------

int32_t slowly(const wire::Box& box, int32_t milliseconds, int32_t number) {
  return box.slowly_recv(box.slowly_send(milliseconds, number, wire::Named()));
}

void serve() {
  parent.server = sidl::rmi::ProtocolFactory::createServer(url);
  parent.server.listen("simhandle://127.0.0.1:0");
  parent.server.run();
}

const std::vector<std::pair<std::string, std::function<void()>>> befores{
    {"nothing", [] {}},
    {"call", [] { HOLDS(parent.box.add(1, 2) == 3); }},
    {"oneway", [] { parent.box.note(0, 1); }},
    {"awaited", [] { HOLDS(slowly(parent.box, 0, 5) == 5); }},
    {"pending", [] { parent.pending = parent.box.slowly_send(1500, 6, wire::Named()); }},
    {"book",
     [] {
       Ticket ready;
       parent.pending = parent.box.slowly_send(1500, 6, wire::Named());
       const Ticket soon = wire::Box::_create(url).slowly_send(0, 7, wire::Named());
       parent.book = soon.createEmptyTicketBook();
       const int32_t id = parent.book.insert(soon);
       parent.book.insert(parent.pending);
       HOLDS(parent.book.removeReady(ready) == id);
     }},
    {"lent",
     [] {
       parent.box.keep(parent.listener);
       HOLDS(parent.box.bounceKept(2) == 2);
     }},
    {"served", [] { HOLDS(parent.box.nameOf(parent.hook) == "nobody forks"); }},
    {"server", serve},
    {"served_by_server", serve},
};

// ---- after
// ----------------------------------------------------------------------------------------

void inherited() {
  HOLDS(parent.box.add(2, 3) == 5);
  HOLDS(parent.box.getName() == "box");
}

void one_way() {
  const wire::Box box = wire::Box::_create(url);
  for (int32_t i = 0; i < 5; ++i) box.note(0, i);
  HOLDS(box.notes().length(0) == 5);
  parent.box.note(0, 2);
  HOLDS(parent.box.notes().length(0) > 0);
}

/** The answer is the parent's, unless it was there before the fork. */
void pending() {
  if (parent.pending._is_nil()) return;
  HOLDS(parent.pending.test() && !parent.pending.cancel());
  parent.pending.block();
  try {
    HOLDS(parent.box.slowly_recv(parent.pending) == 6);
  } catch (const sidl::rmi::NetworkException&) {
  }
}

void book() {
  Ticket ready;
  if (parent.book._not_nil()) {
    HOLDS(parent.book.removeReady(ready) != 0 && parent.book.isEmpty());
  }
  const Ticket own = parent.box.slowly_send(0, 8, wire::Named());
  const sidl::rmi::TicketBook other = own.createEmptyTicketBook();
  other.insert(own);
  HOLDS(other.removeReady(ready) != 0 && parent.box.slowly_recv(ready) == 8);
}

void drop() {
  parent.box.add(1, 1);
  parent = Parent();
}

void drop_unused() {
  parent = Parent();
}

void lend() {
  const wire::Box mine = wire::Box::_create();
  mine.setName("mine");
  HOLDS(parent.box.nameOf(mine) == "mine");
  parent.box.keep(mine);
  HOLDS(parent.box.bounceKept(3) == 3);
  parent.box.forget();
  parent.listener.setName("child's");
  HOLDS(parent.box.nameOf(parent.listener) == "child's");
}

/** What the parent serves is not this process's; it may serve on its own. */
void own_server() {
  HOLDS(sidl::rmi::ServerRegistry::getServer()._is_nil());
  if (parent.server._not_nil()) HOLDS(parent.server.getServerURL("some").empty());
  const sidl::rmi::Server server = sidl::rmi::ProtocolFactory::createServer(url);
  const std::string at = server.listen("simhandle://127.0.0.1:0");
  const wire::Box mine = wire::Box::_create();
  mine.setName("served");
  sidl::rmi::InstanceRegistry::registerInstance(mine, "mine");
  server.run();
  HOLDS(parent.box.nameOf(mine) == "served");
  HOLDS(server.drain(5));
}

void local() {
  const wire::Box mine = wire::Box::_create();
  HOLDS(mine.add(4, 5) == 9 && mine.getName() == "box");
  HOLDS(slowly(mine, 0, 3) == 3);
}

/** Ends as usual, with exit handlers, though nothing was used. */
void exit_at_once() {
  std::exit(0);
}
void exit_after_use() {
  inherited();
  std::exit(0);
}

int ended(pid_t child) {
  int status = -1;
  HOLDS(::waitpid(child, &status, 0) == child);
  return status;
}

template <class Action>
pid_t in_child(const Action& action) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  HOLDS(child >= 0);
  if (child != 0) return child;
  ::alarm(patience);
  try {
    action();
  } catch (const std::exception& error) {
    fail(error.what());
  }
  ::_exit(0);
}

void again() {
  inherited();
  wire::Box own = wire::Box::_create(url);
  HOLDS(own.add(1, 1) == 2);
  const pid_t child = in_child([&] {
    inherited();
    HOLDS(own.add(3, 1) == 4);
    own = wire::Box();
  });
  HOLDS(ended(child) == 0);
  HOLDS(own.add(2, 1) == 3);
  inherited();
}

const std::vector<std::pair<const char*, void (*)()>> afters{
    {"inherited", inherited},
    {"fresh", [] { HOLDS(wire::Box::_create(url).add(20, 3) == 23); }},
    {"connected", [] { HOLDS(wire::Box::_connect(published()).add(20, 3) == 23); }},
    {"local", local},
    {"nonblocking", [] { HOLDS(slowly(parent.box, 1, 9) == 9); }},
    {"one_way", one_way},
    {"pending", pending},
    {"book", book},
    {"lend", lend},
    {"drop", drop},
    {"drop_unused", drop_unused},
    {"own_server", own_server},
    {"again", again},
    {"exit_at_once", exit_at_once},
    {"exit_after_use", exit_after_use},
};

/** The parent goes on as if nothing had happened. */
void check_parent() {
  HOLDS(parent.box.add(30, 4) == 34);
  HOLDS(slowly(parent.box, 0, 7) == 7);
  parent.box.note(0, 3);
  HOLDS(parent.box.notes().length(0) > 0);
  HOLDS(parent.box.nameOf(parent.listener) == "box");
}

/** Forks once for each use; false if one went wrong. */
bool fork_for_each() {
  bool all = true;
  for (const auto& [name, action] : afters) {
    const int status = ended(in_child(action));
    if (status != 0) {
      std::printf("%s: status %x\n", name, static_cast<unsigned>(status));
      all = false;
    }
    check_parent();
  }
  return all;
}

/** A child that returns from a method of which its parent has to give the answer. */
std::string return_in_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(patience);
    return "the child's";
  }
  const int status = ended(child);
  HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
  return "the parent's";
}

bool fork_in_call() {
  bool all = false;
  wire::Hook_impl::action() = [&] {
    all = fork_for_each();
    return std::string("done");
  };
  HOLDS(parent.box.nameOf(parent.hook) == "done");
  wire::Hook_impl::action() = return_in_child;
  HOLDS(parent.box.nameOf(parent.hook) == "the parent's");
  return all;
}

/** Other threads call, and begin and end connections, while this one forks. */
class Crowd {
 public:
  explicit Crowd(int count) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this, i] { work(i); });
    }
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() {
    stopping_ = true;
    for (std::thread& each : threads_) each.join();
  }

 private:
  void work(int number) const {
    const wire::Box own = wire::Box::_create(url);
    const wire::Box mine = wire::Box::_create();
    for (int32_t i = 0; !stopping_; ++i) {
      HOLDS(parent.box.add(i, number) == i + number);
      HOLDS(slowly(own, 0, i) == i);
      own.note(0, i);
      if (i % 8 == 0) HOLDS(own.nameOf(mine) == "box");
      if (i % 16 == 0) HOLDS(wire::Box::_create(url).add(i, 1) == i + 1);
    }
  }

  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  url = argv[1];
  const std::string before = argv[2];
  wire::Hook_impl::action() = [] { return std::string("nobody forks"); };
  parent.box = wire::Box::_create(url);
  parent.listener = wire::Box::_create();
  parent.hook = wire::Hook::_create();
  bool known = false;
  for (const auto& [name, use] : befores) {
    if (name != before) continue;
    known = true;
    use();
  }
  HOLDS(known);
  bool all = false;
  {
    const Crowd crowd(std::string(argv[3]) == "busy" ? 3 : 0);
    all = before.rfind("served", 0) == 0 ? fork_in_call() : fork_for_each();
  }
  if (parent.pending._not_nil()) HOLDS(parent.box.slowly_recv(parent.pending) == 6);
  if (parent.server._not_nil()) HOLDS(parent.server.drain(5));
  std::puts(all ? "ok" : "failed");
  return all ? 0 : 1;
}
