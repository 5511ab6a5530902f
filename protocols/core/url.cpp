#include "url.hpp"

#include <arpa/inet.h>

#include <sys/un.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>

#include "error.hpp"
#include "transport.hpp"
#include "wire.hpp"

namespace shinar::wire {
namespace {

constexpr std::string_view scheme = "simhandle://";
constexpr std::size_t longest_path = sizeof(sockaddr_un::sun_path) - 1;
constexpr std::string_view unix_scheme = "simhandle+unix://";
constexpr std::string_view other_schemes = "simhandle+";
/** Transports that are protocols of their own to those who write URLs. */
constexpr std::string_view transport_schemes[] = {"ucx"};

[[noreturn]] void refuse(std::string_view text, const std::string& reason) {
  throw Error(Failure::malformed_url,
              "malformed URL '" + in_one_line(std::string(text.substr(0, 200))) + "': " + reason +
                  " (expected simhandle://host:port[/object] or simhandle+unix:///path[#object])");
}

/** Splits "host:port" or "[v6]:port"; returns where the port begins. */
std::size_t read_host(std::string_view text, std::string_view authority, std::string& host) {
  if (!authority.empty() && authority.front() == '[') {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) refuse(text, "']' is missing");
    host = authority.substr(1, close - 1);
    if (close + 1 >= authority.size() || authority[close + 1] != ':') {
      refuse(text, "the port is missing");
    }
    return close + 2;
  }
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos) refuse(text, "the port is missing");
  host = authority.substr(0, colon);
  if (host.find(':') != std::string::npos) refuse(text, "an IPv6 address needs brackets");
  return colon + 1;
}

void check_characters(std::string_view text, std::string_view part) {
  for (const char c : part) {
    if (c <= ' ' || c > '~') refuse(text, "it contains a blank or a non-ASCII character");
  }
}

constexpr std::string_view end_of_scheme = "://";

bool is_scheme_of_transport(std::string_view name) {
  return std::ranges::find(transport_schemes, name) != std::end(transport_schemes);
}

bool names_transport(std::string_view text) {
  return text.starts_with(other_schemes) ||
         is_scheme_of_transport(text.substr(0, text.find(end_of_scheme)));
}

struct Other {
  const Transport& transport;
  std::string_view rest;
};

/** Of "simhandle+name://…", or "name://…". */
Other read_transport(std::string_view text, std::string& name) {
  const std::size_t at = text.find(end_of_scheme);
  if (at == std::string_view::npos) refuse(text, "'://' is missing");
  const std::size_t begin = text.starts_with(other_schemes) ? other_schemes.size() : 0;
  name = text.substr(begin, at - begin);
  check_characters(text, name);
  std::string reason;
  const Transport* const found = Transport::find(name, &reason);
  if (found == nullptr) refuse(text, "there is no transport '" + name + "' here" + reason);
  if (name == "tcp") name.clear();
  return {*found, text.substr(at + end_of_scheme.size())};
}

/** Adds the path and the object: what follows "://". */
Url parse_path(std::string_view text, std::string_view rest, Url url) {
  const std::size_t hash = rest.find('#');
  url.endpoint.path = rest.substr(0, hash);
  if (hash != std::string_view::npos) url.object = rest.substr(hash + 1);
  check_characters(text, url.object);
  const std::string& path = url.endpoint.path;
  const auto is_blank = [](char c) { return (c >= 0 && c <= ' ') || c == '\x7f'; };
  if (std::ranges::any_of(path, is_blank)) refuse(text, "the path contains a blank");
  if (!path.starts_with('/')) refuse(text, "the path is not absolute");
  if (path.ends_with('/')) refuse(text, "the path is a directory");
  return url;
}

Url parse_unix_url(std::string_view text) {
  Url url = parse_path(text, text.substr(unix_scheme.size()), {});
  const std::string& path = url.endpoint.path;
  if (path.size() > longest_path) {
    refuse(text, "the path of a Unix-domain socket has at most " + std::to_string(longest_path) +
                     " bytes, this one has " + std::to_string(path.size()));
  }
  return url;
}

}  // namespace

