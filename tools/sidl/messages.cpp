#include "messages.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <stdexcept>

namespace sidl_tool {
namespace {

constexpr std::size_t head_size = 5;

}  // namespace

std::optional<Message> Inbox::next() {
  if (bytes_.size() < head_size) return {};
  std::size_t length = 0;
  for (std::size_t i = 1; i < head_size; ++i) {
    length = length << 8 | static_cast<unsigned char>(bytes_[i]);
  }
  if (length > most_) throw std::runtime_error("a message is too long");
  if (bytes_.size() < head_size + length) return {};
  Message result{static_cast<Kind>(bytes_[0]), bytes_.substr(head_size, length)};
  bytes_.erase(0, head_size + length);
  return result;
}

bool send_message(int fd, Kind kind, const std::string& content) {
  std::string bytes(1, static_cast<char>(kind));
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(content.size() >> shift & 0xff);
  }
  bytes += content;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

void keep_alive(int fd) {
  const auto set = [fd](int level, int option, int value) {
    ::setsockopt(fd, level, option, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 30);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 15);
  set(IPPROTO_TCP, TCP_KEEPCNT, 6);
  set(IPPROTO_TCP, TCP_NODELAY, 1);
}

std::string packed(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& each : words) result.append(each).push_back('\0');
  return result;
}

std::vector<std::string> words_of(const std::string& content) {
  std::vector<std::string> result;
  for (std::size_t begin = 0, end; begin < content.size(); begin = end + 1) {
    end = content.find('\0', begin);
    if (end == std::string::npos) throw std::runtime_error("a message is incomplete");
    result.push_back(content.substr(begin, end - begin));
  }
  return result;
}

}  // namespace sidl_tool
