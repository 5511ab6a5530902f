#include "driver/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace shinar::driver {

std::optional<std::string> read_file(const std::string& path, std::string& error) {
  const bool is_stdin = path == "-";
  const int fd = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    error = std::strerror(errno);
    return std::nullopt;
  }
  std::string text;
  struct stat status = {};
  // Reserves all of it at once: a growing string would temporarily need twice the memory.
  const bool is_known = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  if (is_known && status.st_size > 0) {
    text.reserve(std::min(static_cast<std::size_t>(status.st_size), kLargestFile));
  }
  std::array<char, 65536> buffer;
  ssize_t count = 0;
  while ((count = ::read(fd, buffer.data(), buffer.size())) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > kLargestFile) break;
  }
  if (count < 0) error = std::strerror(errno);
  if (!is_stdin) ::close(fd);
  if (count > 0) error = "it is larger than " + std::to_string(kLargestFile >> 20U) + " MiB";
  if (count != 0) return std::nullopt;
  return text;
}

std::string write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::strerror(errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace shinar::driver
