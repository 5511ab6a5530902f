// The yardstick of a remote call: blocking TCP without a protocol to speak of. A message is a head
// of eight bytes and its doubles; small ones cost one system call to send and one to receive.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <vector>

#include "raw_records.hpp"

namespace raw {

struct Head {
  uint64_t count;  // doubles that follow, plus flags (raw_records.hpp)
};

class Connection {
 public:
  explicit Connection(int socket) : socket_(socket), buffer_(16384) {
    const int one = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(socket_); }

  void send(const double* values, size_t count, uint64_t flags = 0) {
    Head head{count | flags};
    iovec parts[2] = {{&head, sizeof head}, {const_cast<double*>(values), 8 * count}};
    iovec* next = parts;
    int left = count ? 2 : 1;
    while (left > 0) {
      const ssize_t sent = writev(socket_, next, left);
      if (sent < 0) fail("writev");
      size_t skip = static_cast<size_t>(sent);
      for (; left > 0 && skip >= next->iov_len; ++next, --left) skip -= next->iov_len;
      if (left > 0) {
        next->iov_base = static_cast<char*>(next->iov_base) + skip;
        next->iov_len -= skip;
      }
    }
  }

  // Receives a message into `values`, which grows if need be; false at the end of the stream.
  bool receive(std::vector<double>& values, size_t& count, uint64_t* flags = nullptr) {
    Head head;
    if (!read(&head, sizeof head)) return false;
    count = head.count & ~all_flags;
    if (flags != nullptr) *flags = head.count & all_flags;
    if (values.size() < count) values.resize(count);
    return read(values.data(), 8 * count);
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
  }

  bool read(void* to, size_t size) {
    char* out = static_cast<char*>(to);
    while (size > 0) {
      if (begin_ == end_ && size >= buffer_.size()) {  // bulk: straight to where it belongs
        const ssize_t got = recv(socket_, out, size, 0);
        if (got < 0) fail("recv");
        if (got == 0) return false;
        out += got;
        size -= static_cast<size_t>(got);
        continue;
      }
      if (begin_ == end_) {
        const ssize_t got = recv(socket_, buffer_.data(), buffer_.size(), 0);
        if (got < 0) fail("recv");
        if (got == 0) return false;
        begin_ = 0;
        end_ = static_cast<size_t>(got);
      }
      const size_t part = std::min(size, end_ - begin_);
      std::memcpy(out, buffer_.data() + begin_, part);
      begin_ += part;
      out += part;
      size -= part;
    }
    return true;
  }

  int socket_;
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

inline sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// A socket connected to the raw server.
inline int connect_to(uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  if (fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address)) {
    throw std::system_error(errno, std::generic_category(), "the raw server cannot be reached");
  }
  return fd;
}

}  // namespace raw
