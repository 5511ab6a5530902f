#include "impl/launched_job.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

#include "core/distribution.hpp"
#include "impl/deadlines.hpp"
#include "impl/serving.hpp"
#include "sidl_rmi_TimeOutException.hxx"

extern char** environ;

namespace shinar::par {
namespace {

namespace fs = std::filesystem;

// How long a thread waits before it asks whether a handler of its language wants it.
constexpr int kGlanceMs = 100;
// Where sidl launch finds its end of the socket.
constexpr int kReport = 3;

// That of this installation, or else the one that the shell would find.
std::string tool() {
  Dl_info self = {};
  ::dladdr(reinterpret_cast<const void*>(&tool), &self);
  std::error_code ignored;
  for (fs::path folder = fs::weakly_canonical(self.dli_fname, ignored).parent_path();
       folder != folder.root_path(); folder = folder.parent_path()) {
    const fs::path found = folder / "bin" / "sidl";
    if (::access(found.c_str(), X_OK) == 0) return found;
  }
  return "sidl";
}

class SpawnSettings {
 public:
  explicit SpawnSettings(int report) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, report, kReport);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t usual;
    ::sigemptyset(&none);
    ::sigemptyset(&usual);
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::sigaddset(&usual, each);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &usual);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// The jobs of this process. A fork of it has copies of the objects, and no jobs: sidl launch waits
// for the last end of its socket to be closed.
class JobsOfProcess {
 public:
  static JobsOfProcess& instance() {
    static JobsOfProcess* const jobs = new JobsOfProcess();  // forks may come at any time
    return *jobs;
  }

  void add(int* report) {
    const std::lock_guard lock(mutex_);
    reports_.insert(report);
  }
  void remove(int* report) {
    const std::lock_guard lock(mutex_);
    reports_.erase(report);
  }

 private:
  JobsOfProcess() {
    ::pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                     [] { instance().forget_all(); });
  }

  void forget_all() {
    for (int* const report : reports_) ::close(std::exchange(*report, -1));
    reports_.clear();
    mutex_.unlock();
  }

  std::mutex mutex_;
  std::set<int*> reports_;
};

}  // namespace

LaunchedJob::LaunchedJob(const std::string& job, const std::vector<std::string>& options)
    : job_(job) {
  std::vector<std::string> words = {tool(), "launch", "--report=" + std::to_string(kReport)};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", job});
  std::vector<char*> arguments;
  for (std::string& each : words) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a socket");
  }
  // Duplicating a descriptor onto itself would leave it to be closed.
  const int given = ::fcntl(ends[1], F_DUPFD_CLOEXEC, kReport + 1);
  ::close(ends[1]);
  report_ = ends[0];
  int why = given < 0 ? errno : 0;
  if (why == 0) {
    const SpawnSettings settings(given);
    why = ::posix_spawnp(&pid_, words[0].c_str(), &settings.actions, &settings.attributes,
                         arguments.data(), environ);
    ::close(given);
  }
  if (why != 0) {
    ::close(report_);
    throw Misfit("cannot start " + words[0] + ": " + std::strerror(why));
  }
  JobsOfProcess::instance().add(&report_);
}

LaunchedJob::~LaunchedJob() {
  if (report_ < 0) return;
  JobsOfProcess::instance().remove(&report_);
  {
    const std::lock_guard lock(mutex_);
    if (pid_ > 0) ::kill(pid_, SIGTERM);
  }
  // All that it reports is taken until it has ended.
  char bytes[4096];
  for (ssize_t count = 1; count > 0 || (count < 0 && errno == EINTR);) {
    count = ::recv(report_, bytes, sizeof bytes, 0);
  }
  const std::lock_guard lock(mutex_);
  reap();
  ::close(report_);
}

void LaunchedJob::check_process() const {
  if (report_ >= 0) return;
  throw Misfit("the job " + job_ + " is of the process that has started it, and this is a fork");
}

bool LaunchedJob::receive() {
  char bytes[4096];
  for (;;) {
    const ssize_t count = ::recv(report_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) return false;
    unread_.append(bytes, static_cast<std::size_t>(count));
    for (std::size_t end; (end = unread_.find('\n')) != std::string::npos;
         unread_.erase(0, end + 1)) {
      take(unread_.substr(0, end));
    }
  }
}

// "servers" and their names, all at the beginning; "serving", a name and its URLs; "ended" and the
// exit status.
void LaunchedJob::take(const std::string& line) {
  std::istringstream words(line);
  std::string what;
  std::string name;
  words >> what;
  if (what == "servers") {
    knows_servers_ = true;
    while (words >> name) urls_[name];
  } else if (what == "serving") {
    words >> name;
    for (std::string url; words >> url;) urls_[name].push_back(url);
  } else if (what == "ended") {
    int status = 0;
    if (words >> status) status_ = status;
  }
}

void LaunchedJob::reap() {
  if (pid_ <= 0) return;
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(pid_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  // Somebody else may have waited for it.
  if (ended == pid_ && !status_) {
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  pid_ = -1;
}

void LaunchedJob::await_report(Clock::time_point until) const {
  throw_if_interrupted("waiting for a job was interrupted");
  if (Clock::now() >= until) {
    ::sidl::protocol::fail<::sidl::rmi::TimeOutException>("the job " + job_ +
                                                          " goes on beyond the deadline");
  }
  struct pollfd readable = {report_, POLLIN, 0};
  ::poll(&readable, 1, kGlanceMs);
}

std::vector<std::string> LaunchedJob::urls(const std::string& program) {
  check_process();
  const Clock::time_point until = deadline_of_thread();
  for (;; await_report(until)) {
    const std::lock_guard lock(mutex_);
    const bool goes_on = receive();
    const auto found = urls_.find(program);
    if (found != urls_.end() && !found->second.empty()) return found->second;
    if (knows_servers_ && found == urls_.end()) {
      throw Misfit("the job " + job_ + " has no server '" + program +
                   "': a program is one if its table says `serve` or `server = true`");
    }
    if (goes_on) continue;
    reap();
    throw Misfit("the job " + job_ + " has ended" +
                 (status_ ? " with status " + std::to_string(*status_) : "") + " before '" +
                 program + "' served");
  }
}

int LaunchedJob::join() {
  check_process();
  const Clock::time_point until = deadline_of_thread();
  for (;; await_report(until)) {
    const std::lock_guard lock(mutex_);
    if (receive()) continue;
    reap();
    if (status_) return *status_;
    throw Misfit("the job " + job_ + " has ended, and how is not known");
  }
}

void LaunchedJob::stop() {
  check_process();
  {
    const std::lock_guard lock(mutex_);
    if (pid_ > 0) ::kill(pid_, SIGTERM);
  }
  join();
}

}  // namespace shinar::par
