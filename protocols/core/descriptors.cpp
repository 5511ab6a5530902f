#include "descriptors.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>

namespace shinar::wire {
namespace {

/** Which descriptors are ours: one bit each. Lock-free, because a fork may come at any time. */
class Register {
 public:
  void set(int fd) noexcept {
    if (std::atomic<std::uint64_t>* const word = word_of(fd, true)) word->fetch_or(bit_of(fd));
  }
  void clear(int fd) noexcept {
    if (std::atomic<std::uint64_t>* const word = word_of(fd, false)) word->fetch_and(~bit_of(fd));
  }
  template <class Action>
  void for_each(Action action) noexcept {
    for (std::size_t p = 0; p < pages_.size(); ++p) {
      const Page* const page = pages_[p].load();
      if (page == nullptr) continue;
      for (std::size_t bit = 0; bit < page_bits; ++bit) {
        const auto fd = static_cast<int>(p * page_bits + bit);
        if (((*page)[bit / 64].load() & bit_of(fd)) != 0) action(fd);
      }
    }
  }

 private:
  static constexpr std::size_t page_bits = 4096;
  using Page = std::array<std::atomic<std::uint64_t>, page_bits / 64>;

  static std::uint64_t bit_of(int fd) { return std::uint64_t{1} << (fd % 64); }

  std::atomic<std::uint64_t>* word_of(int fd, bool make) noexcept {
    const auto at = static_cast<std::size_t>(fd);
    if (at / page_bits >= pages_.size()) return nullptr;
    std::atomic<Page*>& place = pages_[at / page_bits];
    Page* page = place.load();
    if (page == nullptr && make) {
      auto* const made = new (std::nothrow) Page{};
      if (made == nullptr || place.compare_exchange_strong(page, made)) {
        page = made;
      } else {
        delete made;  // another thread was faster
      }
    }
    return page == nullptr ? nullptr : &(*page)[at % page_bits / 64];
  }

  std::array<std::atomic<Page*>, 1024> pages_{};
};

constinit Register ours;

/**
 * A socket that reads as end of stream and takes no data; -1 if the process is out of descriptors.
 */
int open_ended() noexcept {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) return -1;
  ::close(pair[1]);
  return pair[0];
}

}  // namespace

int adopt_descriptor(int fd) noexcept {
  constexpr int first = 3;
  if (fd >= 0 && fd < first) {
    const int higher = ::fcntl(fd, F_DUPFD_CLOEXEC, first);
    const int err = errno;
    ::close(fd);
    errno = err;
    fd = higher;
  }
  if (fd >= 0) ours.set(fd);
  return fd;
}

void close_descriptor(int fd) noexcept {
  ours.clear(fd);  // first: the number may be reused at once
  ::close(fd);
}

void replace_parents_descriptors() noexcept {
  int ended = open_ended();
  ours.for_each([&](int fd) {
    if (ended < 0) {
      // Out of descriptors: closing the first frees one. Whatever gets its number belongs to no
      // peer.
      ::close(fd);
      ended = open_ended();
    }
    if (ended >= 0 && ended != fd) ::dup3(ended, fd, O_CLOEXEC);
  });
  if (ended >= 0) ::close(ended);
}

}  // namespace shinar::wire
