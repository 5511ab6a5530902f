/**
 * What the client of one connection may do, by the policy of its server. A refusal is an error that
 * says who may not do what, by which role, and what would allow it; it goes to the audit log.
 */
#ifndef SHINAR_CORE_SERVER_PERMISSIONS_HPP
#define SHINAR_CORE_SERVER_PERMISSIONS_HPP

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/checked_mutex.hpp"
#include "core/policy.hpp"

namespace shinar::wire {

struct IncomingCall;
struct Method;
class ServerConnection;
struct ServerContext;

/** To be asked where the connection's party is ruled. Any thread; all throw Error. */
class Permissions {
 public:
  Permissions(ServerConnection& connection, ServerContext& server)
      : connection_(connection), server_(server) {}

  void check_create(std::string_view type);
  /** `object`: a published name; ids of objects are for whoever knows them. */
  void check_attach(std::string_view object);
  void check_call(IncomingCall& call);
  /** This process is about to connect there because the client has named the place. */
  void check_errand(const std::string& url);

 private:
  /** Where it is allowed in a role, and what that is for people. */
  struct Right {
    Patterns Role::*patterns;
    const char* name;  ///< in the policy's file
    const char* verb;
  };
  static const Right creating, attaching, calling, referring;

  void check(const Right& right, std::span<const std::string> names);
  std::shared_ptr<const Role> role();
  bool is_known(const Method* method, const void* type);

  ServerConnection& connection_;
  ServerContext& server_;
  CheckedMutex<"Permissions"> mutex_;
  std::uint32_t version_ = 0;  ///< of the policy, for what follows
  std::shared_ptr<const Role> role_;
  std::unordered_map<const Method*, const void*> permitted_;  ///< for objects of this class
};

}  // namespace shinar::wire
#endif
