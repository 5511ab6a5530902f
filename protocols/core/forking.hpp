/**
 * Calls, connections and servers in a forked child.
 *
 * The child has the handles and tickets of its parent, but none of its connections and threads (see
 * descriptors.hpp). What depends on those records the generation of the process that made it and
 * must not be used in another one, not even locked: the thread that held the lock is gone. What is
 * left behind is neither used nor destroyed.
 */
#ifndef SHINAR_CORE_FORKING_HPP
#define SHINAR_CORE_FORKING_HPP

#include <cstdint>
#include <utility>

#include "sidl_process.h"

namespace shinar::wire {

/** Identifies the process that made something. */
class Generation {
 public:
  bool is_current() const { return number_ == ::sidl_fork_generation(); }
  /** It was made anew in this process. */
  void renew() { number_ = ::sidl_fork_generation(); }

 private:
  std::uint32_t number_ = ::sidl_fork_generation();
};

/** Leaves an object of the parent's behind: replaces it by an empty one without destroying it. */
template <class T>
void leave_behind(T& thing) {
  static_cast<void>(new T(std::move(thing)));  // never destroyed
  thing = T();
}

/**
 * Ends a forked child that returned from a method its parent runs for a peer: only the parent may
 * answer, and the child has nothing else to return to.
 */
[[noreturn]] void end_stray_child() noexcept;

/** Fork handlers of other parts of the core; see forking.cpp. */
void lock_peers_for_fork();
void unlock_peers_after_fork();
void lock_kept_blocks_for_fork();
void unlock_kept_blocks_after_fork();
void forget_calls_of_parent() noexcept;

}  // namespace shinar::wire
#endif
