// The yardstick of a call through shared memory: two flags, and the doubles copied in and out,
// without a protocol to speak of. Who may use several cores polls; who has one sleeps at a futex.
#pragma once

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "raw_records.hpp"

namespace raw {

constexpr size_t most_doubles = size_t{5} << 20;

/** One direction. */
struct Slot {
  alignas(128) std::atomic<uint32_t> number;  // of the message
  uint64_t count;                             // as Head
  alignas(4096) double values[most_doubles];
};

struct Region {
  Slot to_server, to_client;
};

/** As Connection, of whose other end there is one. */
class Shared {
 public:
  /** Makes the memory if `path` is empty. */
  Shared(const std::string& path, bool is_server, bool sleeps) : sleeps_(sleeps) {
    fd_ = path.empty() ? memfd_create("raw", 0) : open(path.c_str(), O_RDWR);
    if (fd_ < 0 || (path.empty() && ftruncate(fd_, sizeof(Region)))) fail("shared memory");
    void* const at = mmap(nullptr, sizeof(Region), PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (at == MAP_FAILED) fail("mmap");
    auto& region = *static_cast<Region*>(at);
    out_ = is_server ? &region.to_client : &region.to_server;
    in_ = is_server ? &region.to_server : &region.to_client;
    seen_ = in_->number;
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  std::string path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_);
  }

  void send(const double* values, size_t count, uint64_t flags = 0) {
    std::memcpy(out_->values, values, 8 * count);
    out_->count = count | flags;
    out_->number.fetch_add(1);
    if (sleeps_) futex(out_->number, FUTEX_WAKE, 1);
  }

  bool receive(std::vector<double>& values, size_t& count, uint64_t* flags = nullptr) {
    for (int polls = 0; in_->number.load() == seen_; ++polls) {
      if (sleeps_) {
        futex(in_->number, FUTEX_WAIT, seen_);
      } else if (polls > 20000) {
        sched_yield();
      }
    }
    ++seen_;
    const uint64_t head = in_->count;
    count = head & ~all_flags;
    if (flags != nullptr) *flags = head & all_flags;
    if (values.size() < count) values.resize(count);
    std::memcpy(values.data(), in_->values, 8 * count);
    return true;
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
  }
  static void futex(std::atomic<uint32_t>& word, int operation, uint32_t value) {
    syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), operation, value, nullptr, nullptr, 0);
  }

  const bool sleeps_;
  int fd_ = -1;
  Slot* out_ = nullptr;
  Slot* in_ = nullptr;
  uint32_t seen_ = 0;
};

}  // namespace raw
