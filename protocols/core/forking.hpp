/**
 * What becomes of calls, connections and servers in a forked child.
 *
 * The child has the handles and the tickets of its parent, but none of its connections and threads
 * (see descriptors.hpp). What leads to those remembers the generation of the process that made it,
 * and is not used in another one, not even to lock it: the thread that held the lock is gone.
 * Where that is said, things are left behind: neither used nor destroyed.
 */
#ifndef SHINAR_CORE_FORKING_HPP
#define SHINAR_CORE_FORKING_HPP

#include <cstdint>
#include <utility>

#include "sidl_process.h"

namespace shinar::wire {

/** The process that made something. */
class Generation {
 public:
  bool is_current() const { return number_ == ::sidl_fork_generation(); }
  /** The thing was made anew in this process. */
  void renew() { number_ = ::sidl_fork_generation(); }

 private:
  std::uint32_t number_ = ::sidl_fork_generation();
};

/** Leaves a thing of the parent's behind: in its place is an empty one. */
template <class T>
void leave_behind(T& thing) {
  static_cast<void>(new T(std::move(thing)));  // never destroyed
  thing = T();
}

/**
 * Ends the child of a fork that came back from a method which its parent runs for a peer: to answer
 * is the parent's business, and there is nothing else that the child could go on with.
 */
[[noreturn]] void end_stray_child() noexcept;

/** How other parts of the core take part in a fork; see forking.cpp. */
void lock_peers_for_fork();
void unlock_peers_after_fork();
void lock_kept_blocks_for_fork();
void unlock_kept_blocks_after_fork();
void forget_calls_of_parent() noexcept;

}  // namespace shinar::wire
#endif
