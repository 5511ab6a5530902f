// The server of the raw yardstick: sends every message back, or an empty one, or what the last of
// the records in it holds. Ends with its parent.
//
//   bench_raw_server             over TCP, any number of clients; prints its port
//   bench_raw_server spins|sleeps  through shared memory, one client; prints where that is
//   bench_raw_server tls         over TLS, one client; prints its port
//   bench_raw_server ucx         over UCX, one client; prints the port for UCX's addresses
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

#include "raw_shared.hpp"
#include "raw_socket.hpp"
#ifdef BENCH_TLS
#include "raw_tls.hpp"
#endif
#ifdef BENCH_UCX
#include "raw_ucx.hpp"
#endif

template <class Connection>
static void answer(Connection& connection) {
  std::vector<double> values;
  std::vector<raw::Record> records;
  size_t count = 0;
  uint64_t flags = 0;
  while (connection.receive(values, count, &flags)) {
    if ((flags & raw::packed) != 0) {
      raw::unpack(values.data(), records);
      connection.send(&records.back().x, 1);
    } else {
      connection.send(values.data(), (flags & raw::kept) != 0 ? 0 : count);
    }
  }
}

static void serve(int socket) {
  try {
    raw::Connection connection(socket);
    answer(connection);
  } catch (const std::system_error&) {
    // The client went away.
  }
}

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "spins" || how == "sleeps") {
    raw::Shared connection("", true, how == "sleeps");
    std::printf("%s\n", connection.path().c_str());
    std::fflush(stdout);
    answer(connection);
  }
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
#ifdef BENCH_TLS
  if (how == "tls") {
    raw::Tls connection(accept(listener, nullptr, nullptr), true);
    answer(connection);
  }
#endif
#ifdef BENCH_UCX
  if (how == "ucx") {
    raw::Ucx connection(accept(listener, nullptr, nullptr));
    answer(connection);
  }
#endif
  for (;;) {
    const int client = accept(listener, nullptr, nullptr);
    if (client >= 0) std::thread(serve, client).detach();
  }
}
