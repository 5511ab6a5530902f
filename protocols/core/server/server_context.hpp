/**
 * What the connections of a server share: its objects, reference counts and threads.
 */
#ifndef SHINAR_CORE_SERVER_SERVER_CONTEXT_HPP
#define SHINAR_CORE_SERVER_SERVER_CONTEXT_HPP

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/audit.hpp"
#include "core/authentication.hpp"
#include "core/host.hpp"
#include "core/ledger.hpp"
#include "core/limits.hpp"
#include "core/party.hpp"
#include "core/peer_log.hpp"
#include "core/server/calls_in_line.hpp"
#include "core/server/calls_in_work.hpp"
#include "core/server/connection_list.hpp"
#include "core/server/lingering_close.hpp"
#include "core/server/required_proof.hpp"
#include "core/server/task_queue.hpp"
#include "core/server/write_poll.hpp"
#include "core/tenant.hpp"
#include "core/total_memory.hpp"
#include "core/url.hpp"
#include "core/worker_pool.hpp"
#include "sidl_trust.h"

namespace shinar::wire {

struct ServerOptions {
  Endpoint listen{"127.0.0.1", 0};
  Limits limits = Limits::from_environment();
  unsigned threads = 32;  ///< most workers for calls of one tenant
  /** Beside these, so that nobody takes all; standard: half as many; 0: first come, first served.
   */
  std::optional<unsigned> spare_threads{};
  /** Reads what clients may do; asked again when the process's trust changes. NULL: everything. */
  std::function<std::shared_ptr<const Policy>()> policy{};
  std::string audit_file{};  ///< see Audit
  /** What clients have to prove, and this server to them; NULL: nothing. */
  std::shared_ptr<const Authenticator> authenticator{};
  /**
   * Where that is what the process is set to, and shall follow it: the generation of the files that
   * it was made for.
   */
  std::optional<std::uint32_t> followed_since{};
};

struct ServerCounters {
  std::atomic<std::uint64_t> accepted{0}, refused{0}, calls{0}, errors{0};
  std::atomic<std::uint64_t> bytes_received{0}, bytes_sent{0};  ///< of calls and their answers
};

/** So many connections, or what the process's descriptors leave for them. */
std::size_t connections_within_descriptors(std::size_t connections);

struct ServerContext {
  /** `watch`: its chores are run by the pool's watch thread. */
  ServerContext(Host& its_host, ServerOptions its_options, WorkerPool::Owner& watch)
      : host(its_host),
        options(std::move(its_options)),
        required(options.authenticator, options.followed_since),
        ledger(host, options.limits.session_references),
        lease_ms(options.limits.lease_ms),
        most_connections(connections_within_descriptors(options.limits.connections)),
        writes(pool),
        lingering(pool),
        disposal(pool),
        tasks(pool),
        pool(watch, options.threads, options.spare_threads) {}

  Host& host;
  const ServerOptions options;
  RequiredProof required;
  const Id128 id = random_id();
  Ledger ledger;
  Parties parties;
  /** All who have not finished the handshake. */
  const std::shared_ptr<Tenant> strangers = std::make_shared<Tenant>();
  /** Of all connections and their messages. */
  const std::shared_ptr<MessageMemory> memory =
      std::make_shared<MessageMemory>(total_memory(options.limits.total_memory_bytes));
  Audit audit{options.audit_file, &ServerContext::warn};
  PeerLog log{[this](const std::string& line) { host.log(line); }};  ///< of what clients do
  ServerCounters counters;
  std::atomic<std::uint32_t> lease_ms;
  /** Hard limit of calls in work per connection. */
  const std::uint64_t most_taken =
      std::uint64_t{options.limits.calls_in_work} * calls_in_work_while_waiting;
  /** As its descriptors allow. */
  const std::size_t most_connections;
  std::string doors;  ///< URLs, a line each; constant once it has started
  CallsInWork calls;
  CallsInLine calls_in_line;
  std::atomic<int> waiting{0};  ///< threads that wait for clients
  std::atomic<int> held{0};     ///< connections that wait for their tenants' shares

  /** The session's back channel, made by its first connection; `peer` is the client's address. */
  BackChannel& way_back(const std::shared_ptr<Session>& session, const std::string& peer);
  /** Throws Error if there is to be a policy, and that is no good. */
  void begin_trust();
  /** If files are to be read again (sidl_trust.h): the policy, and the name of the audit log. */
  void follow_trust() {
    if (::sidl_trust_generation() != trust_.load(std::memory_order_relaxed)) renew_trust();
  }
  /** False if connections of the session have proved to be somebody else's. */
  bool belongs_to(Session& session, const Identity& identity);

  ConnectionList connections;
  WritePoll writes;
  LingeringClose lingering;
  Disposal disposal;
  TaskQueue tasks;
  WorkerPool pool;  ///< last: its threads end before anything else is destroyed

 private:
  static void warn(const std::string& line);
  void renew_trust();

  CheckedMutex<"ServerContext"> mutex_;
  CheckedMutex<"Trust"> trust_mutex_;  ///< held while files are read: nothing is decided meanwhile
  std::atomic<std::uint32_t> trust_{0};  ///< generation of what is in force
  bool has_policy_ = false;
};

}  // namespace shinar::wire
#endif
