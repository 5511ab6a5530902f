// Where the ranks of a group that are all on one machine see that a call has gone well on all of
// them, without messages.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace shinar::par {

// Memory that the ranks share. Each has flags of its own there, for each context: which operation
// it has ended last, and which of the last ones went well. A rank that has said that an operation
// went well comes to the next one only when it knows that of all: so no flag is lost on one that is
// slow.
class SharedFlags {
 public:
  // Contexts from 1 to this one have flags.
  static constexpr std::int64_t kMostContexts = 1024;

  // Rank 0. Null if there is no such memory.
  static std::unique_ptr<SharedFlags> create(int ranks, std::uint64_t key);
  // Where other processes of the same user find it.
  std::string place() const;
  // All have found it; nobody else can any more.
  void hide();
  // Null if it is not there, or is not that of this key.
  static std::unique_ptr<SharedFlags> open(const std::string& place, int ranks, std::uint64_t key);
  SharedFlags(const SharedFlags&) = delete;
  SharedFlags& operator=(const SharedFlags&) = delete;
  ~SharedFlags();

  // Of a rank, in a context; all have to have the same digest.
  struct Operation {
    int rank;
    std::int64_t context;
    std::int64_t number;
    std::uint64_t digest;
  };
  // This rank has ended the operation; wakes the others if that is what they wait for.
  void set(const Operation& own, bool is_well);
  enum class Seen {
    Waiting,
    Well,  // on all ranks
    Other  // it went wrong on one, or one has done something else
  };
  // `waits_for`: where it is Waiting, a rank that has not ended the operation.
  Seen look(const Operation& own, int* waits_for = nullptr) const;

  // What others have rung by now; then whoever has looked again may sleep until they ring again, or
  // the time is over.
  std::uint32_t rings() const;
  void sleep(std::uint32_t heard, std::chrono::nanoseconds most) const;
  void ring() const;

 private:
  struct Flag;
  struct Memory;
  SharedFlags(int descriptor, int ranks, std::uint64_t key, bool is_new);
  static std::size_t size_of(int ranks);
  Flag& flag(int rank, std::int64_t context) const;

  int descriptor_;  // -1: hidden
  const int ranks_;
  Memory* memory_ = nullptr;
  std::mutex mutex_;  // flags of this rank are set one at a time
};

}  // namespace shinar::par
