// The server of the raw yardstick: sends every message back, or an empty one. Prints its port; ends
// with its parent.
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "raw_socket.hpp"

static void serve(int socket) {
  try {
    raw::Connection connection(socket);
    std::vector<double> values;
    size_t count = 0;
    bool is_kept = false;
    while (connection.receive(values, count, &is_kept)) {
      connection.send(values.data(), is_kept ? 0 : count);
    }
  } catch (const std::system_error&) {
    // The client went away.
  }
}

int main() {
  std::signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = raw::loopback(0);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || bind(listener, generic, size) || listen(listener, 16) ||
      getsockname(listener, generic, &size)) {
    std::perror("bench_raw_server");
    return 1;
  }
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  for (;;) {
    const int client = accept(listener, nullptr, nullptr);
    if (client >= 0) std::thread(serve, client).detach();
  }
}
