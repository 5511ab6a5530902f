#include "processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "leaders.hpp"

namespace sidl_tool {
namespace {

constexpr std::size_t longest_line = std::size_t{64} << 10;  ///< longer ones are broken

/** Whether the end of the terminal is not to end the job: nohup has said so. */
bool is_hangup_ignored() {
  struct sigaction now;
  return ::sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : {SIGCHLD, SIGINT, SIGTERM}) sigaddset(&signals, each);
  if (!is_hangup_ignored()) sigaddset(&signals, SIGHUP);
  return signals;
}

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

/** In the child, before it becomes the program; says what went wrong through the pipe. */
[[noreturn]] void become(const Start& what, pid_t launcher, int out, int err, int report) {
  const sigset_t signals = awaited_signals();
  if (what.is_launcher) {
    ::setpgid(0, 0);
  } else {
    ::setsid();
  }
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != launcher) ::_exit(1);  // it was killed before
  ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : what.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& each : what.command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  const bool is_there = what.directory.empty() || ::chdir(what.directory.c_str()) == 0;
  if (is_there) ::execvp(arguments[0], arguments.data());
  const int why = errno;
  const bool is_told = ::write(report, &why, sizeof why) == sizeof why;
  ::_exit(is_told ? 127 : 126);
}

/** False: not all of it, and errno says why. */
bool write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

bool has_lost_lines = false;

/** A pipe that no other child inherits. */
struct Pipe {
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
  }
  ~Pipe() {
    for (const int each : ends) {
      if (each >= 0) ::close(each);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int take_reader() {
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return std::exchange(ends[0], -1);
  }
  void close_writer() { ::close(std::exchange(ends[1], -1)); }

  int ends[2] = {-1, -1};
};

}  // namespace

std::string labelled(const std::string& label, const std::string& lines) {
  std::string text;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
    text += label + ": " + lines.substr(begin, end - begin);
    begin = end;
  }
  return text;
}

void print_labelled(const std::string& label, int to, const std::string& lines) {
  if (write_all(to, labelled(label, lines)) || std::exchange(has_lost_lines, true)) return;
  const std::string where = to == STDOUT_FILENO ? "output" : "errors";
  write_all(STDERR_FILENO, "sidl: cannot write to standard " + where + ": " + std::strerror(errno) +
                               "; what ranks write there is lost\n");
}

bool lines_are_lost() {
  return has_lost_lines;
}

Processes::Processes(Sink sink) : sink_(std::move(sink)) {
  const sigset_t signals = awaited_signals();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  signals_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0) fail("cannot wait for signals");
}

Processes::~Processes() {
  send(SIGKILL);
  for (Child& each : children_) {
    guard_.forget(each.pid);
    ::waitpid(each.pid, nullptr, 0);
    for (const Stream* stream : {&each.out, &each.err}) {
      if (stream->fd >= 0) ::close(stream->fd);
    }
  }
  ::close(signals_);
}

void Processes::start(const Start& what) {
  Pipe out, err, report;
  const pid_t launcher = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) fail("cannot start " + what.label);
  if (pid == 0) become(what, launcher, out.ends[1], err.ends[1], report.ends[1]);
  guard_.watch(pid);
  out.close_writer();
  err.close_writer();
  report.close_writer();
  int why = 0;
  const bool has_failed = ::read(report.ends[0], &why, sizeof why) == sizeof why;
  if (has_failed) {
    guard_.forget(pid);
    ::waitpid(pid, nullptr, 0);
    const std::string place = what.directory.empty() ? "" : "in " + what.directory + ", ";
    const bool is_there = why == ENOENT && ::access(what.command.front().c_str(), F_OK) == 0;
    throw std::runtime_error("cannot start " + what.label + ": " + place + "'" +
                             what.command.front() + "': " + std::strerror(why) +
                             (is_there ? ": the file names an interpreter that is not there" : ""));
  }
  children_.push_back(
      {what, pid, {out.take_reader(), STDOUT_FILENO, ""}, {err.take_reader(), STDERR_FILENO, ""}});
}

