#include "driver/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

extern char** environ;

namespace shinar::driver {
namespace {

// Owns a file descriptor.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { close(); }

  int get() const { return fd_; }
  void set(int fd) { fd_ = fd; }
  bool is_open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

struct Pipe {
  Fd read;
  Fd write;

  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read.set(ends[0]);
    write.set(ends[1]);
    return true;
  }
};

// Returns 0 or an errno value.
int spawn(const std::string& program, int input, int output, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  // sidlc ignores these signals; its children must not.
  ::sigemptyset(&defaults);
  for (const int each : {SIGPIPE, SIGXFSZ}) ::sigaddset(&defaults, each);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::string name = program;
  std::array<char*, 2> arguments = {name.data(), nullptr};
  const int error =
      ::posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Writes to and reads from the child at the same time: either pipe may fill up first.
void exchange(Fd& to_child, Fd& from_child, std::string_view input, std::string& output) {
  ::fcntl(to_child.get(), F_SETFL, O_NONBLOCK);
  std::array<char, 65536> buffer;
  while (from_child.is_open()) {
    std::array<pollfd, 2> fds = {pollfd{from_child.get(), POLLIN, 0},
                                 pollfd{to_child.get(), POLLOUT, 0}};
    if (::poll(fds.data(), to_child.is_open() ? 2 : 1, -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (to_child.is_open() && fds[1].revents != 0) {
      const ssize_t count = ::write(to_child.get(), input.data(), input.size());
      if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
      // The child need not read all of its input; only its output counts.
      const bool broken = count < 0 && errno != EAGAIN && errno != EINTR;
      if (broken || input.empty()) to_child.close();
    }
    if (fds[0].revents == 0) continue;
    const ssize_t count = ::read(from_child.get(), buffer.data(), buffer.size());
    if (count > 0) output.append(buffer.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) from_child.close();
  }
}

std::string wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return std::strerror(errno);
  }
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "it was killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  }
  const int code = WEXITSTATUS(status);
  return code == 0 ? std::string() : "it exited with status " + std::to_string(code);
}

}  // namespace

ProcessResult run_process(const std::string& program, const std::string& input) {
  Pipe in;
  Pipe out;
  if (!in.open() || !out.open()) return {{}, std::strerror(errno)};
  pid_t child = 0;
  const int error = spawn(program, in.read.get(), out.write.get(), child);
  if (error != 0) return {{}, std::strerror(error)};
  in.read.close();
  out.write.close();
  ProcessResult result;
  exchange(in.write, out.read, input, result.output);
  in.write.close();
  result.error = wait_for(child);
  return result;
}

}  // namespace shinar::driver
