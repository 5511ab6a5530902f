/**
 * A descriptor that is ours, of a socket as a rule, and waiting for one.
 */
#ifndef SHINAR_CORE_SOCKET_HPP
#define SHINAR_CORE_SOCKET_HPP

#include <chrono>
#include <utility>

#include "descriptors.hpp"

namespace shinar::wire {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(adopt_descriptor(fd)) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

  /** Ends both directions: whoever waits on the socket wakes up. The descriptor stays valid. */
  void shut_down() const;

 private:
  int fd_ = -1;
};

/**
 * As poll on one descriptor, with nothing left to do for a signal. Throws Interrupted, and Error
 * if the call of a peer in whose course the thread waits is given up. The thread holds no locks.
 */
int wait_for(int fd, short events, std::chrono::steady_clock::time_point until);

}  // namespace shinar::wire
#endif
