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
 * When its owner ends, however that happens, it ends the process groups that are left: SIGTERM
 * first, then SIGKILL. Then it removes the folder. It has no open files of the owner's but for a
 * socket, whose end tells it.
 */
class Guard {
 public:
  /** Before the owner has threads. */
  Guard();
  /** Returns when it has cleaned up. */
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /** How long groups have between SIGTERM and SIGKILL. */
  void set_grace(Milliseconds grace) const;
  /** Removes a folder, whose name is absolute, at the end. */
  void remove_at_end(const std::string& folder) const;
  void watch(pid_t group) const;
  /** Before the number of the group can be that of another one. */
  void forget(pid_t group) const;

 private:
  void tell(char what, const std::string& about) const;

  int socket_ = -1;
  pid_t pid_ = -1;
};

}  // namespace sidl_tool
#endif
