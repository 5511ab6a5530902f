#include "core/server/server_handshake.hpp"

#include <algorithm>
#include <cerrno>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/authentication.hpp"
#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"
#include "core/total_memory.hpp"

namespace shinar::wire {
namespace {

/** As many whole lines as there is room for. */
void cut_to(std::string& lines, std::size_t room) {
  if (lines.size() <= room) return;
  const std::size_t end = lines.rfind('\n', room == 0 ? 0 : room - 1);
  lines.resize(end == std::string::npos ? 0 : end + 1);
}

void add_text(std::vector<std::byte>& out, const std::string& text) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), bytes, bytes + text.size());
}

}  // namespace

ServerHandshake::ServerHandshake(ServerConnection& connection, ServerContext& server)
    : connection_(connection), server_(server), required_(server.required.now()) {}

ServerHandshake::~ServerHandshake() = default;

bool ServerHandshake::is_overdue(Clock::time_point now) const {
  const std::chrono::milliseconds patience(server_.options.limits.connect_ms);
  return !is_done() && now - begin_ > patience;
}

bool ServerHandshake::may_wait() const {
  return required_ != nullptr && !is_done() && required_->may_wait();
}

bool ServerHandshake::go_on() {
  if (!std::exchange(is_heard_, true)) server_.connections.is_heard(connection_);
  switch (stage_) {
    case Stage::hello:
      return read_hello();
    case Stage::extension:
      return read_extension();
    case Stage::proof:
      break;
  }
  return take_proof();
}

/** False if there was nothing: then the connection was armed or closed. */
bool ServerHandshake::read_some(std::span<std::byte> to, std::size_t& got) {
  const ssize_t count = connection_.channel->receive_greeting(to);
  if (count > 0) {
    got += static_cast<std::size_t>(count);
    return true;
  }
  if (count < 0 && errno == EAGAIN) {
    connection_.reader.arm();
    return false;
  }
  if (stage_ == Stage::proof) {
    server_.counters.refused.fetch_add(1, std::memory_order_relaxed);
    const std::string why = " ended before its client had proved who it is";
    server_.log.add(PeerLog::Kind::refused, "the connection of " + connection_.peer + why);
    connection_.note_refused("connect", "", "the connection" + why);
  }
  connection_.reader.close();
  return false;
}

bool ServerHandshake::read_hello() {
  while (got_ < hello_bytes) {
    if (!read_some(std::span(hello_).subspan(got_), got_)) return false;
    if (!has_magic({hello_.data(), got_})) return greet();
  }
  const Hello hello = decode_hello(hello_);
  if (hello.extension > max_extension) return greet();
  if (required_ != nullptr && (hello.features & feature_authentication) != 0) {
    authentication_ = std::make_unique<ServerAuthentication>(*required_);
  }
  extension_left_ = hello.extension;
  stage_ = Stage::extension;
  return read_extension();
}

bool ServerHandshake::read_extension() {
  std::byte part[max_extension];
  while (extension_left_ > 0) {
    std::size_t got = 0;
    if (!read_some(std::span(part).first(extension_left_), got)) return false;
    extension_left_ -= got;
    if (authentication_ != nullptr) authentication_->take_offer({part, got});
  }
  return greet();
}

Welcome ServerHandshake::answer_to(const Hello& hello, std::string& text) {
  Limits limits = server_.options.limits;
  limits.lease_ms = server_.lease_ms;
  Welcome welcome = answer(hello, limits, server_.id, text);
  const auto refuse_it = [&](Refusal why, std::string reason) {
    welcome.version = 0;
    welcome.refusal = why;
    text = std::move(reason);
  };
  if (!has_magic(hello_)) {
    refuse_it(Refusal::not_shinar,
              "this is a simhandle server, but the handshake is not simhandle's");
  } else if (surplus_ != 0) {
    refuse_it(Refusal::too_many_connections,
              Limits::exceeded("connections of the server", server_.options.limits.connections,
                               surplus_, "SIDL_RMI_MAX_CONNECTIONS")
                  .what());
  } else if (!lacks_memory_.empty()) {
    refuse_it(Refusal::too_many_connections, lacks_memory_);
  } else if (std::string full = server_.ledger.why_full(); !full.empty()) {
    refuse_it(Refusal::too_many_connections, std::move(full));
  } else if (server_.calls.is_over()) {
    refuse_it(Refusal::shutting_down, "the server is shutting down");
  } else if (welcome.version != 0) {
    Refused refused{Refusal::authentication, objection()};
    if (refused.text.empty() && authentication_ == nullptr) {
      refused = admit(connection_.channel->identity(), hello, welcome);
    }
    if (!refused.text.empty()) {
      refuse_it(refused.why, std::move(refused.text));
    } else if ((hello.features & feature_doors) != 0) {
      welcome.features |= feature_doors;
      text = server_.doors;
    }
  }
  return welcome;
}

