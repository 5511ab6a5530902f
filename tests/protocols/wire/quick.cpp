/**
 * Ends by quick_exit in the midst of calls of four threads: `wire_quick URL MICROSECONDS`. With a
 * third argument it serves as well, and the threads call its own object by its URL, too.
 */
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"
#include "wire_Box.hxx"

namespace {

void call_for_ever(const std::string& url, const wire::Box& served) {
  try {
    const wire::Box box = wire::Box::_create(url);
    const wire::Box mine = wire::Box::_create();
    mine.setName("mine");
    for (;;) {
      const bool right = box.add(2, 3) == 5 && box.nameOf(mine) == "mine";
      if (!right || (!served._is_nil() && box.nameOf(served) != "served")) std::abort();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::_Exit(2);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string url = argv[1];
  wire::Box served;
  sidl::rmi::Server server;
  if (argc > 3) {
    server = sidl::rmi::ProtocolFactory::createServer("simhandle://127.0.0.1:0");
    server.listen("simhandle://127.0.0.1:0");
    server.run();
    served = wire::Box::_create();
    served.setName("served");
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(call_for_ever, url, served);
  ::usleep(static_cast<useconds_t>(std::atoi(argv[2])));
  std::quick_exit(0);
}
