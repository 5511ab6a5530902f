#include "forking.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "descriptors.hpp"
#include "object_strands.hpp"
#include "spin.hpp"

namespace shinar::wire {
namespace {

void before_fork() {
  lock_peers_for_fork();
  lock_kept_blocks_for_fork();
}

void in_parent() {
  unlock_kept_blocks_after_fork();
  unlock_peers_after_fork();
}

void in_child() {
  replace_parents_descriptors();
  forget_calls_of_parent();
  ObjectStrands::renew_in_child();
  Chains::renew_in_child();
  in_parent();
}

const bool begun = [] {
  static sidl_fork_handler handler{sidl_fork_protocol, before_fork, in_parent, in_child, nullptr};
  // Initialise lazily made statics now: forked during their initialisation, a child would wait for
  // ever for the thread that was making them.
  before_fork();
  in_parent();
  static_cast<void>(usable_cores());
  ::sidl_at_fork(&handler);
  return true;
}();

}  // namespace

void end_stray_child() noexcept {
  std::fputs(
      "simhandle: a forked child returned from a method that its parent runs for a peer. It has "
      "no caller to return to and exits here; it should call _exit\n",
      stderr);
  ::_exit(EXIT_FAILURE);
}

}  // namespace shinar::wire
