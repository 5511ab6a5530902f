/** `sidl call`: calls a method of a remote object, without generated code. */
#ifndef SIDL_TOOL_CALL_HPP
#define SIDL_TOOL_CALL_HPP

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sidl_tool {

struct CallOptions {
  std::string url;
  std::string create;  ///< class of an object to create; empty: the URL names the object
  std::vector<std::string> libraries;  ///< loaded first
  double timeout = 0;                  ///< seconds, 0: none
  bool compact = false;
  bool hold = false;
  std::vector<std::string> words;  ///< the method and its arguments
};

CLI::App* add_call(CLI::App& app, CallOptions& options);

/** Exit status 0, or 1 after an exception of the call. Throws UsageError for wrong input. */
int call(const CallOptions& options);

}  // namespace sidl_tool
#endif
