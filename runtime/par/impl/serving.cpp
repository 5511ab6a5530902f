#include "impl/serving.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <mutex>
#include <system_error>

#include "sidl_process.h"
#include "sidl_protocol.hxx"
#include "sidl_rmi_CancelledException.hxx"
#include "sidl_rmi_Server.hxx"
#include "sidl_rmi_ServerRegistry.hxx"

namespace shinar::par {
namespace {

// How long a thread waits before it asks whether a handler of its language wants it.
constexpr int kMomentMs = 100;
// For calls that run.
constexpr double kDrainSeconds = 10;

int told[2];  // a pipe: the handler writes

void tell(int) {
  const int before = errno;
  if (::write(told[1], "", 1) < 0) errno = before;  // full: it is told already
  errno = before;
}

void make_pipe() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (::pipe2(told, O_CLOEXEC | O_NONBLOCK) != 0) {
      throw std::system_error(errno, std::generic_category(), "cannot wait for signals");
    }
  });
}

// Handles a signal that nobody else does, for a time.
class Handled {
 public:
  explicit Handled(int signal) : signal_(signal) {
    struct sigaction current = {};
    ::sigaction(signal, nullptr, &current);
    if ((current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_DFL) return;
    struct sigaction own = {};
    own.sa_handler = &tell;
    own.sa_flags = SA_RESTART;
    ::sigaction(signal, &own, nullptr);
    is_own_ = true;
  }
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;
  ~Handled() {
    if (is_own_) std::signal(signal_, SIG_DFL);
  }

 private:
  const int signal_;
  bool is_own_ = false;
};

void await_signal() {
  const Handled term(SIGTERM);
  const Handled interrupt(SIGINT);
  for (;;) {
    struct pollfd readable = {told[0], POLLIN, 0};
    if (::poll(&readable, 1, kMomentMs) > 0) return;
    throw_if_interrupted("serving was interrupted");
  }
}

}  // namespace

void throw_if_interrupted(const char* what) {
  const sidl_interruption* const interruption = sidl_interruption_of_process;
  if (interruption != nullptr && interruption->concerns_thread() != 0 &&
      interruption->wants_out() != 0) {
    ::sidl::protocol::fail<::sidl::rmi::CancelledException>(what);
  }
}

void serve_until_told_to_end() {
  make_pipe();
  await_signal();
  const auto server =
      ::sidl::babel_cast<::sidl::rmi::Server>(::sidl::rmi::ServerRegistry::getServer());
  if (server._not_nil()) server.drain(kDrainSeconds);
}

}  // namespace shinar::par
