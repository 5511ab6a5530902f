// A program in C++ that has objects in Java, and ends in many ways.
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "jv.hxx"
#include "sidl_RuntimeException.hxx"
#include "sidl_SIDLException.hxx"

namespace {

int complain(const std::string& what) {
  std::cout << what << "\n";
  return 1;
}

int greet() {
  const auto worker = jv::Worker::_create();
  return worker.greeting() == "I am the worker, also a tool" ? 0 : complain(worker.greeting());
}

int on_many_threads() {
  const auto worker = jv::Worker::_create();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) {
        if (worker.ask(n) != n + 1) std::abort();
      }
    });
  }
  for (auto& each : threads) each.join();
  return 0;
}

std::string thrown(const jv::Worker& worker, const char* how) {
  try {
    worker.fail(how);
  } catch (const sidl::SIDLException& seen) {
    return seen.getClassInfo().getName() + ": " + seen.getNote();
  } catch (const sidl::RuntimeException& seen) {
    return seen.getClassInfo().getName() + ": " + seen.getNote();
  }
  return "nothing";
}

int failures() {
  const auto worker = jv::Worker::_create();
  const char* const wanted[][2] = {
      {"runtime", "sidl.LangSpecificException: java.lang.IllegalStateException: in Java"},
      {"unsupported",
       "sidl.NotImplementedException: java.lang.UnsupportedOperationException: not here"},
      {"memory", "sidl.MemAllocException: java.lang.OutOfMemoryError: for a test"},
      {"stack", "sidl.LangSpecificException: java.lang.StackOverflowError"},
      {"odd text", "sidl.LangSpecificException: java.lang.IllegalStateException: a b?c\U0001F600"},
      {"no text",
       "sidl.LangSpecificException: jv.Worker_Impl$Speechless (no text: "
       "java.lang.IllegalStateException)"},
      {"other", "jv.Problem: other"},
  };
  for (const auto& [how, text] : wanted) {
    const std::string seen = thrown(worker, how);
    if (seen != text) return complain(seen);
  }
  return 0;
}

// Who has no Java is told why, too, and by which calls.
int reasons() {
  const auto worker = jv::Worker::_create();
  try {
    worker.fail("with a cause");
  } catch (const sidl::RuntimeException& seen) {
    const std::string trace = seen.getTrace();
    std::size_t at = 0;
    for (const char* const wanted :
         {"at jv.Worker_Impl.fail_Impl", "suppressed: java.io.IOException: on the way",
          "caused by java.lang.Exception: a b", "at jv.Worker_Impl.failForAReason",
          "caused by java.lang.ArithmeticException: the root", "in jv.Worker (Java)"}) {
      at = trace.find(wanted, at);
      if (at == std::string::npos) return complain(std::string(wanted) + "\n" + trace);
    }
    return 0;
  }
  return complain("nothing was thrown");
}

int create() {
  try {
    (void)jv::Worker::_create();
  } catch (const sidl::RuntimeException& seen) {
    std::cout << seen.getNote() << "\n";
    return 0;
  }
  return complain("nothing was thrown");
}

int fork_after() {
  const auto worker = jv::Worker::_create();
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string seen = thrown(worker, "runtime");
    std::_Exit(seen.find("fork") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 && worker.ask(1) == 2 ? 0 : complain("in the child");
}

// What a struct's raw array points to stays the caller's.
int raw() {
  const auto worker = jv::Worker::_create();
  double edges[] = {1, 2, 3};
  jv::Grid grid;
  grid.n = 3;
  grid.edges = edges;
  grid.set_label("mine");
  worker.refine(grid, 2.0);
  if (grid.edges != edges || edges[2] != 6) return complain("the caller's memory");
  if (grid.get_label() != "refined" || edges[1] != 4) return complain("the rest");
  try {
    worker.refine(grid, -1.0);
  } catch (const sidl::RuntimeException& seen) {
    if (grid.edges != edges || grid.n != 3 || edges[2] != 6) return complain("after a failure");
    return seen.getNote().find("edges") != std::string::npos ? 0 : complain(seen.getNote());
  }
  return complain("more elements than there is memory for");
}

// Their class in Java is in the jar beside the library, and nobody has named it.
int spots() {
  const auto worker = jv::Worker::_create();
  auto all = sidl::array<jv::Spot>::create1d(3);
  for (int i = 0; i < 3; ++i) all[i].x = i + 1;
  const int sum = worker.spots(all);
  return sum == 6 ? 0 : complain(std::to_string(sum));
}

jv::Worker* forgotten = nullptr;

int end_with_objects(const std::string& how) {
  static jv::Worker at_exit = jv::Worker::_create();
  forgotten = new jv::Worker(jv::Worker::_create());
  std::thread other([] {
    for (;;) forgotten->ask(1);
  });
  other.detach();
  if (how == "exit") std::exit(0);
  if (how == "_exit") ::_exit(0);
  return 0;
}

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "greet") return greet();
  if (what == "threads") return on_many_threads();
  if (what == "failures") return failures();
  if (what == "reasons") return reasons();
  if (what == "create") return create();
  if (what == "raw") return raw();
  if (what == "spots") return spots();
  if (what == "fork") return fork_after();
  if (what == "return" || what == "exit" || what == "_exit") return end_with_objects(what);
  return complain("unknown");
}
