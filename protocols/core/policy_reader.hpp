/**
 * Reads the file of a policy: a plug-in, libsidlx_policy.so, as the format needs a package that the
 * core does not.
 */
#ifndef SHINAR_CORE_POLICY_READER_HPP
#define SHINAR_CORE_POLICY_READER_HPP

#include <memory>
#include <string>

#include "policy.hpp"

namespace shinar::wire {

class PolicyReader {
 public:
  virtual ~PolicyReader() = default;
  /** Throws Error, which names the file, the line, and what to do. */
  virtual std::shared_ptr<const Policy> read(const std::string& file) = 0;
};

/** Registers one for good; both must have static storage duration. */
class AddPolicyReader {
 public:
  explicit AddPolicyReader(PolicyReader& reader, const char* release = SHINAR_TRANSPORT_RELEASE);
  AddPolicyReader(const AddPolicyReader&) = delete;
  AddPolicyReader& operator=(const AddPolicyReader&) = delete;
};

/** The policy that the process names (sidl_trust_policy); NULL: none. Throws Error. */
std::shared_ptr<const Policy> policy_of_process();

/** Loads the library if that is not done yet. Throws Error. */
std::shared_ptr<const Policy> read_policy(const std::string& file);

}  // namespace shinar::wire
#endif
