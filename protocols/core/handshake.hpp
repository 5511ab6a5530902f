/**
 * The first 64 bytes in each direction of a connection: identity, version and limits.
 *
 * The client sends a Hello, the server a Welcome. Each may be followed by an extension. Where one
 * end demands that, both then prove who they are: see authentication.hpp.
 *
 * A client that asks for them is told the server's other doors: addresses at which it reaches the
 * same server, and may reach it faster (shared memory).
 */
#ifndef SHINAR_CORE_HANDSHAKE_HPP
#define SHINAR_CORE_HANDSHAKE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "id128.hpp"
#include "identity.hpp"
#include "limits.hpp"
#include "wire.hpp"

namespace shinar::wire {

class Authenticator;
class Channel;

/** Of `features`: the client asks for the server's doors; the welcome's extension has them. */
constexpr std::uint32_t feature_doors = 1;
/** Both ends authenticate themselves; the extensions begin with what that needs. */
constexpr std::uint32_t feature_authentication = 2;

struct Hello {
  std::uint16_t lowest = lowest_version;
  std::uint16_t highest = highest_version;
  std::uint32_t features = 0;
  Id128 session{};
  std::uint32_t inline_bytes = 0;
  std::uint32_t keepalive_ms = 0;
  std::uint64_t message_bytes = 0;
  std::uint32_t lease_ms = 0;  ///< what the client asks for; 0: the server's choice
  std::uint32_t extension = 0;
  std::uint64_t number = 0;  ///< of the connection within its session; 0: none
};

/** Why a server refuses a client. */
enum class Refusal : std::uint16_t {
  none = 0,
  not_shinar = 1,
  version = 2,
  too_many_connections = 3,
  shutting_down = 4,
  authentication = 5,
  malformed = 6,
  not_allowed = 7,
};

struct Welcome {
  std::uint16_t version = 0;  ///< 0: refused, the extension says why
  Refusal refusal = Refusal::none;
  std::uint32_t features = 0;
  Id128 server{};
  std::uint32_t inline_bytes = 0;
  std::uint32_t keepalive_ms = 0;
  std::uint64_t message_bytes = 0;
  std::uint32_t lease_ms = 0;
  std::uint32_t extension = 0;
  std::uint16_t lowest = lowest_version;
  std::uint16_t highest = highest_version;
  std::string doors{};  ///< URLs, a line each; received as the extension
  Identity identity{};  ///< who the server has proved to be; found by the client
};

using HelloBytes = std::array<std::byte, hello_bytes>;

HelloBytes encode(const Hello& hello);
HelloBytes encode(const Welcome& welcome);

/** True if the bytes agree with the magic number of a Shinar peer; fewer than 8 may be given. */
bool has_magic(std::span<const std::byte> bytes);

/** Decodes what has_magic accepted. */
Hello decode_hello(const HelloBytes& bytes);
Welcome decode_welcome(const HelloBytes& bytes);

/**
 * The keepalive interval in force, as each side computes it: the shorter wish, with a lower bound,
 * since a peer must answer within it. 0: the peer has no wish.
 */
std::uint32_t agreed_keepalive(std::uint32_t wish, const Limits& limits);

/** The server's answer; `text` explains a refusal and follows the welcome as its extension. */
Welcome answer(const Hello& hello, const Limits& limits, const Id128& server, std::string& text);

/**
 * The client's end: sends the hello, waits for the welcome. Throws Error(no_server, …). `mine`:
 * what both ends have to prove; NULL: nothing.
 */
Welcome perform_handshake(Channel& channel, const Hello& hello, std::uint32_t patience_ms,
                          const Authenticator* mine = nullptr);

}  // namespace shinar::wire
#endif