/** Counts the connection among those of its identity; why that may not have another one, or empty.
 */
std::string ServerHandshake::count(const std::shared_ptr<Party>& party) {
  const std::size_t all = server_.connections.admitted() + 1;
  const std::size_t most = server_.most_connections;
  // Whatever others have; who allows so few has no others in mind.
  const std::uint64_t floor = most < 4 ? most : std::min<std::uint64_t>(16, most / 2);
  if (!party->try_take(Resource::connections, 1, all < most ? most - all : 0, floor)) {
    const std::uint64_t used = party->used(Resource::connections);
    return Limits::exceeded("connections of one client, as others need some", used, used + 1,
                            "SIDL_RMI_MAX_CONNECTIONS")
        .what();
  }
  connection_.count(party);
  return "";
}

/**
 * Makes the connection that of a client who is this. Why the policy or the session forbids it, or
 * nothing. To be done before the client can send over the connection, or refer to it over another
 * one.
 */
ServerHandshake::Refused ServerHandshake::admit(const Identity& identity, const Hello& hello,
                                                const Welcome& welcome) {
  server_.follow_trust();
  std::shared_ptr<Party> party = server_.parties.of(identity);
  if (party->is_ruled() && party->role() == nullptr) {
    return {Refusal::not_allowed, text_of(identity) + " has no role in this server's policy"};
  }
  if (std::string many = count(party); !many.empty()) {
    return {Refusal::too_many_connections, std::move(many)};
  }
  if (std::string many = party->check_connections(); !many.empty()) {
    return {Refusal::not_allowed, std::move(many)};
  }
  if (std::string ended = party->check_ended(); !ended.empty()) {
    return {Refusal::not_allowed, std::move(ended)};
  }
  std::shared_ptr<Session> session;
  try {
    session = server_.ledger.open(hello.session, std::chrono::milliseconds(welcome.lease_ms),
                                  nullptr, party);
  } catch (const Error& full) {
    return {Refusal::too_many_connections, full.what()};
  }
  if (!server_.belongs_to(*session, identity)) {
    server_.disposal.add(server_.ledger.close(session));
    return {Refusal::authentication,
            "this session belongs to another identity than " + text_of(identity)};
  }
  const std::shared_ptr<Tenant> tenant =
      identity.is_individual() ? std::static_pointer_cast<Tenant>(party) : session->tenant;
  if (std::string full = connection_.memory.take(tenant, connection_.channel->own_memory());
      !full.empty()) {
    server_.disposal.add(server_.ledger.close(session));
    return {Refusal::too_many_connections, std::move(full)};
  }
  connection_.party = party;
  connection_.set_limits(std::max(hello.inline_bytes, least_inline_bytes), hello.message_bytes);
  connection_.keepalive_ms = welcome.keepalive_ms;
  connection_.session = std::move(session);
  connection_.set_tenant(tenant);
  connection_.channel->share_memory(
      std::make_shared<TenantMemory>(server_.memory, connection_.shared_tenant()));
  connection_.stream->number = hello.number;
  connection_.stream->account = connection_.session->account;
  connection_.session->streams->add(connection_.stream);
  server_.way_back(connection_.session, connection_.peer).expect(connection_.shared_from_this());
  return {};
}

/** Why the client will not do; empty: it will, or has still to prove that. */
std::string ServerHandshake::objection() const {
  if (required_ == nullptr) return "";
  return authentication_ == nullptr ? ServerAuthentication::no_offer(*required_)
                                    : authentication_->objection();
}

