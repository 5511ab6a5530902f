/** The options of `sidl serve` that set the limits of the protocol. */
#ifndef SIDL_TOOL_LIMITS_HPP
#define SIDL_TOOL_LIMITS_HPP

namespace CLI {
class App;
}

namespace sidl_tool {

/**
 * Each option sets the environment variable from which protocols read the limit, so it also applies
 * to calls made by the server's objects. Must be parsed before the first server is made.
 */
void add_limits(CLI::App& command);

}  // namespace sidl_tool
#endif
