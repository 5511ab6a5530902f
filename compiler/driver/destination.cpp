#include "driver/destination.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>

#include "driver/files.hpp"

namespace shinar::driver {
namespace {

constexpr int kMostLinks = 40;  // as many as the kernel follows
constexpr const char* kAccessList = "system.posix_acl_access";

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// "/proc/self/fd/1", the target of /dev/stdout: the content of such a link is not a path, and the
// open file must not be replaced.
bool is_descriptor(const std::string& link) {
  struct statfs status {};
  return ::statfs(folder_of(link).c_str(), &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

std::optional<std::string> link_target(const std::string& link) {
  std::array<char, PATH_MAX> buffer;
  const ssize_t length = ::readlink(link.c_str(), buffer.data(), buffer.size());
  if (length < 0) return std::nullopt;
  const std::string target(buffer.data(), static_cast<std::size_t>(length));
  return target.starts_with('/') ? target : folder_of(link) + "/" + target;
}

int open_to_write(const Destination& destination, int flags) {
  int fd = -1;
  do {
    fd = ::open(destination.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | flags);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

std::string finish(int fd, std::string error) {
  if (::close(fd) != 0 && error.empty()) error = std::strerror(errno);
  return error;
}

}  // namespace

std::string Destination::folder() const {
  return folder_of(path);
}

std::optional<Destination> find_destination(const std::string& path, std::string& error) {
  // stat() comes first: the kernel decides whether a link may be followed.
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  const bool is_open = exists || errno == ENOENT;
  Destination found{path, {}, false};
  for (int links = 0; is_open && links <= kMostLinks; ++links) {
    struct stat at {};
    if (::lstat(found.path.c_str(), &at) != 0 && errno != ENOENT) break;
    if (!S_ISLNK(at.st_mode) || is_descriptor(found.path)) {
      if (exists) found.existing = status;
      const bool is_plain = !exists || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
      found.in_place = !is_plain || S_ISLNK(at.st_mode);
      return found;
    }
    std::optional<std::string> target = link_target(found.path);
    if (!target) break;
    found.path = std::move(*target);
    errno = ELOOP;
  }
  error = std::strerror(errno);
  return std::nullopt;
}

std::string write_in_place(const Destination& destination, std::string_view content) {
  const int fd = open_to_write(destination, O_TRUNC);
  return fd < 0 ? std::strerror(errno) : finish(fd, write_all(fd, content));
}

std::string overwrite(const Destination& destination, std::string_view content) {
  const int fd = open_to_write(destination, 0);
  if (fd < 0) return std::strerror(errno);
  const auto size = static_cast<off_t>(content.size());
  const int number = size == 0 ? 0 : ::posix_fallocate(fd, 0, size);
  if (number != 0) {
    const bool ok = ::ftruncate(fd, destination.existing->st_size) == 0;
    return finish(fd, ok ? std::strerror(number) : std::strerror(errno));
  }
  std::string error = write_all(fd, content);
  if (error.empty() && ::ftruncate(fd, size) != 0) error = std::strerror(errno);
  return finish(fd, error);
}

std::string copy_permissions(const Destination& from, int to) {
  struct stat status {};
  if (::fstat(to, &status) != 0) return std::strerror(errno);
  const struct stat& wanted = *from.existing;
  const bool same_owner = status.st_uid == wanted.st_uid && status.st_gid == wanted.st_gid;
  if (!same_owner && ::fchown(to, wanted.st_uid, wanted.st_gid) != 0) return std::strerror(errno);
  if (::fchmod(to, wanted.st_mode & 07777) != 0) return std::strerror(errno);
  std::array<char, 4096> list;
  const ssize_t size = ::getxattr(from.path.c_str(), kAccessList, list.data(), list.size());
  if (size < 0) return errno == ERANGE ? std::strerror(errno) : "";  // most files have none
  const bool ok = ::fsetxattr(to, kAccessList, list.data(), static_cast<std::size_t>(size), 0) == 0;
  return ok ? "" : std::strerror(errno);
}

}  // namespace shinar::driver
