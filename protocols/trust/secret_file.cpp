#include "secret_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace shinar::wire {
namespace {

/** Newlines at the end that are no part of a secret. */
constexpr std::size_t most_newlines = 64;

class OpenFile {
 public:
  explicit OpenFile(int opened) : fd(opened) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
  const int fd;
};

Error wrong(const std::string& path, const std::string& what) {
  return Error(Failure::protocol, "the secret file '" + path + "' " + what);
}

/** Of the open file: what its name leads to may change at any time. */
void check_owner(const std::string& path, int file) {
  struct stat found {};
  if (::fstat(file, &found) != 0) throw wrong(path, std::string("is ") + std::strerror(errno));
  if (!S_ISREG(found.st_mode)) throw wrong(path, "is not a regular file");
  if (found.st_uid != ::geteuid() && found.st_uid != 0) {
    throw wrong(path, "belongs to the user with id " + std::to_string(found.st_uid) +
                          ", who may change it: it must belong to this process's user, or to root");
  }
  if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    const char digits[] = {'0', static_cast<char>('0' + (found.st_mode >> 6 & 7)),
                           static_cast<char>('0' + (found.st_mode >> 3 & 7)),
                           static_cast<char>('0' + (found.st_mode & 7)), '\0'};
    throw wrong(path, std::string("has mode ") + digits +
                          ", so that others may use or change it: chmod 600 '" + path + "'");
  }
}

}  // namespace

std::vector<unsigned char> read_secret(const std::string& path) {
  if (path.empty()) {
    throw Error(Failure::protocol, "SIDL_SECRET_FILE is set, but names no file");
  }
  // Not waiting: it may be a pipe.
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (file.fd < 0) throw wrong(path, std::string("cannot be opened: ") + std::strerror(errno));
  check_owner(path, file.fd);
  std::vector<unsigned char> secret(most_secret_bytes + most_newlines);
  std::size_t size = 0;
  for (ssize_t got = 1; got != 0 && size < secret.size();) {
    got = ::read(file.fd, secret.data() + size, secret.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw wrong(path, std::string("cannot be read: ") + std::strerror(errno));
    size += static_cast<std::size_t>(got);
  }
  while (size != 0 && (secret[size - 1] == '\n' || secret[size - 1] == '\r')) --size;
  secret.resize(size);
  if (size < least_secret_bytes) {
    throw wrong(path, "has " + std::to_string(size) + " bytes, at least " +
                          std::to_string(least_secret_bytes) +
                          " are needed, which nobody can guess: head -c 32 /dev/urandom | base64");
  }
  if (size > most_secret_bytes) {
    throw wrong(path, "has more than " + std::to_string(most_secret_bytes) + " bytes");
  }
  return secret;
}

}  // namespace shinar::wire
