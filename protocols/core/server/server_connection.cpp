#include "core/server/server_connection.hpp"

#include <mutex>
#include <thread>
#include <utility>

#include "core/server/client_wait.hpp"
#include "core/server/server_context.hpp"

namespace shinar::wire {

ServerConnection::ServerConnection(ServerContext& its_server, std::unique_ptr<Channel> accepted,
                                   std::string its_peer)
    : Link(std::move(accepted)),
      server(its_server),
      peer(std::move(its_peer)),
      memory(its_server.memory),
      tenant_(its_server.strangers.get()) {}

ServerConnection::~ServerConnection() {
  end_count();
  if (session != nullptr) session->account->give_back(frames.cost_of_names());
}

void ServerConnection::end_count() {
  if (counted_ != nullptr) counted_->give_back(Resource::connections, 1);
  counted_ = nullptr;
}

void ServerConnection::set_tenant(std::shared_ptr<Tenant> tenant) {
  owned_tenant_ = std::move(tenant);
  tenant_.store(owned_tenant_.get(), std::memory_order_release);
}

void ServerConnection::await(Waiter& waiter, Deadline deadline) {
  ClientWait::await(*this, waiter, deadline);
}

/** Nobody waits who would do so. */
void ServerConnection::attend_to_observed(Exports& /*exports*/) {
  reader.unthrottle();
  replies.flush();
}

void ServerConnection::look_after_observed() {
  if (observed == 0 || !is_usable()) {
    patience_.reset();
  } else if (patience_) {
    patience_->look();
  } else {
    patience_.emplace(*this);
  }
}

AuditSubject ServerConnection::subject() const {
  AuditSubject subject{peer};
  subject.identity = party == nullptr ? channel->identity() : party->identity;
  if (session != nullptr) subject.session = session->short_name();
  return subject;
}

void ServerConnection::note_begin() const {
  if (server.audit.is_on()) server.audit.connected(subject());
}

void ServerConnection::note_end() const {
  if (server.audit.is_on()) server.audit.disconnected(subject());
}

void ServerConnection::note_refused(std::string_view action, std::string_view what,
                                    const std::string& rule) const {
  if (server.audit.is_on()) server.audit.refused(subject(), action, what, rule);
}

PeerLog* ServerConnection::log() {
  return &server.log;
}

namespace {

/** A call that a worker shall run. Those behind it, which keep its session, go with it. */
struct Postponed {
  Postponed(QueuedCall its_call, std::shared_ptr<Session> its_session)
      : call(std::move(its_call)), session(std::move(its_session)) {}
  Postponed(const Postponed&) = delete;
  Postponed& operator=(const Postponed&) = delete;
  ~Postponed() {
    if (session != nullptr) session->back->caller_strands.take_all();
  }

  QueuedCall call;
  std::shared_ptr<Session> session;  ///< NULL: it has been run
};

}  // namespace

/** On the thread that waits for its parent, if any, else on a worker. */
void ServerConnection::run_elsewhere(IncomingCall call) {
  if (is_nested(call) && deliver_nested(call)) return;
  const auto next =
      std::make_shared<Postponed>(QueuedCall{std::move(call), shared_from_this()}, session);
  const auto run = [&server = server, next](Worker& worker) {
    next->session = nullptr;
    CallRunner::run_next(server, std::move(next->call), worker, nullptr);
  };
  server.tasks.add(run, shared_tenant());
}

/** Under write. */
void ServerConnection::ask_for_confirmation() {
  if (is_write_blocked) {
    replies.ask_behind_backlog();
  } else {
    Link::ask_for_confirmation();
  }
}

void ServerConnection::go_on() {
  server.disposal.add(server.ledger.go_on(*session, *stream));
}

void ServerConnection::dispose(Ended what) {
  server.disposal.add(std::move(what));
}

void ServerConnection::say_goodbye(bool is_failure, const std::string& text,
                                   Clock::time_point until) {
  Encoder body;
  body.put<std::uint32_t>(is_failure ? 1 : 0);
  body.put_string(std::string_view(text).substr(0, max_name));
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::goodbye);
  header.body = static_cast<std::uint32_t>(body.body_size());
  // For a limited time: a peer that takes no data must not block the end of a server.
  std::unique_lock lock(write, std::try_to_lock);
  while (!lock.owns_lock() && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    static_cast<void>(lock.try_lock());
  }
  if (lock.owns_lock() && !is_write_blocked) channel->try_send(header, body);
}

bool ServerConnection::has_stalled(Clock::time_point now) {
  const std::uint32_t heard = reader.heard();
  const bool waits =
      reader.is_within_message() && !reader.admission.is_in_line();  // else it may be here
  if (!waits || std::exchange(heard_, heard) != heard || keepalive_ms == 0) {
    silent_ = now;
    return false;
  }
  return now - silent_ >= keepalive_misses * std::chrono::milliseconds(keepalive_ms);
}

void ServerConnection::send_sign_of_life(Clock::time_point now) {
  if (!handshake.is_done()) return;
  const bool waits = !reader.is_watched() || calls.in_work() != 0;
  if (!waits || last_sign_ == Clock::time_point()) {
    last_sign_ = waits ? now : Clock::time_point();
    return;
  }
  if (now - last_sign_ < std::chrono::milliseconds(keepalive_ms / 3)) return;
  last_sign_ = now;
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::pong);
  const std::unique_lock lock(write, std::try_to_lock);
  if (lock.owns_lock() && !is_write_blocked) channel->try_send(header);
}

}  // namespace shinar::wire
