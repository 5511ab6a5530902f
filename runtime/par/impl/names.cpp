#include "impl/names.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "core/distribution.hpp"
#include "impl/serving.hpp"
#include "sidl_protocol.hxx"
#include "sidl_rmi_TimeOutException.hxx"

namespace shinar::par {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{5};
constexpr milliseconds kLongestPause{200};

// Empty if it is not there yet: it appears with all that it has.
std::string url_in(const std::string& file) {
  // Whatever else somebody has put there is waited for in vain, but not in open().
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return "";
  char text[4096];
  const ssize_t count = ::read(fd, text, sizeof text);
  ::close(fd);
  const std::string_view whole(text, count > 0 ? static_cast<std::size_t>(count) : 0);
  return std::string(whole.substr(0, whole.find('\n')));
}

// Over NFS, opening the folder asks the server whether it has changed, so that a file that was not
// there the last time is seen as soon as it is.
void look_again(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) ::close(fd);
}

[[noreturn]] void cannot_write(const std::string& file, int why) {
  throw Misfit("cannot write the URL of this rank into " + file +
               " (SIDL_URL_FILE): " + std::strerror(why));
}

// False if there is a file already, which rename() would replace; not all file systems have links.
bool move_to_new(const std::string& from, const std::string& to) {
  bool is_moved = ::link(from.c_str(), to.c_str()) == 0;
  if (!is_moved && errno != EEXIST && ::access(to.c_str(), F_OK) != 0) {
    is_moved = ::rename(from.c_str(), to.c_str()) == 0;
    if (!is_moved) cannot_write(to, errno);
  }
  ::unlink(from.c_str());
  return is_moved;
}

}  // namespace

void publish_url(const std::string& file, const std::string& url) {
  std::string temporary = file + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);  // for its owner only
  if (fd < 0) cannot_write(file, errno);
  const std::string text = url + "\n";
  const bool is_whole = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int why = errno;
  if (::close(fd) != 0 || !is_whole) {
    ::unlink(temporary.c_str());
    cannot_write(file, is_whole ? errno : why);
  }
  if (move_to_new(temporary, file)) return;
  // This process may have published itself before.
  if (const std::string there = url_in(file); there != url) {
    throw Misfit("this rank is served at " + there + " already, as " + file +
                 " (SIDL_URL_FILE) says, and not at " + url);
  }
}

std::vector<std::string> await_urls(const std::string& folder, const std::string& program,
                                    int ranks, std::chrono::steady_clock::time_point until) {
  std::vector<std::string> urls;
  milliseconds pause = kFirstPause;
  while (static_cast<int>(urls.size()) < ranks) {
    const std::string name = program + "." + std::to_string(urls.size());
    const std::string file = folder + "/" + name + ".url";
    if (std::string url = url_in(file); !url.empty()) {
      urls.push_back(std::move(url));
      continue;
    }
    if (std::chrono::steady_clock::now() >= until) {
      ::sidl::protocol::fail<::sidl::rmi::TimeOutException>(
          "rank " + std::to_string(urls.size()) + " of '" + program +
          "' has not come within the time: its URL is not in " + file);
    }
    throw_if_interrupted("waiting for other ranks was interrupted");
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
    look_again(folder);
  }
  return urls;
}

}  // namespace shinar::par
