/**
 * Memory of messages.
 *
 * Block is the destination buffer of a bulk segment: 64-byte aligned, filled by recv, later handed
 * to an array that frees it with free_block(). Big blocks return to a small process-wide cache,
 * because fresh pages cost more than the network transfer; of small ones each thread caches two, as
 * an aligned allocation takes hundreds of instructions. A big block is not touched when it is
 * allocated: one requested by a hostile header costs address space, not pages.
 */
#ifndef SHINAR_CORE_MEMORY_HPP
#define SHINAR_CORE_MEMORY_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace shinar::wire {

constexpr std::size_t block_alignment = 64;
/**
 * Blocks from this size on are big. (When glibc frees as much it consolidates all free chunks,
 * strings that a call has freed included, which costs more than the rest of the call.)
 */
constexpr std::size_t recycle_threshold = 65536;

/** Frees what Block::release returned. Any thread. */
void free_block(std::byte* data, std::size_t capacity) noexcept;

/** Empties the cache when memory is short. Any thread. */
void drop_kept_blocks() noexcept;

class Block {
 public:
  Block() = default;
  /** Throws std::bad_alloc. */
  static Block allocate(std::size_t size);
  /** Has no memory: its `size` bytes are in a Landing. */
  static Block elsewhere(std::size_t size) {
    Block block;
    block.size_ = size;
    return block;
  }
  Block(Block&& other) noexcept { swap(other); }
  Block& operator=(Block&& other) noexcept {
    Block(std::move(other)).swap(*this);
    return *this;
  }
  ~Block() {
    if (data_ != nullptr) free_block(data_, capacity_);
  }

  /** NULL: the bytes are in a Landing. */
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /** To be passed to free_block. */
  std::size_t capacity() const { return capacity_; }
  /** The caller owns the memory from now on. */
  std::byte* release() { return std::exchange(data_, nullptr); }

 private:
  void swap(Block& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/**
 * A growable byte buffer, 16-byte aligned. Moving it moves a pointer; a cleared one keeps its
 * memory for the next message if it is small.
 */
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~Buffer() { free(); }

  std::byte* data() { return memory_; }
  const std::byte* data() const { return memory_; }
  std::size_t size() const { return size_; }
  void clear() {
    size_ = 0;
    if (capacity_ > kept_bytes) free();
  }
  void free() {
    if (capacity_ < recycle_threshold) {
      std::free(memory_);
    } else {
      free_block(memory_, capacity_);
    }
    memory_ = nullptr;
    size_ = capacity_ = 0;
  }
  void swap(Buffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  /** Keeps only the first `size` bytes. */
  void shrink(std::size_t size) { size_ = size; }
  /** `count` more bytes fit without growing. */
  bool has_room(std::size_t count) const { return count <= capacity_ - size_; }
  /** Appends `count` uninitialised bytes and returns where they are. Throws std::bad_alloc. */
  std::byte* extend(std::size_t count) {
    if (!has_room(count)) [[unlikely]]
      grow(count);
    std::byte* const place = memory_ + size_;
    size_ += count;
    return place;
  }

 private:
  static constexpr std::size_t first_bytes = 512;
  static constexpr std::size_t kept_bytes = 8192;

  void grow(std::size_t count);
  void move_to_block(std::size_t capacity);

  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/** What several budgets share. Any thread. */
class SharedBudget {
 public:
  virtual ~SharedBudget() = default;
  virtual bool take(std::uint64_t bytes) = 0;
  virtual void give_back(std::uint64_t bytes) = 0;
  /** True if take() would succeed now. */
  virtual bool has(std::uint64_t bytes) const = 0;
  /** What may be taken while nobody else takes any. */
  virtual std::uint64_t most() const = 0;
};

/** Limits the bytes held by the messages of one connection. Shared by reader and messages. */
class Budget {
 public:
  explicit Budget(std::uint64_t limit) : limit_(limit) {}

  /** What it takes is taken of that, too. Before the first is. */
  void share(std::shared_ptr<SharedBudget> shared) { shared_ = std::move(shared); }

  enum class Taken : std::uint8_t { yes, beyond_limit, others_have };
  Taken try_take(std::uint64_t bytes) {
    const std::uint64_t before = used_.fetch_add(bytes, std::memory_order_relaxed);
    const bool is_within = before <= limit_ && bytes <= limit_ - before;
    if (is_within && (shared_ == nullptr || shared_->take(bytes))) return Taken::yes;
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return is_within ? Taken::others_have : Taken::beyond_limit;
  }
  bool take(std::uint64_t bytes) { return try_take(bytes) == Taken::yes; }
  void give_back(std::uint64_t bytes) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    if (shared_ != nullptr) shared_->give_back(bytes);
  }
  /** True if others have left so many bytes. */
  bool is_left_by_others(std::uint64_t bytes) const {
    return shared_ == nullptr || shared_->has(bytes);
  }
  /** What it may ever take. */
  std::uint64_t most() const {
    return shared_ == nullptr ? limit_ : std::min(limit_, shared_->most());
  }
  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> used_{0};
  std::shared_ptr<SharedBudget> shared_;
};

/** A part of a budget, given back when this is destroyed. */
class Share {
 public:
  Share() = default;
  Share(std::shared_ptr<Budget> budget, std::uint64_t bytes)
      : budget_(std::move(budget)), bytes_(bytes) {}
  Share(Share&& other) noexcept
      : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}
  Share& operator=(Share&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Share() { give_back(); }

  void give_back() {
    if (budget_ != nullptr && bytes_ != 0) budget_->give_back(std::exchange(bytes_, 0));
  }

 private:
  std::shared_ptr<Budget> budget_;
  std::uint64_t bytes_ = 0;
};

}  // namespace shinar::wire
#endif
