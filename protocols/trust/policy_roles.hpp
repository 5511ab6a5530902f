/**
 * From the tables of a policy file to roles. What is wrong there is an error at its line.
 */
#ifndef SHINAR_TRUST_POLICY_ROLES_HPP
#define SHINAR_TRUST_POLICY_ROLES_HPP

#include <memory>
#include <string>
#include <vector>

#include "core/policy.hpp"
#include "toml.hpp"

namespace shinar::wire {

/** Throws Error. */
std::vector<std::shared_ptr<const Role>> roles_of(const std::string& file,
                                                  const toml::table& document);

}  // namespace shinar::wire
#endif
