/**
 * What a server's clients may do, by who they are: roles, of which each identity has the first that
 * fits it. Immutable; a server that reads its policy again replaces it as a whole.
 */
#ifndef SHINAR_CORE_POLICY_HPP
#define SHINAR_CORE_POLICY_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "identity.hpp"

namespace shinar::wire {

/** How much one identity may use at a time, over all its connections; 0: as much as there is. */
struct Quota {
  std::uint64_t connections = 0;
  std::uint64_t objects = 0;        ///< references that its sessions hold
  std::uint64_t calls_in_work = 0;  ///< further ones wait
  double calls_per_second = 0;      ///< further ones wait
  double bytes_per_second = 0;      ///< received; further ones wait
  unsigned weight = 1;              ///< its share when threads or memory are scarce
};

/** Patterns of names, where "*" stands for any characters, and "!" begins an exception. */
class Patterns {
 public:
  Patterns() = default;
  explicit Patterns(std::vector<std::string> patterns);

  /** True if one fits and no exception does. */
  bool fit(std::string_view name) const;
  /** The pattern or exception that decides about the name; empty: none fits. */
  std::string deciding(std::string_view name) const;

 private:
  std::vector<std::string> patterns_;
  std::vector<std::string> exceptions_;
};

struct Role {
  std::string name;
  /** "tls:alice", "uid:1000", "munge:*", "anyone": how it was proved, and the name. */
  Patterns who;
  Patterns create;  ///< classes
  Patterns attach;  ///< published names
  Patterns call;    ///< methods: "demo.Board.set"
  Patterns refer;   ///< URLs of other servers that this one may connect to for its objects
  Quota quota;
};

class Policy {
 public:
  explicit Policy(std::vector<std::shared_ptr<const Role>> roles) : roles_(std::move(roles)) {}

  /** NULL: none fits, and the identity may do nothing. */
  std::shared_ptr<const Role> role_of(const Identity& identity) const;
  const std::vector<std::shared_ptr<const Role>>& roles() const { return roles_; }

 private:
  std::vector<std::shared_ptr<const Role>> roles_;
};

}  // namespace shinar::wire
#endif