bool is_loopback(const std::string& host) {
  in_addr address{};
  const bool is_number = ::inet_pton(AF_INET, host.c_str(), &address) == 1;
  return host == "localhost" || host == "::1" || (is_number && host.starts_with("127."));
}

Endpoint plain(const Endpoint& endpoint) {
  Endpoint result = endpoint;
  if (!result.path.empty()) {
    result.path = std::filesystem::path(result.path).lexically_normal().string();
    return result;
  }
  std::string& host = result.host;
  in_addr number{};
  in6_addr address{};
  char text[INET6_ADDRSTRLEN];
  const std::size_t zone = std::min(host.find('%'), host.size());
  if (::inet_pton(AF_INET6, host.substr(0, zone).c_str(), &address) == 1) {
    const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&address);
    std::memcpy(&number, &address.s6_addr[12], sizeof number);
    const void* const bytes = is_mapped ? static_cast<const void*>(&number) : &address;
    // Of other addresses the kernel ignores the zone.
    const std::string rest = IN6_IS_ADDR_LINKLOCAL(&address) ? host.substr(zone) : "";
    host = ::inet_ntop(is_mapped ? AF_INET : AF_INET6, bytes, text, sizeof text) + rest;
  } else if (::inet_aton(host.c_str(), &number) == 1) {
    host = ::inet_ntop(AF_INET, &number, text, sizeof text);
  } else {
    if (host.ends_with('.')) host.pop_back();
    for (char& each : host) each = each >= 'A' && each <= 'Z' ? static_cast<char>(each + 32) : each;
  }
  if (host == "0.0.0.0") host = "127.0.0.1";  // where such connections go
  if (host == "::") host = "::1";
  return result;
}

std::string Endpoint::text() const {
  if (!path.empty()) return path;
  const bool brackets = host.find(':') != std::string::npos;
  return (brackets ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Url parse_url(std::string_view text) {
  const bool is_unix = text.starts_with(unix_scheme);
  const bool is_other = !is_unix && names_transport(text);
  if (!is_unix && !is_other && !text.starts_with(scheme)) {
    refuse(text, "it does not begin with simhandle://");
  }
  if (text.size() > max_name) refuse(text, "it is too long");
  if (is_unix) return parse_unix_url(text);
  Url url;
  std::string_view rest = text.substr(std::min(text.size(), scheme.size()));
  if (is_other) {
    const Other other = read_transport(text, url.endpoint.via);
    rest = other.rest;
    if (other.transport.has_paths()) return parse_path(text, rest, std::move(url));
  }
  check_characters(text, text);
  const std::size_t slash = rest.find('/');
  const std::string_view authority = rest.substr(0, slash);
  const std::string_view port = authority.substr(read_host(text, authority, url.endpoint.host));
  if (url.endpoint.host.empty()) refuse(text, "the host is missing");
  const auto [end, status] =
      std::from_chars(port.data(), port.data() + port.size(), url.endpoint.port);
  if (status != std::errc() || end != port.data() + port.size()) {
    refuse(text, "the port is not a number from 0 to 65535");
  }
  if (slash != std::string_view::npos) url.object = rest.substr(slash + 1);
  if (url.object.find('/') != std::string::npos) refuse(text, "'/' within the object");
  return url;
}

std::string_view transport_named(std::string_view url) {
  if (url.starts_with(scheme)) return "tcp";
  if (url.starts_with(other_schemes)) url.remove_prefix(other_schemes.size());
  const std::size_t end = url.find(end_of_scheme);
  return end == std::string_view::npos ? std::string_view() : url.substr(0, end);
}

std::string make_url(const Endpoint& endpoint, std::string_view object) {
  const bool has_path = !endpoint.path.empty();
  const bool is_other = !endpoint.via.empty();
  std::string url;
  if (is_other) {
    if (!is_scheme_of_transport(endpoint.via)) url = other_schemes;
    url.append(endpoint.via).append(end_of_scheme);
  } else {
    url = has_path ? unix_scheme : scheme;
  }
  url += endpoint.text();
  if (!object.empty()) url.append(has_path ? "#" : "/").append(object);
  return url;
}

}  // namespace shinar::wire
