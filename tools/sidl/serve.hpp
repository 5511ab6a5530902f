/** `sidl serve`: offers classes and objects to other processes until it is told to stop. */
#ifndef SIDL_TOOL_SERVE_HPP
#define SIDL_TOOL_SERVE_HPP

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sidl_tool {

struct ServeOptions {
  std::vector<std::string> listen;     ///< URLs of one protocol
  std::vector<std::string> libraries;  ///< loaded before classes are looked up
  std::vector<std::string> exports;    ///< pkg.Class[=library]
  std::vector<std::string> published;  ///< name=pkg.Class[=library]
  std::string port_file;
  std::string log_format = "text";
  std::optional<double> lease;  ///< seconds; else the protocol's setting applies
  double drain = 10.0;          ///< seconds
  int threads = 32;
  bool quiet = false;
  bool verbose = false;
  std::string serialize;
  std::string contracts;  ///< see sidl_contracts_configure(); empty: as the environment says
  bool no_inspect = false;
  bool no_shm = false;
  std::string secret_file;  ///< empty: none
  bool munge = false;
};

CLI::App* add_serve(CLI::App& app, ServeOptions& options);

/** Serves; returns the exit status. Throws SIDL and standard exceptions for wrong input. */
int serve(const ServeOptions& options);

}  // namespace sidl_tool
#endif
