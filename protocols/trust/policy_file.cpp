/**
 * The file of a policy, in TOML, which nobody but its owner may change: docs/policy.md.
 */
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/own_file.hpp"
#include "core/policy_reader.hpp"
#include "policy_roles.hpp"
#include "toml.hpp"

namespace shinar::wire {
namespace {

constexpr std::size_t most_policy_bytes = std::size_t{1} << 20;

class PolicyFile final : public PolicyReader {
 public:
  std::shared_ptr<const Policy> read(const std::string& file) override {
    constexpr const char* what = "the policy";
    const auto bytes = read_own_file(what, file, Others::may_read, most_policy_bytes + 1);
    if (bytes.size() > most_policy_bytes) {
      throw Error(Failure::protocol, of_file(what, file, "has more than a mebibyte"));
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    try {
      return std::make_shared<const Policy>(roles_of(file, parse_toml(text, file)));
    } catch (const toml::parse_error& error) {
      throw Error(Failure::protocol,
                  file + ":" + std::to_string(error.source().begin.line) +
                      ": this is no TOML: " + in_one_line(std::string(error.description())));
    }
  }
};

PolicyFile policy_file;
const AddPolicyReader add_policy_file(policy_file);

}  // namespace
}  // namespace shinar::wire
