#include "core/server/server_handshake.hpp"

#include <algorithm>
#include <cerrno>
#include <span>
#include <vector>

#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"

namespace shinar::wire {

bool ServerHandshake::is_overdue(Clock::time_point now) const {
  const std::chrono::milliseconds patience(server_.options.limits.connect_ms);
  return !is_done() && now - begin_ > patience;
}

bool ServerHandshake::go_on() {
  std::byte skipped[max_extension];
  while (got_ < hello_bytes || extension_left_ > 0) {
    const bool extension = got_ == hello_bytes;
    const auto to =
        extension ? std::span(skipped).first(extension_left_) : std::span(hello_).subspan(got_);
    const ssize_t got = connection_.channel->receive_greeting(to);
    if (got < 0 && errno == EAGAIN) {
      connection_.reader.arm();
      return false;
    }
    if (got <= 0) {
      connection_.reader.close();
      return false;
    }
    const auto count = static_cast<std::size_t>(got);
    if (extension) {
      extension_left_ -= count;
      continue;
    }
    got_ += count;
    if (!has_magic({hello_.data(), got_})) break;
    const Hello hello = decode_hello(hello_);
    if (got_ == hello_bytes && hello.extension <= max_extension) {
      extension_left_ = hello.extension;
    }
  }
  return finish();
}

Welcome ServerHandshake::answer_to(const Hello& hello, std::string& text) const {
  Limits limits = server_.options.limits;
  limits.lease_ms = server_.lease_ms;
  Welcome welcome = answer(hello, limits, server_.id, text);
  if (!has_magic(hello_)) {
    welcome.version = 0;
    welcome.refusal = Refusal::not_shinar;
    text = "this is a simhandle server, but the handshake is not simhandle's";
  } else if (surplus_ != 0) {
    welcome.version = 0;
    welcome.refusal = Refusal::too_many_connections;
    text = Limits::exceeded("connections of the server", server_.options.limits.connections,
                            surplus_, "SIDL_RMI_MAX_CONNECTIONS")
               .what();
  } else if (std::string full = server_.ledger.why_full(); !full.empty()) {
    welcome.version = 0;
    welcome.refusal = Refusal::too_many_connections;
    text = std::move(full);
  } else if (server_.calls.is_over()) {
    welcome.version = 0;
    welcome.refusal = Refusal::shutting_down;
    text = "the server is shutting down";
  } else if (welcome.version != 0 && (hello.features & feature_doors) != 0) {
    welcome.features |= feature_doors;
    text = server_.doors;
  }
  welcome.extension = static_cast<std::uint32_t>(text.size());
  return welcome;
}

bool ServerHandshake::finish() {
  const Hello hello = decode_hello(hello_);
  std::string text;
  const Welcome welcome = answer_to(hello, text);
  const HelloBytes bytes = encode(welcome);
  std::vector<std::byte> out(bytes.begin(), bytes.end());
  const auto* const more = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), more, more + text.size());
  if (welcome.version != 0) open_session(hello, welcome);
  connection_.channel->send_greeting(out);
  if (welcome.version != 0) {
    is_done_.store(true, std::memory_order_release);
    if (server_.host.logs_details()) {
      is_logged_ = true;
      server_.host.log_detail("connection of " + connection_.peer);
    }
    return true;
  }
  server_.counters.refused.fetch_add(1, std::memory_order_relaxed);
  server_.log.add(PeerLog::Kind::refused, "refusing " + connection_.peer + ": " + text);
  connection_.reader.close_after_last_words();
  return false;
}

/** To be done before the client can send over the connection, or refer to it over another one. */
void ServerHandshake::open_session(const Hello& hello, const Welcome& welcome) {
  connection_.set_limits(std::max(hello.inline_bytes, least_inline_bytes), hello.message_bytes);
  connection_.keepalive_ms = welcome.keepalive_ms;
  connection_.session =
      server_.ledger.open(hello.session, std::chrono::milliseconds(welcome.lease_ms));
  connection_.stream->number = hello.number;
  connection_.stream->account = connection_.session->account;
  connection_.session->streams->add(connection_.stream);
  server_.way_back(connection_.session, connection_.peer).expect(connection_.shared_from_this());
}

}  // namespace shinar::wire
