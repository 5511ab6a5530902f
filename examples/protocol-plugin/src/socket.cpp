#include "socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sidl_protocol.hxx"
#include "sidl_rmi_BindException.hxx"
#include "sidl_rmi_ConnectException.hxx"
#include "sidl_rmi_MalformedURLException.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"

namespace jsonsock {
namespace {

using sidl::protocol::fail;

const std::string scheme = "jsonsock://";
constexpr std::size_t longest_frame = 1u << 30;
constexpr std::size_t chunk = 1u << 16;
constexpr int deepest_json = 400;  // 64 objects by value, one in the other, are about 200

[[noreturn]] void closed(const std::string& why) {
  fail<sidl::rmi::UnexpectedCloseException>(why, sidl::rmi::RequestFate_mayHaveExecuted);
}

/** A socket that is bound or connected to `path`. */
template <class Exception>
int open(decltype(::connect)* action, const std::string& path) {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  if (path.size() >= sizeof where.sun_path) fail<Exception>("too long for a socket: " + path);
  path.copy(where.sun_path, path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (action(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0) return fd;
  const int err = errno;
  ::close(fd);
  fail<Exception>(path + ": " + std::strerror(err), sidl::rmi::RequestFate_notSent, err);
}

}  // namespace

std::pair<std::string, std::string> split_url(const std::string& url) {
  if (url.rfind(scheme + "/", 0) != 0) {
    fail<sidl::rmi::MalformedURLException>("malformed URL '" + url +
                                           "': jsonsock:///path or jsonsock:///path#object");
  }
  const std::size_t hash = std::min(url.find('#'), url.size());
  return {url.substr(scheme.size(), hash - scheme.size()),
          hash == url.size() ? "" : url.substr(hash + 1)};
}

std::string make_url(const std::string& path, const std::string& object) {
  return scheme + path + (object.empty() ? "" : "#" + object);
}

Socket::~Socket() {
  ::close(fd_);
}

int Socket::listen(const std::string& path) {
  const int fd = open<sidl::rmi::BindException>(&::bind, path);
  ::chmod(path.c_str(), S_IRUSR | S_IWUSR);  // nobody can connect before the next line
  ::listen(fd, SOMAXCONN);
  return fd;
}

int Socket::connect(const std::string& path) {
  return open<sidl::rmi::ConnectException>(&::connect, path);
}

int Socket::accept() const {
  return ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
}

void Socket::shut_down() const {
  ::shutdown(fd_, SHUT_RDWR);
}

void Socket::read(char* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::recv(fd_, to, count, 0);
    if (got == 0) closed("the peer closed the connection");
    if (got < 0 && errno != EINTR) closed(std::strerror(errno));
    to += std::max<ssize_t>(got, 0);
    count -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }
}

json Socket::read() const {
  char head[4];
  read(head, sizeof head);
  std::size_t length = 0;
  for (const char byte : head) length = length << 8 | static_cast<unsigned char>(byte);
  if (length > longest_frame) closed("a frame of " + std::to_string(length) + " bytes");
  std::string text;
  while (text.size() < length) {  // grows by what came, not by what was announced
    const std::size_t before = text.size();
    text.resize(std::min(length, before + chunk));
    read(text.data() + before, text.size() - before);
  }
  return json::parse(text, [](int depth, json::parse_event_t, json&) {
    if (depth > deepest_json) closed("a frame with too much nesting");
    return true;
  });
}

void Socket::write(const json& frame) const {
  std::string bytes = "size" + frame.dump();
  const std::size_t length = bytes.size() - 4;
  if (length > longest_frame) {
    fail<sidl::rmi::ProtocolException>("a message of " + std::to_string(length) + " bytes");
  }
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(length >> (24 - 8 * i));
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t got = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (got < 0 && errno != EINTR) closed(std::strerror(errno));
    if (got > 0) sent += static_cast<std::size_t>(got);
  }
}

}  // namespace jsonsock