bool ServerHandshake::greet() {
  const Hello hello = decode_hello(hello_);
  std::string text;
  Welcome welcome = answer_to(hello, text);
  const bool is_welcome = welcome.version != 0;
  if (!is_welcome) authentication_ = nullptr;
  const std::size_t size = authentication_ == nullptr ? 0 : authentication_->challenge_bytes();
  if (size != 0) {
    welcome.features |= feature_authentication;
    cut_to(text, max_extension - size);
  }
  welcome.extension = static_cast<std::uint32_t>(size + text.size());
  const HelloBytes bytes = encode(welcome);
  std::vector<std::byte> out(bytes.begin(), bytes.end());
  if (size != 0) {
    const auto challenge =
        authentication_->challenge(hello_, bytes, connection_.channel->binding());
    out.insert(out.end(), challenge.begin(), challenge.end());
  }
  add_text(out, text);
  connection_.channel->send_greeting(out);
  if (!is_welcome) return refuse(text, {});
  if (size == 0) return accept();
  stage_ = Stage::proof;
  return take_proof();
}

bool ServerHandshake::refuse_at_once(std::size_t connections) noexcept {
  Channel& channel = *connection_.channel;
  refuse_as_surplus(connections);
  try {
    ssize_t got = 0;
    while (got_ < hello_bytes &&
           (got = channel.receive_greeting(std::span(hello_).subspan(got_))) > 0) {
      got_ += static_cast<std::size_t>(got);
    }
    if (got_ < hello_bytes) return got_ != 0;
    channel.discard();  // its extension
    std::string text;
    Welcome welcome = answer_to(decode_hello(hello_), text);
    welcome.extension = static_cast<std::uint32_t>(text.size());
    const HelloBytes bytes = encode(welcome);
    std::vector<std::byte> out(bytes.begin(), bytes.end());
    add_text(out, text);
    channel.send_greeting(out);
    channel.finish_sending();
  } catch (const std::exception&) {
    // It has gone, or there is no memory.
  }
  return true;
}

/** Nothing is kept of a client that has not proved who it is, and no byte of a frame is read. */
bool ServerHandshake::take_proof() {
  while (!authentication_->missing().empty()) {
    std::size_t got = 0;
    if (!read_some(authentication_->missing(), got)) return false;
    authentication_->came(got);
  }
  const Authenticator::Checked checked = authentication_->check();
  Refused refused{Refusal::authentication, checked.wrong};
  if (checked.wrong.empty()) {
    const Welcome welcome = decode_welcome(authentication_->welcome());
    refused = admit(checked.identity, decode_hello(hello_), welcome);
  }
  if (refused.text.empty()) {
    connection_.channel->send_greeting(encode_verdict(Refusal::none, ""));
    return accept();
  }
  try {
    connection_.channel->send_greeting(encode_verdict(refused.why, refused.text));
  } catch (const Error&) {
    // It knows already, and has gone.
  }
  return refuse(refused.text, checked.identity);
}

bool ServerHandshake::accept() {
  authentication_ = nullptr;
  is_done_.store(true, std::memory_order_release);
  server_.connections.is_no_stranger(connection_);
  connection_.note_begin();
  if (!server_.host.logs_details()) return true;
  is_logged_ = true;
  const Identity& who = connection_.party->identity;
  const std::string proved = who.name.empty() ? "" : ": " + who.name + ", by " + who.proof;
  server_.host.log_detail("connection of " + connection_.peer + proved);
  return true;
}

/** `who`: what the client has proved, if that is not what its channel says. */
bool ServerHandshake::refuse(const std::string& text, const Identity& who) {
  server_.counters.refused.fetch_add(1, std::memory_order_relaxed);
  if (server_.audit.is_on()) {
    AuditSubject subject = connection_.subject();
    if (!who.name.empty()) subject.identity = who;
    server_.audit.refused(subject, "connect", "", text);
  }
  server_.log.add(PeerLog::Kind::refused, "refusing " + connection_.peer + ": " + text);
  connection_.reader.close_after_last_words();
  return false;
}

}  // namespace shinar::wire
