#include "memory.hpp"

#include <sys/mman.h>

#include <array>
#include <bit>

#include "checked_mutex.hpp"
#include "forking.hpp"
#include "of_thread.hpp"

namespace shinar::wire {
namespace {

/** Free big blocks: newest first, at most cache_bytes in all. */
class BlockCache {
 public:
  static constexpr std::size_t cache_bytes = std::size_t{256} << 20;

  /** A cached block of at least `capacity` bytes and not much more than twice that, or NULL. */
  std::byte* take(std::size_t capacity, std::size_t& found) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = count_; i-- > 0;) {
      if (entries_[i].capacity < capacity || entries_[i].capacity / 2 > capacity) continue;
      const Entry entry = entries_[i];
      remove(i);
      found = entry.capacity;
      return entry.data;
    }
    return nullptr;
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < count_; ++i) ::munmap(entries_[i].data, entries_[i].capacity);
    count_ = bytes_ = 0;
  }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

  /** Keeps the block; true if it did. */
  bool keep(std::byte* data, std::size_t capacity) {
    if (capacity > cache_bytes / 2) return false;
    const std::lock_guard lock(mutex_);
    if (count_ == entries_.size() || bytes_ + capacity > cache_bytes) return false;
    entries_[count_++] = {data, capacity};
    bytes_ += capacity;
    return true;
  }

 private:
  struct Entry {
    std::byte* data;
    std::size_t capacity;
  };

  void remove(std::size_t index) {
    bytes_ -= entries_[index].capacity;
    for (std::size_t i = index + 1; i < count_; ++i) entries_[i - 1] = entries_[i];
    --count_;
  }

  CheckedMutex<"BlockCache"> mutex_;
  std::array<Entry, 64> entries_{};
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

/** Never destroyed: arrays may outlive the static objects of this library. */
BlockCache& cache() {
  static BlockCache* const instance = new BlockCache;
  return *instance;
}

// Let the sanitizer detect use after free.
#if defined __SANITIZE_ADDRESS__
#define SHINAR_FORGETS true
#elif defined __has_feature
#define SHINAR_FORGETS __has_feature(address_sanitizer)
#else
#define SHINAR_FORGETS false
#endif

/**
 * As std::aligned_alloc, what of glibc before 2.38 gives memory that is too small for the next such
 * request when it is free again, so that the heap grows for ever.
 */
std::byte* allocate_aligned(std::size_t size) {
  auto* const memory = static_cast<std::byte*>(std::malloc(size + block_alignment));
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t gap =
      block_alignment - (reinterpret_cast<std::uintptr_t>(memory) & (block_alignment - 1));
  memory[gap - 1] = static_cast<std::byte>(gap);
  return memory + gap;
}

void free_aligned(std::byte* data) noexcept {
  std::free(data - static_cast<std::size_t>(data[-1]));
}

/**
 * A thread's free small blocks: what one call frees, the next one takes. Plain data, because blocks
 * may be freed after the thread's other thread-locals were destroyed.
 */
struct Pocket {
  struct Entry {
    std::byte* data;
    std::size_t capacity;  ///< 0: empty
  };
  Entry newer, older;
  bool is_open, is_closed;

  std::byte* take(std::size_t wanted, std::size_t& capacity) {
    for (Entry* const each : {&newer, &older}) {
      if (each->capacity < wanted || each->capacity / 2 > wanted) continue;
      capacity = std::exchange(each->capacity, 0);
      return each->data;
    }
    return nullptr;
  }
  bool keep(std::byte* data, std::size_t capacity) {
    if (SHINAR_FORGETS || is_closed) return false;
    if (!is_open) open();
    if (newer.capacity != 0) {
      empty(older);
      older = newer;
    }
    newer = {data, capacity};
    return true;
  }

 private:
  static void empty(Entry& entry) {
    if (std::exchange(entry.capacity, 0) != 0) free_aligned(entry.data);
  }
  void open();
  void close() {
    empty(newer);
    empty(older);
    is_closed = true;
  }
};

// Not inlined: each use would look up the thread-local again.
[[gnu::noinline]] Pocket& pocket() {
  constinit static thread_local Pocket mine{};
  return mine;
}

void Pocket::open() {
  at_end_of_thread(this, [](void* self) { static_cast<Pocket*>(self)->close(); });
  is_open = true;
}

/** Rounds up in steps of an eighth, so that similar sizes share blocks. */
std::size_t rounded(std::size_t size) {
  const std::size_t step = std::bit_floor(size) / 8;
  if (size > SIZE_MAX - step) throw std::bad_alloc();
  return (size + step - 1) / step * step;
}

/** Address space for a big block, or NULL. */
std::byte* map(std::size_t capacity) {
  void* const memory = ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace

void drop_kept_blocks() noexcept {
  cache().clear();
}

void lock_kept_blocks_for_fork() {
  cache().lock();
}

void unlock_kept_blocks_after_fork() {
  cache().unlock();
}

Block Block::allocate(std::size_t size) {
  Block block;
  block.size_ = size;
  // free_block knows only the capacity: what is rounded up to the threshold must be a big block.
  if (size < recycle_threshold - block_alignment) {
    const std::size_t small = (size + block_alignment) & ~(block_alignment - 1);
    block.data_ = pocket().take(small, block.capacity_);
    if (block.data_ != nullptr) return block;
    block.capacity_ = small;
    block.data_ = allocate_aligned(small);
    return block;
  }
  const std::size_t capacity = rounded(size);
  block.data_ = cache().take(capacity, block.capacity_);
  if (block.data_ != nullptr) return block;
  block.data_ = map(capacity);
  if (block.data_ == nullptr) {
    drop_kept_blocks();
    block.data_ = map(capacity);
  }
  if (block.data_ == nullptr) throw std::bad_alloc();
  block.capacity_ = capacity;
  return block;
}

void free_block(std::byte* data, std::size_t capacity) noexcept {
  if (capacity < recycle_threshold) {
    if (!pocket().keep(data, capacity)) free_aligned(data);
  } else if (!cache().keep(data, capacity)) {
    ::munmap(data, capacity);
  }
}

void Buffer::grow(std::size_t count) {
  const std::size_t capacity = std::max({first_bytes, capacity_ * 2, size_ + count});
  if (capacity >= recycle_threshold) return move_to_block(capacity);
  void* const memory = std::realloc(memory_, capacity);
  if (memory == nullptr) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  capacity_ = capacity;
}

void Buffer::move_to_block(std::size_t capacity) {
  Block block = Block::allocate(capacity);
  if (size_ != 0) std::memcpy(block.data(), memory_, size_);
  const std::size_t size = size_;
  free();
  size_ = size;
  capacity_ = block.capacity();
  memory_ = block.release();
}

}  // namespace shinar::wire