bool Processes::read(Child& child, Stream& stream) const {
  char bytes[1 << 14];
  const ssize_t count = ::read(stream.fd, bytes, sizeof bytes);
  if (count < 0) return false;
  if (count == 0) {
    close(child, stream);
    return false;
  }
  stream.line.append(bytes, static_cast<std::size_t>(count));
  const std::size_t end = stream.line.rfind('\n') + 1;  // 0: there is none
  std::string lines = stream.line.substr(0, end);
  stream.line.erase(0, end);
  if (stream.line.size() > longest_line) lines += std::exchange(stream.line, "") + "\n";
  if (!lines.empty()) sink_(child.what, stream.to, lines);
  return true;
}

void Processes::close(Child& child, Stream& stream) const {
  const std::string line = std::exchange(stream.line, "");
  if (!line.empty()) sink_(child.what, stream.to, line + "\n");
  if (stream.fd >= 0) ::close(std::exchange(stream.fd, -1));
}

void Processes::read_signals() {
  struct signalfd_siginfo info;
  while (::read(signals_, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo != SIGCHLD) signal_ = static_cast<int>(info.ssi_signo);
  }
}

/** Those that have, and whose numbers are still theirs. */
std::set<pid_t> Processes::ended_children() const {
  std::set<pid_t> ended;
  for (const Child& child : children_) {
    siginfo_t info = {};
    const auto id = static_cast<id_t>(child.pid);
    ::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == child.pid) ended.insert(child.pid);
  }
  return ended;
}

std::vector<Ended> Processes::reap() {
  const std::set<pid_t> over = ended_children();
  send_to_led(over, SIGKILL);  // what they have started and left behind
  std::vector<Ended> ended;
  std::erase_if(children_, [&](Child& child) {
    if (!over.contains(child.pid)) return false;
    int status = 0;
    guard_.forget(child.pid);  // before the number is free
    ::waitpid(child.pid, &status, 0);
    for (Stream* stream : {&child.out, &child.err}) {
      while (stream->fd >= 0 && read(child, *stream)) continue;
      close(child, *stream);
    }
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    ended.push_back({child.what.program, child.what.label, code, child.what.is_server});
    return true;
  });
  return ended;
}

std::vector<Ended> Processes::wait(Milliseconds time, int also) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (true) {
    std::vector<Ended> ended = reap();
    const auto left =
        std::chrono::duration_cast<Milliseconds>(end - std::chrono::steady_clock::now());
    if (!ended.empty() || signal_ != 0 || left.count() <= 0) return ended;
    std::vector<pollfd> all = {{signals_, POLLIN, 0}, {also, POLLIN, 0}};  // -1 is ignored
    const std::size_t first = all.size();
    std::vector<std::pair<Child*, Stream*>> streams;
    for (Child& child : children_) {
      for (Stream* stream : {&child.out, &child.err}) {
        if (stream->fd < 0) continue;
        all.push_back({stream->fd, POLLIN, 0});
        streams.emplace_back(&child, stream);
      }
    }
    ::poll(all.data(), all.size(), static_cast<int>(left.count()));
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (all[first + i].revents != 0) read(*streams[i].first, *streams[i].second);
    }
    read_signals();
    if (all[1].revents != 0) return reap();
  }
}

bool Processes::has_others_than_servers() const {
  return std::ranges::any_of(children_, [](const Child& each) { return !each.what.is_server; });
}

void Processes::send(int signal) const {
  std::set<pid_t> leaders;
  for (const Child& each : children_) leaders.insert(each.pid);
  send_to_led(leaders, signal);
}

void Processes::send(int signal, const std::string& program) const {
  std::set<pid_t> leaders;
  for (const Child& each : children_) {
    if (each.what.program == program) leaders.insert(each.pid);
  }
  send_to_led(leaders, signal);
}

}  // namespace sidl_tool
