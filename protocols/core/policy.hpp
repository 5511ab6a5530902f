/**
 * What a server's clients may do, by who they are: roles, of which each identity has the first that
 * fits it. Immutable; a server that reads its policy again replaces it as a whole.
 */
#ifndef SHINAR_CORE_POLICY_HPP
#define SHINAR_CORE_POLICY_HPP

#include <cstdint>
#include <memory>
#include <span>
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

  struct Decision {
    bool is_allowed = false;
    std::string pattern{};  ///< the pattern or exception that has decided; empty: none fits
  };
  /** About something that has several names: one must fit, and none may be an exception. */
  Decision decide(std::span<const std::string> names) const;
  Decision decide(const std::string& name) const { return decide(std::span(&name, 1)); }

  /** No exception is meant: whether a pattern has this text. */
  bool has(std::string_view text) const;
  /** As they were written: exceptions last. */
  std::vector<std::string> texts() const;
  bool has_exceptions() const { return !exceptions_.empty(); }
  /** Exceptions leave nothing of any pattern. */
  bool is_for_nothing() const;

 private:
  std::vector<std::string> patterns_;
  std::vector<std::string> exceptions_;
};

/** Stands in Role::who for all that no exception there fits, those included who proved nothing. */
constexpr std::string_view anyone = "anyone";

struct Role {
  std::string name;
  /** "tls:alice", "uid:1000", "munge:*", "anyone": how it was proved, and the name. */
  Patterns who;
  Patterns create;  ///< classes
  Patterns attach;  ///< published names
  Patterns call;    ///< methods: "demo.Board.set"
  Patterns refer;   ///< URLs of other servers that this one may connect to for its objects
  Quota quota;

  bool fits(const Identity& identity) const;
};

/** "tls:alice", or "a client that has proved nothing". */
std::string text_of(const Identity& identity);

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
