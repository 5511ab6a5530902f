// Ends a program that waits for ever, with a message about where it waits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

class Watchdog {
 public:
  Watchdog(std::string who, std::chrono::milliseconds limit)
      : who_(std::move(who)), limit_(limit), thread_([this] { watch(); }) {}

  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  ~Watchdog() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  // What begins now has the whole time.
  void begin(std::string what) {
    const std::lock_guard<std::mutex> lock(mutex_);
    what_ = std::move(what);
    ++begun_;
  }

 private:
  void watch() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (long seen = -1; seen != begun_;) {
      seen = begun_;
      if (changed_.wait_for(lock, limit_, [this] { return is_over_; })) return;
    }
    std::fprintf(stderr, "%s: %s has not ended in time\n", who_.c_str(), what_.c_str());
    std::fflush(stderr);
    std::_Exit(1);  // other threads wait, also in MPI, which mpirun tells the other ranks
  }

  std::string who_, what_;
  std::chrono::milliseconds limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  long begun_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};
