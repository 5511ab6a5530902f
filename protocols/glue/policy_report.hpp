/**
 * What the file of a policy says, for people: sidl.rmi.Policies.
 */
#ifndef SHINAR_GLUE_POLICY_REPORT_HPP
#define SHINAR_GLUE_POLICY_REPORT_HPP

#include <string>

namespace shinar::wire {

/** Both in JSON. Throw Error. */
std::string describe_policy(const std::string& file);
std::string ask_policy(const std::string& file, const std::string& who, const std::string& what,
                       const std::string& name);

}  // namespace shinar::wire
#endif
