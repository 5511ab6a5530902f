/**
 * The remaining stack of a thread. Nested calls of peers run on the stack of the thread that waits
 * for the peer, so a peer could overflow it, which would crash the process.
 */
#ifndef SHINAR_CORE_STACK_ROOM_HPP
#define SHINAR_CORE_STACK_ROOM_HPP

#include <cstddef>
#include <cstdint>

namespace shinar::wire {

/** The stack of a thread, looked up once. A forked child keeps using that of its parent. */
class StackRoom {
 public:
  static StackRoom& of_this_thread();
  StackRoom();

  /**
   * Bytes left; the largest number on a stack that is not the thread's own, such as a coroutine's.
   */
  std::size_t left() const;
  std::size_t size() const { return size_; }

 private:
  std::uintptr_t lowest_ = 0;
  std::size_t size_ = 0;
};

/**
 * Throws Error if the thread, which runs `depth` nested calls of peers, has too little stack left
 * for another method. Small depths are not checked.
 */
void check_stack(std::uint32_t depth);

/** The same for a method whose arguments and result by value have so many bytes, at any depth. */
void check_stack_of_values(std::size_t bytes);

}  // namespace shinar::wire
#endif
