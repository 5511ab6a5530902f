#include "own_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "error.hpp"
#include "socket.hpp"

namespace shinar::wire {
namespace {

Error wrong_file(const std::string& what, const std::string& path, const std::string& why) {
  return Error(Failure::protocol, of_file(what, path, why));
}

/** Of the open file: what its name leads to may change at any time. */
void check_owner(const std::string& what, const std::string& path, int file, Others others) {
  struct stat found {};
  if (::fstat(file, &found) != 0) {
    throw wrong_file(what, path, std::string("is ") + std::strerror(errno));
  }
  if (!S_ISREG(found.st_mode)) throw wrong_file(what, path, "is not a regular file");
  if (found.st_uid != ::geteuid() && found.st_uid != 0) {
    throw wrong_file(what, path,
                     "belongs to the user with id " + std::to_string(found.st_uid) +
                         ", who may change it: it must belong to this process's user, or to root");
  }
  const bool may_read = others == Others::may_read;
  const mode_t too_much = may_read ? S_IWGRP | S_IWOTH : S_IRWXG | S_IRWXO;
  if ((found.st_mode & too_much) != 0) {
    const char digits[] = {'0', static_cast<char>('0' + (found.st_mode >> 6 & 7)),
                           static_cast<char>('0' + (found.st_mode >> 3 & 7)),
                           static_cast<char>('0' + (found.st_mode & 7)), '\0'};
    throw wrong_file(what, path,
                     std::string("has mode ") + digits + ", so that others may " +
                         (may_read ? "change it: chmod go-w '" : "use or change it: chmod 600 '") +
                         path + "'");
  }
}

}  // namespace

std::string of_file(const std::string& what, const std::string& path, const std::string& wrong) {
  return what + " '" + path + "' " + wrong;
}

std::vector<unsigned char> read_own_file(const std::string& what, const std::string& path,
                                         Others others, std::size_t most) {
  // Not waiting: it may be a pipe.
  const Socket file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.is_open()) {
    throw wrong_file(what, path, std::string("cannot be opened: ") + std::strerror(errno));
  }
  check_owner(what, path, file.fd(), others);
  std::vector<unsigned char> bytes(most);
  std::size_t size = 0;
  for (ssize_t got = 1; got != 0 && size < bytes.size();) {
    got = ::read(file.fd(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw wrong_file(what, path, std::string("cannot be read: ") + std::strerror(errno));
    }
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace shinar::wire
