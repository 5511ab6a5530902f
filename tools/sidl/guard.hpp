/**
 * A process that cleans up behind another one, also if that is killed.
 */
#ifndef SIDL_TOOL_GUARD_HPP
#define SIDL_TOOL_GUARD_HPP

#include <sys/types.h>

#include <chrono>
#include <string>

namespace sidl_tool {

using Milliseconds = std::chrono::milliseconds;

/**
 * When its owner ends, however that happens, it ends what is left of the process groups and
 * sessions that it watches: SIGTERM first, then SIGKILL. Then it removes the folder. It has no open
 * files of the owner's but for a socket, whose end tells it.
 */
class Guard {
 public:
  /** Before the owner has threads. */
  Guard();
  /** Returns when it has cleaned up. */
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /** How long processes have between SIGTERM and SIGKILL. */
  void set_grace(Milliseconds grace) const;
  /** Removes a folder, whose name is absolute, at the end. */
  void remove_at_end(const std::string& folder) const;
  /** What this process leads: a group, or a session. */
  void watch(pid_t leader) const;
  /** Before its number can be that of another one. */
  void forget(pid_t leader) const;

 private:
  void tell(char what, const std::string& about) const;

  int socket_ = -1;
  pid_t pid_ = -1;
};

}  // namespace sidl_tool
#endif
