#include "core/server/permissions.hpp"

#include <mutex>
#include <vector>

#include "core/decoder.hpp"
#include "core/error.hpp"
#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"

namespace shinar::wire {
namespace {

/** Names come from peers. */
std::string shown(const std::string& name) {
  constexpr std::size_t longest = 200;
  return in_one_line(name.size() <= longest ? name : name.substr(0, longest) + "...");
}

}  // namespace

const Permissions::Right Permissions::creating{&Role::create, "create", "create objects of"};
const Permissions::Right Permissions::attaching{&Role::attach, "attach", "attach to"};
const Permissions::Right Permissions::calling{&Role::call, "call", "call"};
const Permissions::Right Permissions::referring{&Role::refer, "refer", "send this server to"};

void Permissions::check_create(std::string_view type) {
  const std::string name(type);
  check(creating, std::span(&name, 1));
}

void Permissions::check_attach(std::string_view object) {
  if (!server_.host.is_published(object)) return;
  const std::string name(object);
  check(attaching, std::span(&name, 1));
}

void Permissions::check_errand(const std::string& url) {
  check(referring, std::span(&url, 1));
}

/** An object may also be called by its published name, without attaching to it before. */
void Permissions::check_call(IncomingCall& call) {
  server_.follow_trust();
  check_attach(Decoder(call.message).get_name());
  if (call.target.get() == nullptr || call.method == nullptr) return;  // an error without them
  const void* const type = server_.host.class_of(call.target.get());
  if (type != nullptr && is_known(call.method, type)) return;
  const std::uint32_t version = connection_.party->policy_version();
  std::vector<std::string> names = server_.host.names_of(call);
  const bool is_for_all = names.empty() && connection_.party->role() != nullptr;
  if (names.empty()) names.push_back(call.method->name);
  if (!is_for_all) check(calling, names);
  if (type == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (version_ == version) permitted_[call.method] = type;
}

/** Forgets what was found by another policy. Under the lock. */
std::shared_ptr<const Role> Permissions::role() {
  const std::uint32_t version = connection_.party->policy_version();
  if (version_ != version) {
    permitted_.clear();
    role_ = connection_.party->role();
    version_ = version;
  }
  return role_;
}

bool Permissions::is_known(const Method* method, const void* type) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(role());
  const auto known = permitted_.find(method);
  return known != permitted_.end() && known->second == type;
}

void Permissions::check(const Right& right, std::span<const std::string> names) {
  server_.follow_trust();
  std::shared_ptr<const Role> role;
  {
    const std::lock_guard lock(mutex_);
    role = this->role();
  }
  Patterns::Decision decision;
  if (role != nullptr) decision = (role.get()->*right.patterns).decide(names);
  if (decision.is_allowed) return;
  std::string why = "that client has no role in the server's policy";
  std::string rule = "no role";
  if (role != nullptr && decision.pattern.empty()) {
    why = "no pattern of '" + std::string(right.name) + "' in role '" + role->name +
          "' of the server's policy fits that";
    rule = "role '" + role->name + "': no pattern";
  } else if (role != nullptr) {
    why = "role '" + role->name + "' of the server's policy has the exception '" +
          decision.pattern + "'";
    rule = "role '" + role->name + "': " + decision.pattern;
  }
  connection_.note_refused(right.name, names.front(), rule);
  throw Error(Failure::not_allowed, text_of(connection_.party->identity) + " may not " +
                                        right.verb + " '" + shown(names.front()) + "': " + why);
}

}  // namespace shinar::wire
