#include "leaders.hpp"

#include <dirent.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstring>
#include <map>

namespace sidl_tool {
namespace {

/** The processes of sessions, with the numbers of these. There is no call that signals a session.
 */
std::map<pid_t, pid_t> processes_of_sessions(const std::set<pid_t>& sessions) {
  std::map<pid_t, pid_t> found;
  DIR* const all = ::opendir("/proc");
  if (all == nullptr) return found;
  while (const struct dirent* const entry = ::readdir(all)) {
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    pid_t process = 0;
    const auto [rest, error] = std::from_chars(entry->d_name, end, process);
    if (error != std::errc() || rest != end) continue;  // no process
    const pid_t session = ::getsid(process);
    if (sessions.contains(session)) found.emplace(process, session);
  }
  ::closedir(all);
  return found;
}

}  // namespace

std::set<pid_t> send_to_led(const std::set<pid_t>& leaders, int signal) {
  std::set<pid_t> there;
  if (leaders.empty()) return there;
  std::set<pid_t> reached;
  bool is_complete = false;
  while (!is_complete) {
    is_complete = true;
    // Before the groups are told: a handler may start something that is none of this.
    const std::map<pid_t, pid_t> found = processes_of_sessions(leaders);
    for (const pid_t leader : leaders) {
      if (::kill(-leader, signal) == 0) there.insert(leader);
    }
    for (const auto& [process, leader] : found) {
      if (!reached.insert(process).second) continue;
      there.insert(leader);
      if (::getpgid(process) != leader && ::getsid(process) == leader) ::kill(process, signal);
      // Who has been killed starts nothing any more, but may have just before.
      is_complete = signal != SIGKILL;
    }
  }
  return there;
}

}  // namespace sidl_tool
