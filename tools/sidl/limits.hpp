/** The options of `sidl serve` that set the limits of the protocol. */
#ifndef SIDL_TOOL_LIMITS_HPP
#define SIDL_TOOL_LIMITS_HPP

namespace CLI {
class App;
}

namespace sidl_tool {

/**
 * Each option sets the environment variable that protocols read their limit from, so it holds for
 * the calls that the server's objects make, too. Parsed before the first server is made.
 */
void add_limits(CLI::App& command);

}  // namespace sidl_tool
#endif
