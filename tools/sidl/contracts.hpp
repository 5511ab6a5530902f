/**
 * `sidl contracts`: which clauses of the classes in a file would be checked, and what they cost.
 */
#ifndef SIDL_TOOL_CONTRACTS_HPP
#define SIDL_TOOL_CONTRACTS_HPP

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sidl_tool {

struct ContractsOptions {
  std::vector<std::string> files;
  std::vector<std::string> includes;
};

CLI::App* add_contracts(CLI::App& app, ContractsOptions& options);

/** Becomes sidlc, which reads the files; throws if there is none. */
int contracts(const ContractsOptions& options);

}  // namespace sidl_tool
#endif
