#include "guard.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <thread>

#include "leaders.hpp"

namespace sidl_tool {
namespace {

/** What the guard has been told. */
class Watched {
 public:
  /** A line: what it is about, as a letter, and a number or a name. */
  void take(const std::string& line) {
    const std::string about = line.substr(1);
    const long number = std::atol(about.c_str());
    switch (line[0]) {
      case 'w':
        leaders_.insert(static_cast<pid_t>(number));
        break;
      case 'f':
        leaders_.erase(static_cast<pid_t>(number));
        break;
      case 'g':
        grace_ = Milliseconds(number);
        break;
      case 'r':
        folder_ = about;
        break;
      default:
        break;
    }
  }

  void clean_up() {
    leaders_ = send_to_led(leaders_, SIGTERM);
    const auto end = std::chrono::steady_clock::now() + grace_;
    while (!leaders_.empty() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(Milliseconds(10));
      leaders_ = send_to_led(leaders_, 0);
    }
    send_to_led(leaders_, SIGKILL);
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

 private:
  std::set<pid_t> leaders_;
  Milliseconds grace_{0};
  std::string folder_;
};

[[noreturn]] void watch_until_the_end(int reader) {
  ::setsid();  // signals to the owner's group or session are not for it
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(each, SIG_IGN);
  // Whoever is connected to the owner must see its end.
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, each);
  ::dup2(reader, STDIN_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  // The owner waits for that: what it starts may kill it at once.
  if (::write(STDIN_FILENO, "", 1) != 1) ::_exit(1);
  Watched watched;
  std::string text;
  char bytes[4096];
  while (true) {
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(bytes, static_cast<std::size_t>(count));
    // Lines end with NUL: names of folders may contain anything else.
    for (std::size_t end; (end = text.find('\0')) != std::string::npos; text.erase(0, end + 1)) {
      if (end > 0) watched.take(text.substr(0, end));
    }
  }
  watched.clean_up();
  ::_exit(0);
}

}  // namespace

Guard::Guard() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(std::string("cannot make a socket: ") + std::strerror(errno));
  }
  pid_ = ::fork();
  if (pid_ < 0) {
    const std::string why = std::strerror(errno);
    ::close(ends[0]);
    ::close(ends[1]);
    throw std::runtime_error("cannot start a process: " + why);
  }
  if (pid_ == 0) {
    ::close(ends[1]);
    watch_until_the_end(ends[0]);
  }
  ::close(ends[0]);
  socket_ = ends[1];
  char ready;
  while (::read(socket_, &ready, 1) < 0 && errno == EINTR) continue;
}

Guard::~Guard() {
  ::close(socket_);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void Guard::tell(char what, const std::string& about) const {
  std::string line = what + about;
  line += '\0';
  // If the guard is gone there is nobody to tell.
  while (::send(socket_, line.data(), line.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

void Guard::set_grace(Milliseconds grace) const {
  tell('g', std::to_string(grace.count()));
}

void Guard::remove_at_end(const std::string& folder) const {
  tell('r', folder);
}

void Guard::watch(pid_t leader) const {
  tell('w', std::to_string(leader));
}

void Guard::forget(pid_t leader) const {
  tell('f', std::to_string(leader));
}

}  // namespace sidl_tool
