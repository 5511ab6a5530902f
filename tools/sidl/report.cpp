#include "report.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "usage_error.hpp"

namespace sidl_tool {

Report::Report(int descriptor) : descriptor_(descriptor) {
  if (descriptor < 0) return;
  // Nothing comes but the end of the connection, which is an event like any other.
  const bool is_set = ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 &&
                      ::fcntl(descriptor, F_SETOWN, ::getpid()) == 0 &&
                      ::fcntl(descriptor, F_SETSIG, SIGTERM) == 0 &&
                      ::fcntl(descriptor, F_SETFL, O_ASYNC) == 0;
  if (!is_set) {
    throw UsageError("--report: " + std::to_string(descriptor) +
                     " is no socket: " + std::strerror(errno));
  }
  struct pollfd ended = {descriptor, POLLIN, 0};
  if (::poll(&ended, 1, 0) > 0) ::raise(SIGTERM);
}

Report::~Report() {
  if (descriptor_ < 0) return;
  ::fcntl(descriptor_, F_SETFL, 0);
  ::close(descriptor_);
}

void Report::tell(const std::string& line) const {
  if (descriptor_ < 0) return;
  const std::string text = line + "\n";
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::send(descriptor_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // whoever has started this has ended
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace sidl_tool
