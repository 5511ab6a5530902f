/**
 * One connection of a server. When idle it costs this object and a file descriptor.
 *
 * Its parts have different threading rules: handshake, reader and frames belong to one thread at a
 * time, the reader; replies are guarded by `write`; calls run on any thread. A thread that runs one
 * of its calls holds a shared_ptr, so that the descriptor stays valid until the answer was sent or
 * dropped.
 */
#ifndef SHINAR_CORE_SERVER_SERVER_CONNECTION_HPP
#define SHINAR_CORE_SERVER_SERVER_CONNECTION_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/audit.hpp"
#include "core/back_channel.hpp"
#include "core/ledger.hpp"
#include "core/link.hpp"
#include "core/party.hpp"
#include "core/server/call_runner.hpp"
#include "core/server/client_patience.hpp"
#include "core/server/connection_reader.hpp"
#include "core/server/frame_handlers.hpp"
#include "core/server/permissions.hpp"
#include "core/server/pollable.hpp"
#include "core/server/reply_queue.hpp"
#include "core/server/server_handshake.hpp"
#include "core/tenant.hpp"
#include "core/total_memory.hpp"

namespace shinar::wire {

struct ServerContext;

class ServerConnection final : public Link, public Pollable, public Held {
 public:
  using Clock = std::chrono::steady_clock;

  ServerConnection(ServerContext& its_server, std::unique_ptr<Channel> accepted,
                   std::string its_peer);
  ~ServerConnection() override;

  ServerContext& server;
  const std::string peer;
  ConnectionMemory memory;  ///< beside that of its messages

  ServerHandshake handshake{*this, server};
  ConnectionReader reader{*this, server};
  FrameHandlers frames{*this, server};
  CallRunner calls{*this, server};
  ReplyQueue replies{*this, server};
  Permissions permissions{*this, server};

  // Set by the handshake, then constant:
  std::shared_ptr<Session> session;
  std::uint32_t keepalive_ms = 0;
  std::shared_ptr<Party> party;  ///< of the client, whom it has proved to be
  void set_tenant(std::shared_ptr<Tenant> tenant);
  /** Counts it among its party's, until end_count(), or it is destroyed. */
  void count(std::shared_ptr<Party> whose) { counted_ = std::move(whose); }
  void end_count();
  const std::shared_ptr<Tenant>& shared_tenant() const { return owned_tenant_; }

  AuditSubject subject() const;
  /** For the audit log: it begins, it ends; something was refused to its client (Audit). */
  void note_begin() const;
  void note_end() const;
  void note_refused(std::string_view action, std::string_view what,
                    const std::string& rule) const override;
  /** Sends a goodbye, if that is possible before `until`. */
  void say_goodbye(bool is_failure, const std::string& text, Clock::time_point until = {});
  /** If due, shows a waiting client that this process is alive. Watch thread. */
  void send_sign_of_life(Clock::time_point now);
  /**
   * True if the rest of a message has not come for keepalive_misses of its keepalive intervals.
   * Watch thread, regularly.
   */
  bool has_stalled(Clock::time_point now);
  /** The client has said goodbye. */
  void note_goodbye() { said_goodbye_ = true; }
  /** Threads that wait for answers of the client, and observed calls. */
  int awaited() const { return awaited_; }
  /** While calls are observed: pings a silent client, and ends the connection. Watch thread. */
  void look_after_observed();

  // Link:
  void await(Waiter& waiter, Deadline deadline) override;
  void attend_to_observed(Exports& exports) override;
  std::atomic<int>* awaited_count() override { return &awaited_; }
  void await_capacity(Deadline deadline) override { replies.await_capacity(deadline); }
  void put_in_line(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                   bool /*reads*/, const Deadline* /*deadline*/, Spent& spent) override {
    replies.put_in_line(before, header, encoder, spent);
  }
  void ask_for_confirmation() override;
  void call_ended(bool is_answered) noexcept override { calls.ended(is_answered); }
  void run_elsewhere(IncomingCall call) override;
  void run_here(IncomingCall& call) override { calls.run_nested(nullptr, call); }
  void go_on() override;
  void dispose(Ended what) override;
  const void* runner() const override { return &server; }
  std::string other_end() const override { return peer; }
  Identity identity() const override { return party->identity; }
  PeerLog* log() override;
  bool is_ruled() const override { return party->is_ruled(); }
  void check_attach(std::string_view object) override { permissions.check_attach(object); }
  void check_errand(const std::string& url) override { permissions.check_errand(url); }
  bool refresh() override { return is_usable(); }  // the server's workers read
  bool has_said_goodbye() const override { return said_goodbye_; }
  std::uint64_t callee() const override { return session == nullptr ? 0 : session->back->serial; }

  // Pollable:
  void serve(Worker& worker) override { reader.serve(worker); }
  void release() override { reader.release(); }
  bool wants_scan(int& looks) const override { return reader.wants_scan(looks); }
  void scan(Clock::time_point since) override { reader.scan(since); }
  void is_kept_waiting() override { reader.set_watched(false); }
  bool is_connection() const override { return true; }
  bool is_greeting() const override { return !handshake.is_done() && !handshake.may_wait(); }
  std::shared_ptr<ReadyLine> line() override { return tenant()->line; }
  Tenant* tenant() override { return tenant_.load(std::memory_order_acquire); }

  // Held:
  bool let_on(bool has_place) override { return reader.let_on(has_place); }

  // For its parts:
  using Link::complete_answer;
  using Link::conclude;
  using Link::count_read;
  using Link::deliver;
  using Link::deliver_nested;
  using Link::end_calls;
  using Link::is_concluded;
  using Link::landing_of;
  using Link::send_bare;
  using Link::set_limits;
  using Link::set_limits_of;
  using Link::state_;
  using Link::suspend;

 private:
  friend class ClientWait;

  std::shared_ptr<Party> counted_;        ///< NULL: it is not
  std::shared_ptr<Tenant> owned_tenant_;  ///< NULL: the server's, of strangers
  std::atomic<Tenant*> tenant_;
  std::atomic<bool> said_goodbye_{false};
  std::atomic<int> awaited_{0};
  std::optional<ClientPatience> patience_;  ///< watch thread's: while calls are observed
  std::uint32_t heard_ = 0;                 ///< watch thread's: what has_stalled() saw
  Clock::time_point silent_{};     ///< watch thread's: since when a message has been incomplete
  Clock::time_point last_sign_{};  ///< watch thread's: last sign of life, or since when it waits
};

}  // namespace shinar::wire
#endif
