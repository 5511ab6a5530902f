/**
 * Owns an adopted descriptor, usually of a socket; waiting for one.
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

  /**
   * Shuts down both directions: all threads waiting on the socket wake up. The descriptor stays
   * valid.
   */
  void shut_down() const;

  /**
   * How long a call of it waits at most, by SO_RCVTIMEO or SO_SNDTIMEO. If the system does not
   * support it, waits take longer.
   */
  void set_timeout(int option, std::chrono::milliseconds most) const;

 private:
  int fd_ = -1;
};

/**
 * As poll on one descriptor, but handles signals. Throws Interrupted, and Error if a call that the
 * thread runs is given up. The thread must hold no locks.
 */
int wait_for(int fd, short events, std::chrono::steady_clock::time_point until);

}  // namespace shinar::wire
#endif
