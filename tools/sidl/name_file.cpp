#include "name_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace sidl_tool {
namespace {

/** Of this host as well: processes of several may write into a folder. */
std::string temporary_name(const std::string& path) {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) *host = '\0';
  return path + "." + host + "." + std::to_string(::getpid());
}

bool write_whole(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

/** rename() would replace what another server has written; not all file systems have links. */
bool move_to_new(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  if (::access(to.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return false;
  }
  return ::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

void write_new_file(const std::string& path, const std::string& text) {
  const std::string temporary = temporary_name(path);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool is_written = fd >= 0 && write_whole(fd, text);
  is_written = fd >= 0 && ::close(fd) == 0 && is_written;
  if (is_written && move_to_new(temporary, path)) return;
  const int why = errno;
  if (fd >= 0) ::unlink(temporary.c_str());
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(why));
}

std::string read_new_file(const std::string& path) {
  // Over NFS: opening the folder asks the server whether it has changed, so that a file that was
  // not there the last time is seen as soon as it is.
  const std::string folder = std::filesystem::path(path).parent_path();
  const int of_folder = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (of_folder >= 0) ::close(of_folder);
  // Whatever else a rank has put there is waited for in vain, but not in open().
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return "";
  std::string text;
  char bytes[4096];
  ssize_t count;
  while ((count = ::read(fd, bytes, sizeof bytes)) > 0) {
    text.append(bytes, static_cast<std::size_t>(count));
  }
  ::close(fd);
  return text;
}

void publish_url(const std::string& url) {
  const char* const file = std::getenv(url_file_variable);
  if (file == nullptr) return;
  const std::string there = read_new_file(file);
  if (!there.empty()) {
    throw std::runtime_error("this rank of the job is served already, at " +
                             there.substr(0, there.find('\n')) + ", as " + file +
                             " says: unset SIDL_URL_FILE for a server of another purpose");
  }
  write_new_file(file, url + "\n");
}

}  // namespace sidl_tool
