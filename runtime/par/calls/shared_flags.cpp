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
#include <optional>
#include <utility>

namespace shinar::par {
namespace {

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// Of as many operations a flag has how they went: a rank that was stopped may be far behind.
constexpr int kHistoryBits = 64;
// How often a flag is read again that its rank changes meanwhile; then it is as before.
constexpr int kMostReads = 100;

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

// What a rank says of its last operation. It changes while others read it, or their process dies in
// the middle: so it has a version, which is odd meanwhile.
struct alignas(64) SharedFlags::Flag {
  std::atomic<std::uint64_t> version;
  std::atomic<std::int64_t> number;
  std::atomic<std::uint64_t>
      history;  // which of the last ones went well, that one in the first bit
  std::atomic<std::uint64_t> digest;

  struct Content {
    std::int64_t number;
    std::uint64_t history;
    std::uint64_t digest;
  };
  void set(const Content& content) {
    ++version;
    number = content.number;
    history = content.history;
    digest = content.digest;
    ++version;
  }
  // Nothing yet: it changes.
  std::optional<Content> content() const {
    for (int i = 0; i < kMostReads; ++i) {
      const std::uint64_t before = version;
      const Content found{number, history, digest};
      if (before % 2 == 0 && version == before) return found;
    }
    return std::nullopt;
  }
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
    Flag& mine = flag(own.rank, own.context);
    const std::int64_t passed = own.number - mine.number;
    std::uint64_t history = passed < kHistoryBits ? mine.history << passed : 0;
    history = (history & ~std::uint64_t{1}) | (is_well ? 1 : 0);
    mine.set({own.number, history, own.digest});
  }
  // Of those that come last, at least one sees it.
  if (look(own) != Seen::Waiting) ring();
}

SharedFlags::Seen SharedFlags::look(const Operation& own, int* waits_for) const {
  Seen seen = Seen::Well;
  for (int rank = 0; rank < ranks_; ++rank) {
    const std::optional<Flag::Content> its = flag(rank, own.context).content();
    const std::int64_t since = its ? its->number - own.number : -1;
    if (since < 0) {
      seen = Seen::Waiting;
      if (waits_for != nullptr) *waits_for = rank;
      continue;
    }
    const bool is_well = since < kHistoryBits && (its->history >> since & 1) != 0;
    // One that has gone on has compared them.
    const bool is_same = since > 0 || its->digest == own.digest;
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
