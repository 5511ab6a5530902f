/**
 * Processes and all that they have started, as long as that has not left their sessions.
 */
#ifndef SIDL_TOOL_LEADERS_HPP
#define SIDL_TOOL_LEADERS_HPP

#include <sys/types.h>

#include <set>

namespace sidl_tool {

/**
 * Sends a signal to the process groups and to the sessions that have these numbers, those of the
 * processes that lead them: to a process that has left the group, as what `timeout` runs has, too.
 * SIGKILL reaches what they start meanwhile as well. Returns the leaders of which something was
 * there. With signal 0 that is all it does.
 */
std::set<pid_t> send_to_led(const std::set<pid_t>& leaders, int signal);

}  // namespace sidl_tool
#endif
