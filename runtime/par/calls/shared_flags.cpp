#include "calls/shared_flags.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <ctime>
#include <utility>

namespace shinar::par {
namespace {

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// A flag: the number of an operation; which of the last ones went well, that one first; and some of
// the operation's digest. All of it changes at once.
constexpr int kDigestBits = 20;
constexpr int kHistoryBits = 4;

std::uint64_t lowest(std::uint64_t value, int bits) {
  return value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t number_in(std::uint64_t flag) {
  return static_cast<std::int64_t>(flag >> (kDigestBits + kHistoryBits));
}

std::uint64_t history_in(std::uint64_t flag) {
  return lowest(flag >> kDigestBits, kHistoryBits);
}

std::uint64_t flag_of(std::int64_t number, std::uint64_t history, std::uint64_t digest) {
  return (static_cast<std::uint64_t>(number) << kHistoryBits | lowest(history, kHistoryBits))
             << kDigestBits |
         lowest(digest, kDigestBits);
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* most) {
  return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, most,
                   nullptr, 0);
}

// A file that another process has given this one to open may be anything.
bool is_such_memory(int descriptor, std::size_t size) {
  struct stat about;
  return ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
         about.st_uid == ::geteuid() && static_cast<std::size_t>(about.st_size) == size &&
         (::fcntl(descriptor, F_GET_SEALS) & kSeals) == kSeals;
}

}  // namespace

struct alignas(64) SharedFlags::Flag {
  std::atomic<std::uint64_t> value;
};

struct alignas(64) SharedFlags::Memory {
  std::uint64_t key;
  std::atomic<std::uint32_t> rings;
  std::atomic<std::uint32_t> sleepers;  // more than there are, if some have died
  // Then the flags, by context and rank.
};

std::size_t SharedFlags::size_of(int ranks) {
  return sizeof(Memory) + sizeof(Flag) * static_cast<std::size_t>(ranks) * kMostContexts;
}

std::unique_ptr<SharedFlags> SharedFlags::create(int ranks, std::uint64_t key) {
  const int descriptor = ::memfd_create("sidl.par", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return nullptr;
  std::unique_ptr<SharedFlags> made;
  if (::ftruncate(descriptor, static_cast<off_t>(size_of(ranks))) == 0 &&
      ::fcntl(descriptor, F_ADD_SEALS, kSeals) == 0) {
    made.reset(new SharedFlags(descriptor, ranks, key, true));
  } else {
    ::close(descriptor);
  }
  return made != nullptr && made->memory_ != nullptr ? std::move(made) : nullptr;
}

std::string SharedFlags::place() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_);
}

std::unique_ptr<SharedFlags> SharedFlags::open(const std::string& place, int ranks,
                                               std::uint64_t key) {
  int process = 0;
  int number = 0;
  if (std::sscanf(place.c_str(), "/proc/%d/fd/%d", &process, &number) != 2) return nullptr;
  const int descriptor = ::open(place.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return nullptr;
  if (!is_such_memory(descriptor, size_of(ranks))) {
    ::close(descriptor);
    return nullptr;
  }
  std::unique_ptr<SharedFlags> made(new SharedFlags(descriptor, ranks, key, false));
  const bool is_right = made->memory_ != nullptr && made->memory_->key == key;
  return is_right ? std::move(made) : nullptr;
}

SharedFlags::SharedFlags(int descriptor, int ranks, std::uint64_t key, bool is_new)
    : descriptor_(descriptor), ranks_(ranks) {
  void* const mapped =
      ::mmap(nullptr, size_of(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) return;
  memory_ = static_cast<Memory*>(mapped);  // zeros are what it begins with
  if (is_new) memory_->key = key;
}

SharedFlags::~SharedFlags() {
  if (memory_ != nullptr) ::munmap(memory_, size_of(ranks_));
  hide();
}

void SharedFlags::hide() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

SharedFlags::Flag& SharedFlags::flag(int rank, std::int64_t context) const {
  Flag* const flags = reinterpret_cast<Flag*>(memory_ + 1);
  return flags[static_cast<std::size_t>(context - 1) * static_cast<std::size_t>(ranks_) +
               static_cast<std::size_t>(rank)];
}

void SharedFlags::set(const Operation& own, bool is_well) {
  {
    const std::lock_guard lock(mutex_);
    std::atomic<std::uint64_t>& mine = flag(own.rank, own.context).value;
    const std::int64_t passed = own.number - number_in(mine);
    std::uint64_t history = passed < kHistoryBits ? history_in(mine) << passed : 0;
    history = (history & ~std::uint64_t{1}) | (is_well ? 1 : 0);
    mine = flag_of(own.number, history, own.digest);
  }
  // Of those that come last, at least one sees it.
  if (look(own) != Seen::Waiting) ring();
}

SharedFlags::Seen SharedFlags::look(const Operation& own, int* waits_for) const {
  Seen seen = Seen::Well;
  for (int rank = 0; rank < ranks_; ++rank) {
    const std::uint64_t its = flag(rank, own.context).value;
    const std::int64_t since = number_in(its) - own.number;
    if (since < 0) {
      seen = Seen::Waiting;
      if (waits_for != nullptr) *waits_for = rank;
      continue;
    }
    const bool is_well = since < kHistoryBits && (history_in(its) >> since & 1) != 0;
    // One that has gone on has compared them.
    const bool is_same = since > 0 || lowest(its, kDigestBits) == lowest(own.digest, kDigestBits);
    if (!is_well || !is_same) return Seen::Other;
  }
  return seen;
}

std::uint32_t SharedFlags::rings() const {
  return memory_->rings.load();
}

void SharedFlags::sleep(std::uint32_t heard, std::chrono::nanoseconds most) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  const timespec time{seconds.count(), (most - seconds).count()};
  memory_->sleepers.fetch_add(1);
  futex(memory_->rings, FUTEX_WAIT, heard, &time);
  memory_->sleepers.fetch_sub(1);
}

void SharedFlags::ring() const {
  memory_->rings.fetch_add(1);
  if (memory_->sleepers.load() != 0) futex(memory_->rings, FUTEX_WAKE, INT_MAX, nullptr);
}

}  // namespace shinar::par
