#ifndef SIDL_TOOL_OUTER_JOB_HPP
#define SIDL_TOOL_OUTER_JOB_HPP

namespace sidl_tool {

/**
 * Takes from the environment what says which rank of another job this process is, so that the
 * programs that it starts, and launchers, do not take themselves for that rank.
 */
void forget_outer_job();

}  // namespace sidl_tool
#endif
