#include "shm_ring.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#if defined(__SANITIZE_THREAD__)
#define SHINAR_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SHINAR_TSAN 1
#endif
#endif
#ifdef SHINAR_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace shinar::wire::shm {
namespace {

/** Who has not used more than this since is not worth a system call. */
constexpr std::size_t kept = std::size_t{8} << 10;

/**
 * ThreadSanitizer does not know that the two mappings of a ring whose ends are in one process are
 * the same memory.
 */
#ifdef SHINAR_TSAN
char ring_of_process;
void note_written() {
  __tsan_release(&ring_of_process);
}
void note_read() {
  __tsan_acquire(&ring_of_process);
}
#else
void note_written() {}
void note_read() {}
#endif

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* most) {
  return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, most,
                   nullptr, 0);
}

}  // namespace

/** Both: who wakes at the futex may leave some of it to whoever watches the descriptor. */
Sleep::Wake Sleep::wake() {
  if (on_futex.load() != 0) end();
  const bool signal = wants_signal.load() != 0 && wants_signal.exchange(0) != 0;
  return signal ? Wake::signal : Wake::nothing;
}

void Sleep::end() {
  if (on_futex.exchange(0) != 0) futex(on_futex, FUTEX_WAKE, 1, nullptr);
}

bool Sleep::wait_on_futex(std::chrono::nanoseconds most) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  timespec time{};
  time.tv_sec = seconds.count();
  time.tv_nsec = (most - seconds).count();
  return futex(on_futex, FUTEX_WAIT, 1, &time) == 0 || errno != EINTR;
}

/** What the peer says is believed if it has read more than before, and no more than there is. */
std::size_t RingWriter::space() {
  const std::uint64_t read = control_->read.load(std::memory_order_acquire);
  if (read - read_ <= end_.load(std::memory_order_relaxed) - read_) read_ = read;
  return bytes_.size() - static_cast<std::size_t>(put_ - read_);
}

std::size_t RingWriter::put(std::span<const std::byte> bytes) {
  const std::size_t capacity = bytes_.size();
  const std::size_t space = this->space();
  if (read_ == put_ && put_ % capacity != 0) {
    read_ = put_ = put_ + (capacity - put_ % capacity);
    end_.store(put_, std::memory_order_relaxed);
    control_->start.store(put_, std::memory_order_relaxed);
  }
  const std::size_t count = std::min(bytes.size(), read_ == put_ ? capacity : space);
  const auto at = static_cast<std::size_t>((put_ + offset_) % capacity);
  const std::size_t first = std::min(count, capacity - at);
  std::memcpy(bytes_.data() + at, bytes.data(), first);
  if (count != first) std::memcpy(bytes_.data(), bytes.data() + first, count - first);
  touched_ = std::max(touched_, static_cast<std::size_t>(put_ % capacity) + count);
  put_ += count;
  return count;
}

Sleep::Wake RingWriter::publish() {
  note_written();
  end_.store(put_, std::memory_order_relaxed);
  control_->end.store(put_);  // before a look at the reader's sleep
  return control_->reader.wake();
}

bool RingWriter::has_space(std::size_t bytes) const {
  const std::uint64_t used = end_.load(std::memory_order_relaxed) - control_->read.load();
  return used <= bytes_.size() - bytes;
}

void RingWriter::trim() {
  if (touched_ <= kept || !is_read()) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes_.data());
  const auto from = (begin + page - 1) / page * page;
  const auto to = reinterpret_cast<std::uintptr_t>(bytes_.data() + bytes_.size()) / page * page;
  // If the system does not, the memory stays.
  static_cast<void>(::madvise(reinterpret_cast<void*>(from), to - from, MADV_REMOVE));
  touched_ = 0;
}

/** Looks for more bytes behind those that are known; false if the peer lies. */
bool RingReader::look() {
  const std::size_t capacity = bytes_.size();
  const std::uint64_t end = control_->end.load(std::memory_order_acquire);
  std::uint64_t read = read_.load(std::memory_order_relaxed);
  if (end == read) return true;
  const std::uint64_t start = control_->start.load(std::memory_order_relaxed);
  if (start - read < capacity && start % capacity == 0) read = start;  // it was empty
  if (end - read > capacity) {
    errno = EPROTO;
    return false;
  }
  read_.store(read, std::memory_order_relaxed);
  end_ = end;
  note_read();
  return true;
}

std::ptrdiff_t RingReader::take(std::span<std::byte> to) {
  std::uint64_t read = read_.load(std::memory_order_relaxed);
  if (read == end_) {
    if (!look()) return -1;
    read = read_.load(std::memory_order_relaxed);
  }
  const std::size_t capacity = bytes_.size();
  const std::size_t count = std::min({to.size(), static_cast<std::size_t>(end_ - read), portion});
  if (count == 0) return 0;
  const auto at = static_cast<std::size_t>((read + offset_) % capacity);
  const std::size_t first = std::min(count, capacity - at);
  std::memcpy(to.data(), bytes_.data() + at, first);
  if (count != first) std::memcpy(to.data() + first, bytes_.data(), count - first);
  read_.store(read + count, std::memory_order_relaxed);
  control_->read.store(read + count);  // before a look at the writer's sleep
  return static_cast<std::ptrdiff_t>(count);
}

Sleep::Wake RingReader::wake_writer() {
  const std::uint64_t used = control_->end.load() - read_.load(std::memory_order_relaxed);
  return used > bytes_.size() / 2 ? Sleep::Wake::nothing : control_->writer.wake();
}

}  // namespace shinar::wire::shm
