/**
 * Addresses: simhandle://host:port and simhandle://host:port/object; for Unix-domain sockets
 * simhandle+unix:///path and simhandle+unix:///path#object; for another Transport
 * simhandle+name://host:port and so on, which for UCX is ucx://host:port, or, if it has paths,
 * simhandle+name:///path and so on.
 *
 * The host is a name, an IPv4 address, or an IPv6 address in brackets. The object part is an id or
 * a published name: printable ASCII without blanks. The path is absolute, without blanks.
 */
#ifndef SHINAR_CORE_URL_HPP
#define SHINAR_CORE_URL_HPP

#include <cstdint>
#include <string>
#include <string_view>

namespace shinar::wire {

/** The address of a server. */
struct Endpoint {
  std::string host{};  ///< without brackets
  std::uint16_t port = 0;
  std::string path{};  ///< of a transport that has paths, without host and port; else empty
  std::string via{};   ///< the transport, if that is neither TCP nor a Unix-domain socket

  bool operator==(const Endpoint&) const = default;
  /** The name of its Transport. */
  std::string_view transport() const {
    if (!via.empty()) return via;
    return path.empty() ? "tcp" : "unix";
  }
  /** "host:port", brackets where needed, or the path. */
  std::string text() const;
};

/** True if the host is a name or address by which it is reached from itself alone. */
bool is_loopback(const std::string& host);

/**
 * The same place as whoever names places would write it: numbers of addresses in full (127.1 is
 * 127.0.0.1), names in lower case, paths without detours. Names are not looked up.
 */
Endpoint plain(const Endpoint& endpoint);

struct Url {
  Endpoint endpoint;
  std::string object;  ///< empty: the server itself
};

/** Throws an Error(malformed_url) that quotes the text and says what is wrong. */
Url parse_url(std::string_view text);

/** The transport that a URL names; empty: it is no URL of ours. */
std::string_view transport_named(std::string_view url);

/** The URL of an object, or of the server if `object` is empty. */
std::string make_url(const Endpoint& endpoint, std::string_view object);

}  // namespace shinar::wire
#endif
