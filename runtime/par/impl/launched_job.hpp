// A job of `sidl launch` that this process has started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace shinar::par {

// Of the process that has made it: in a fork of that, a copy does nothing, and methods throw.
class LaunchedJob {
 public:
  // The job's file, and options of `sidl launch`.
  LaunchedJob(const std::string& job, const std::vector<std::string>& options);
  ~LaunchedJob();
  LaunchedJob(const LaunchedJob&) = delete;
  LaunchedJob& operator=(const LaunchedJob&) = delete;

  // Waits until all ranks of the program serve; throws if the job has ended before.
  std::vector<std::string> urls(const std::string& program);
  // Waits until the job has ended; the exit status of `sidl launch`.
  int join();
  // Tells all to end, and waits for that.
  void stop();

 private:
  void check_process() const;
  // Takes what the job has reported, which may be nothing; false: no more comes. With the lock.
  bool receive();
  void take(const std::string& line);
  // Waits a moment for a report; throws if the thread's deadline is over, or a signal handler of
  // the language wants it.
  void await_report(std::chrono::steady_clock::time_point until) const;
  // The job has ended. With the lock.
  void reap();

  const std::string job_;
  int report_ = -1;  // a socket; sidl launch ends when it is closed; -1: this process is a fork

  std::mutex mutex_;  // guards the following
  pid_t pid_ = -1;    // of sidl launch; -1: it has been waited for
  std::string unread_;
  std::map<std::string, std::vector<std::string>>
      urls_;  // of servers; empty: they do not serve yet
  bool knows_servers_ = false;
  std::optional<int> status_;
};

}  // namespace shinar::par
