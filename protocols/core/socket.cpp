#include "socket.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>

#include "interruption.hpp"

namespace shinar::wire {

using Clock = std::chrono::steady_clock;

Socket::~Socket() {
  if (fd_ >= 0) close_descriptor(fd_);
}

void Socket::shut_down() const {
  if (fd_ >= 0) ::shutdown(fd_, SHUT_RDWR);
}

void Socket::set_timeout(int option, std::chrono::milliseconds most) const {
  timeval value{};
  value.tv_sec = most.count() / 1000;
  value.tv_usec = static_cast<suseconds_t>(most.count() % 1000 * 1000);
  static_cast<void>(::setsockopt(fd_, SOL_SOCKET, option, &value, sizeof value));
}

int wait_for(int fd, short events, Clock::time_point until) {
  using std::chrono::milliseconds;
  Interruption interruption;
  const bool looks = interruption.may_come() || RunningCall::innermost() != nullptr;
  for (;;) {
    auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return 0;
    if (looks) left = std::min(left, Interruption::look);
    pollfd waiting{fd, events, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready > 0 || (ready < 0 && errno != EINTR)) return ready;
    if (ready < 0) interruption.hurry();
    if (interruption.is_due() && interruption.has_come()) throw Interrupted(Fate::not_sent);
    RunningCall::check_wanted();
  }
}

}  // namespace shinar::wire
