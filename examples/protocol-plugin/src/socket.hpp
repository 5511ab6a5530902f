/**
 * Unix-domain sockets and the frames on them: a length (4 bytes, big-endian), then as many bytes of
 * JSON. Failures are SIDL exceptions.
 */
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace jsonsock {

using nlohmann::json;

/** "jsonsock:///tmp/x.sock#id": the path of a socket, and the id of an object there or "". */
std::pair<std::string, std::string> split_url(const std::string& url);
std::string make_url(const std::string& path, const std::string& object);

/** Closed at the end, shut down from any thread. */
class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  Socket(const Socket&) = delete;
  ~Socket();

  static int listen(const std::string& path);
  static int connect(const std::string& path);
  /** The next client; -1 once the socket is shut down. */
  int accept() const;
  void shut_down() const;

  /** One thread at a time may read, and one write. */
  json read() const;
  void write(const json& frame) const;

 private:
  void read(char* to, std::size_t count) const;

  int fd_;
};

}  // namespace jsonsock
