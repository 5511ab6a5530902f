/**
 * What is left of a thread's stack. Calls of peers that nest run on the stack of the thread that
 * waits for the peer, so a peer could make it overflow, which ends the process.
 */
#ifndef SHINAR_CORE_STACK_ROOM_HPP
#define SHINAR_CORE_STACK_ROOM_HPP

#include <cstddef>
#include <cstdint>

namespace shinar::wire {

/** The stack of a thread, which it has looked up once. A child of fork() has that of its parent. */
class StackRoom {
 public:
  static StackRoom& of_this_thread();
  StackRoom();

  /** Bytes; the largest number on a stack that is not the thread's own, as those of coroutines. */
  std::size_t left() const;
  std::size_t size() const { return size_; }

 private:
  std::uintptr_t lowest_ = 0;
  std::size_t size_ = 0;
};

/**
 * Throws Error if the thread, which is in `depth` calls of peers, has too little stack left for one
 * more method. Shallow ones are not looked at.
 */
void check_stack(std::uint32_t depth);

}  // namespace shinar::wire
#endif
