#include "handshake.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <vector>

#include "authentication.hpp"
#include "channel.hpp"
#include "socket.hpp"

namespace shinar::wire {
namespace {

using Clock = std::chrono::steady_clock;

template <class T>
void put(HelloBytes& bytes, std::size_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

template <class T>
void get(const HelloBytes& bytes, std::size_t offset, T& value) {
  std::memcpy(&value, bytes.data() + offset, sizeof value);
}

/** Fills `to`; returns how many bytes came before the end, an error or the time limit. */
std::size_t read_exactly(Channel& channel, std::span<std::byte> to, Clock::time_point until) {
  std::size_t got = 0;
  while (got < to.size()) {
    if (!channel.has_buffered() && wait_for(channel.descriptor(), POLLIN, until) == 0) {
      errno = ETIMEDOUT;
      break;
    }
    const ssize_t count = channel.receive_greeting(to.subspan(got));
    if (count == 0) errno = 0;
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) break;
    if (count > 0) got += static_cast<std::size_t>(count);
  }
  return got;
}

/** Servers that want TLS say so, in TLS. */
bool is_tls_alert(std::span<const std::byte> bytes) {
  constexpr std::array alert = {std::byte{21}, std::byte{3}};
  return bytes.size() >= alert.size() && std::ranges::equal(bytes.first(alert.size()), alert);
}

[[noreturn]] void no_handshake(const std::string& why, int err) {
  throw Error(Failure::no_server,
              why + (err != 0 ? std::string(": ") + std::strerror(err) : std::string()),
              Fate::not_sent, err);
}

[[noreturn]] void refuse_peer(const std::string& why, int err) {
  no_handshake("the peer is not a simhandle server: " + why, err);
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Error refused(Refusal why, std::span<const std::byte> text) {
  return Error(why == Refusal::not_allowed ? Failure::not_allowed : Failure::protocol,
               "the server refused the connection: " + in_one_line(text_of(text)));
}

void say(Channel& channel, const HelloBytes& hello, std::span<const std::byte> extension) {
  std::vector<std::byte> bytes(hello.begin(), hello.end());
  bytes.insert(bytes.end(), extension.begin(), extension.end());
  try {
    channel.send_greeting(bytes);
  } catch (const Error& error) {
    if (error.failure() != Failure::unexpected_close) throw;
    no_handshake("no handshake with the server, which does not accept data", error.err());
  }
}

HelloBytes read_welcome(Channel& channel, Clock::time_point until) {
  HelloBytes bytes{};
  const std::size_t got = read_exactly(channel, bytes, until);
  const int err = got < bytes.size() ? errno : 0;
  if (got == 0 && err == ETIMEDOUT) {
    throw Error(Failure::no_server,
                "the server accepted the connection but did not answer the handshake (it may be "
                "overloaded or stopped)",
                Fate::not_sent, err);
  }
  if (got == 0) {
    no_handshake(
        "the server closed the connection during the handshake (it may have ended, or be no "
        "simhandle server)",
        err);
  }
  if (is_tls_alert({bytes.data(), got})) {
    refuse_peer("it speaks TLS there (simhandle+tls://)", 0);
  }
  if (!has_magic({bytes.data(), got})) refuse_peer("it answered in another protocol", 0);
  if (got < bytes.size()) refuse_peer("its handshake is truncated", err);
  return bytes;
}

/** The server's last word about the client's proof. */
void await_verdict(Channel& channel, Clock::time_point until) {
  std::array<std::byte, verdict_bytes> bytes{};
  const std::size_t got = read_exactly(channel, bytes, until);
  if (got < bytes.size()) {
    no_handshake("the server did not say whether it believes that this client is who it is", errno);
  }
  const Verdict verdict = decode_verdict(bytes);
  if (verdict.refusal == Refusal::none) return;
  std::vector<std::byte> text(std::min<std::size_t>(verdict.text, max_extension));
  text.resize(read_exactly(channel, text, until));
  throw refused(verdict.refusal, text);
}

struct Greetings {
  const HelloBytes& hello;
  const HelloBytes& welcome;
};

/** Both ends prove who they are: the server's identity. Takes its part of the extension. */
Identity authenticate(Channel& channel, const ClientAuthentication& authentication,
                      const Greetings& greetings, std::span<const std::byte>& extension,
                      Clock::time_point until) {
  if ((decode_welcome(greetings.welcome).features & feature_authentication) == 0) {
    throw Error(Failure::protocol, authentication.no_challenge());
  }
  const std::size_t size = authentication.challenge_bytes();
  if (extension.size() < size) refuse_peer("its handshake is malformed", 0);
  auto answer = authentication.answer(greetings.hello, greetings.welcome, extension.first(size),
                                      channel.binding());
  try {
    channel.send_greeting(answer.proof);
  } catch (const Error& error) {
    if (answer.wrong.empty()) no_handshake("the server closed the connection", error.err());
  }
  if (!answer.wrong.empty()) throw Error(Failure::protocol, answer.wrong);
  await_verdict(channel, until);
  extension = extension.subspan(size);
  return std::move(answer.identity);
}

}  // namespace

HelloBytes encode(const Hello& hello) {
  HelloBytes bytes{};
  put(bytes, 0, magic);
  put(bytes, 8, hello.lowest);
  put(bytes, 10, hello.highest);
  put(bytes, 12, hello.features);
  put(bytes, 16, hello.session);
  put(bytes, 32, hello.inline_bytes);
  put(bytes, 36, hello.keepalive_ms);
  put(bytes, 40, hello.message_bytes);
  put(bytes, 48, hello.lease_ms);
  put(bytes, 52, hello.extension);
  put(bytes, 56, hello.number);
  return bytes;
}

HelloBytes encode(const Welcome& welcome) {
  HelloBytes bytes{};
  put(bytes, 0, magic);
  put(bytes, 8, welcome.version);
  put(bytes, 10, static_cast<std::uint16_t>(welcome.refusal));
  put(bytes, 12, welcome.features);
  put(bytes, 16, welcome.server);
  put(bytes, 32, welcome.inline_bytes);
  put(bytes, 36, welcome.keepalive_ms);
  put(bytes, 40, welcome.message_bytes);
  put(bytes, 48, welcome.lease_ms);
  put(bytes, 52, welcome.extension);
  put(bytes, 56, welcome.lowest);
  put(bytes, 58, welcome.highest);
  return bytes;
}

bool has_magic(std::span<const std::byte> bytes) {
  return std::memcmp(bytes.data(), magic.data(), std::min(bytes.size(), magic.size())) == 0;
}

Hello decode_hello(const HelloBytes& bytes) {
  Hello hello;
  get(bytes, 8, hello.lowest);
  get(bytes, 10, hello.highest);
  get(bytes, 12, hello.features);
  get(bytes, 16, hello.session);
  get(bytes, 32, hello.inline_bytes);
  get(bytes, 36, hello.keepalive_ms);
  get(bytes, 40, hello.message_bytes);
  get(bytes, 48, hello.lease_ms);
  get(bytes, 52, hello.extension);
  get(bytes, 56, hello.number);
  return hello;
}

Welcome decode_welcome(const HelloBytes& bytes) {
  Welcome welcome;
  std::uint16_t refusal = 0;
  get(bytes, 8, welcome.version);
  get(bytes, 10, refusal);
  welcome.refusal = static_cast<Refusal>(refusal);
  get(bytes, 12, welcome.features);
  get(bytes, 16, welcome.server);
  get(bytes, 32, welcome.inline_bytes);
  get(bytes, 36, welcome.keepalive_ms);
  get(bytes, 40, welcome.message_bytes);
  get(bytes, 48, welcome.lease_ms);
  get(bytes, 52, welcome.extension);
  get(bytes, 56, welcome.lowest);
  get(bytes, 58, welcome.highest);
  return welcome;
}

std::uint32_t agreed_keepalive(std::uint32_t wish, const Limits& limits) {
  return std::max(50u, wish == 0 ? limits.keepalive_ms : std::min(wish, limits.keepalive_ms));
}

Welcome answer(const Hello& hello, const Limits& limits, const Id128& server, std::string& text) {
  Welcome welcome;
  welcome.server = server;
  welcome.inline_bytes = limits.inline_bytes;
  welcome.message_bytes = limits.message_bytes;
  welcome.keepalive_ms = agreed_keepalive(hello.keepalive_ms, limits);
  welcome.lease_ms =
      hello.lease_ms == 0 ? limits.lease_ms : std::min(hello.lease_ms, limits.lease_ms);
  text.clear();
  if (hello.lowest > highest_version || hello.highest < lowest_version ||
      hello.lowest > hello.highest) {
    welcome.refusal = Refusal::version;
    text = "this server speaks simhandle versions " + std::to_string(lowest_version) + " to " +
           std::to_string(highest_version) + ", the client " + std::to_string(hello.lowest) +
           " to " + std::to_string(hello.highest);
  } else if (hello.extension > max_extension) {
    welcome.refusal = Refusal::malformed;
    text = "the hello announces " + std::to_string(hello.extension) +
           " bytes of extension; the limit is " + std::to_string(max_extension);
  } else {
    welcome.version = std::min(hello.highest, highest_version);
  }
  welcome.extension = static_cast<std::uint32_t>(text.size());
  return welcome;
}

Welcome perform_handshake(Channel& channel, const Hello& hello, std::uint32_t patience_ms,
                          const Authenticator* mine) {
  const auto until = Clock::now() + std::chrono::milliseconds(patience_ms);
  Hello offered = hello;
  std::optional<ClientAuthentication> authentication;
  if (mine != nullptr) authentication.emplace(*mine, offered);
  const HelloBytes sent = encode(offered);
  say(channel, sent, authentication ? authentication->offer() : std::vector<std::byte>());
  const HelloBytes bytes = read_welcome(channel, until);
  Welcome welcome = decode_welcome(bytes);
  std::array<std::byte, max_extension> room;
  if (welcome.extension > room.size()) refuse_peer("its handshake is malformed", 0);
  std::span<const std::byte> extension(room.data(), welcome.extension);
  const std::size_t more = read_exactly(channel, std::span(room).first(welcome.extension), until);
  const int err = more < welcome.extension ? errno : 0;
  if (welcome.version == 0) throw refused(welcome.refusal, extension.first(more));
  if (more < welcome.extension) refuse_peer("its handshake is truncated", err);
  if (welcome.version < hello.lowest || welcome.version > hello.highest) {
    throw Error(Failure::protocol, "the server chose version " + std::to_string(welcome.version) +
                                       ", which the client did not offer");
  }
  welcome.identity = authentication
                         ? authenticate(channel, *authentication, {sent, bytes}, extension, until)
                         : channel.identity();
  if ((welcome.features & feature_doors) != 0) welcome.doors = text_of(extension);
  return welcome;
}

}  // namespace shinar::wire
