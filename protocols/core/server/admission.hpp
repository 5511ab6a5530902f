/**
 * Whether a connection of a server is read, and its calls begin: both wait while its tenant has its
 * share of threads or memory, or its party what the quota allows. Whoever waits for the quota is
 * let on in the order in which they came, each for one call or message (a turn), and nobody who
 * comes later begins before them. A turn is a place among the party's calls in work: until the call
 * begins it is this object's.
 *
 * Functions are called by the connection's reader unless they say otherwise.
 */
#ifndef SHINAR_CORE_SERVER_ADMISSION_HPP
#define SHINAR_CORE_SERVER_ADMISSION_HPP

#include <atomic>
#include <cstdint>

#include "core/party.hpp"
#include "core/quota_place.hpp"

namespace shinar::wire {

class ServerConnection;
struct ServerContext;

class Admission {
 public:
  Admission(ServerConnection& connection, ServerContext& server);

  /** Finds out whether a quota limits what the client may do: `party`, the connection's. */
  void look_at_quota(const Party& party) { is_limited_ = party.is_limited(); }
  /** As of the last look. */
  bool is_limited() const { return is_limited_; }

  /** True if nothing may begin now. */
  bool must_wait();
  /** Nothing prevents it any more. Any thread may ask. */
  bool may_go_on() const;
  /** Where a connection waits: where it does already, or else at the end, or before all others. */
  enum class Line : std::uint8_t { same, of_tenant, of_party, before_party };
  /** It waits from now on, and gives its turn back. Without locks. */
  Line stop();
  /**
   * After that, when it is not read any more: it may be let on from here. Somebody else may be its
   * reader by now.
   */
  void enter(Line line);
  /** It waits no longer. */
  void go_on();
  /** It waits in a line. Any thread. */
  bool is_in_line() const { return quota_ == Quota::waits || waits_for_share_; }
  /** See Held. Any thread. */
  bool let_on(bool has_place);

  /** A call begins: its place, empty if there is none. */
  QuotaPlace take_place();
  /** What it had its turn for is done: the next one's begins. Without locks. */
  void end_turn() {
    if (quota_.load(std::memory_order_relaxed) == Quota::turn) [[unlikely]]
      pass_turn_on();
  }
  /** There is nothing to wait for, nor to have a turn for. Without locks. */
  void rest() {
    if (is_at_work()) [[unlikely]]
      leave(Quota::none);
  }
  /** It waits in a line, or has a turn, and so must be looked at by a worker. */
  bool is_at_work() const {
    return quota_.load(std::memory_order_relaxed) != Quota::none ||
           waits_for_share_.load(std::memory_order_relaxed);
  }
  /** The connection has ended. Without locks. */
  void end() { leave(Quota::ended); }

 private:
  /** What the connection has of its party's quota, or waits for. */
  enum class Quota : std::uint8_t { none, waits, turn, ended };

  bool lacks_quota() const;
  bool leave_quota_for(Quota what);
  void leave_share();
  void leave(Quota now);
  bool leave_turn();
  void pass_turn_on();

  ServerConnection& connection_;
  ServerContext& server_;
  bool is_limited_ = false;
  std::atomic<Quota> quota_{Quota::none};
  std::atomic<bool> waits_for_share_{false};
};

}  // namespace shinar::wire
#endif
