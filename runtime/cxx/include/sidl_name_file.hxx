// Files in a folder that hosts share, by which the processes of a job find each other
// (docs/launch.md): whoever reads one finds all of it, or nothing.
#ifndef included_sidl_name_file_hxx
#define included_sidl_name_file_hxx

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace sidl {
namespace job {

namespace detail {

/** Of this host as well: processes of several may write into a folder. */
inline std::string temporary_name(const std::string& path) {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) *host = '\0';
  return path + "." + host + "." + std::to_string(::getpid());
}

inline bool write_whole(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

/** rename() would replace what another process has written; not all file systems have links. */
inline bool move_to_new(const std::string& from, const std::string& to) {
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

/** 0, or why it could not be written: EEXIST if there is such a file. */
inline int error_of_writing(const std::string& path, const std::string& text) {
  const std::string temporary = temporary_name(path);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  const bool is_written = write_whole(fd, text);
  const int why = errno;
  const bool is_closed = ::close(fd) == 0;
  if (is_written && is_closed && move_to_new(temporary, path)) return 0;
  const int then = errno;
  ::unlink(temporary.c_str());
  return is_written ? then : why;
}

[[noreturn]] inline void cannot_write(const std::string& path, int why) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(why));
}

}  // namespace detail

/** Its owner may read it, and nobody else. Throws std::runtime_error, also if there is one. */
inline void write_new_file(const std::string& path, const std::string& text) {
  const int why = detail::error_of_writing(path, text);
  if (why != 0) detail::cannot_write(path, why);
}

/** Empty if there is none yet. */
inline std::string read_new_file(const std::string& path) {
  // Over NFS: opening the folder asks the server whether it has changed, so that a file that was
  // not there the last time is seen as soon as it is.
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const int of_folder =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (of_folder >= 0) ::close(of_folder);
  // Whatever else somebody has put there is waited for in vain, but not in open().
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

/**
 * Says in a file under which URL this rank of a job is served. Throws std::runtime_error if it
 * cannot be written, or has another URL already.
 */
inline void publish_url(const std::string& file, const std::string& url) {
  const int why = detail::error_of_writing(file, url + "\n");
  if (why == 0) return;
  if (why != EEXIST) detail::cannot_write(file + " (SIDL_URL_FILE)", why);
  const std::string text = read_new_file(file);
  const std::string there = text.substr(0, text.find('\n'));
  if (there == url) return;
  throw std::runtime_error("this rank of the job is served already, at " + there + ", as " + file +
                           " says, and not at " + url +
                           ": unset SIDL_URL_FILE for a server of another purpose");
}

}  // namespace job
}  // namespace sidl
#endif
