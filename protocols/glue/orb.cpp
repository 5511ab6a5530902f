#include "orb.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/exports.hpp"
#include "core/object_strands.hpp"
#include "core/policy_reader.hpp"
#include "core/transport.hpp"
#include "glue/serialization.hpp"
#include "sidl_trust.h"

namespace shinar::wire {
namespace {

bool is_any_address(const std::string& host) {
  return host == "0.0.0.0" || host == "::";
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

/** The URL by which peers reach an object; `endpoint` may be a wildcard address. */
std::string public_url(Endpoint endpoint, const std::string& object) {
  if (is_any_address(endpoint.host)) endpoint.host = host_name();
  return make_url(endpoint, object);
}

/** The endpoint given to others: one reachable from other machines, if there is one. */
const Endpoint& public_endpoint(const Server& server) {
  for (const auto& each : server.acceptors()) {
    const Endpoint& endpoint = each->endpoint();
    if (!Transport::of(endpoint).is_local()) return endpoint;
  }
  return server.endpoint();
}

bool is_same(const Endpoint& asked, const Endpoint& own) {
  if (asked.via != own.via) return false;
  if (!own.path.empty() || !asked.path.empty()) {
    std::error_code no_such_file;
    return asked.path == own.path ||
           std::filesystem::equivalent(asked.path, own.path, no_such_file);
  }
  const std::string& host = asked.host;
  const bool same_host = host == own.host || host == "localhost" || host == "127.0.0.1" ||
                         host == "::1" || host == host_name();
  return same_host && asked.port == own.port;
}

}  // namespace

Orb::~Orb() {
  drain(std::chrono::seconds(10));
}

/** In a forked child. */
void Orb::leave_parents_server() {
  if (generation_.is_current()) return;
  generation_.renew();
  running_ = false;
  leave_behind(server_);
  leave_behind(host_);
  host_ = std::make_unique<OrbHost>();
}

std::string Orb::listen(const std::string& url) {
  const Url parts = parse_url(url);
  if (!parts.object.empty()) {
    throw Error(
        Failure::malformed_url,
        "malformed URL '" + url + "': an address to listen on must not have an object part");
  }
  return public_url(listen(parts.endpoint), "");
}

bool Orb::request_port(const std::string& host, int port) {
  if (port < 0 || port > 65535) {
    throw Error(Failure::bind,
                "cannot listen on port " + std::to_string(port) + ": a port must be 0 to 65535");
  }
  try {
    listen(Endpoint{host, static_cast<std::uint16_t>(port)});
    return true;
  } catch (const Error& error) {
    if (error.err() == EADDRINUSE || error.err() == EACCES) return false;
    throw;
  }
}

const Endpoint& Orb::listen(const Endpoint& endpoint) {
  leave_parents_server();
  if (is_running()) {
    throw Error(Failure::bind,
                "this server is already running, on " + url("") + ": call listen() before run()");
  }
  if (server_ != nullptr) return server_->listen(endpoint);
  check_serialization();
  options_.followed_since = ::sidl_trust_generation();
  options_.authenticator = Authenticator::of_process();
  options_.policy = &policy_of_process;
  const char* const audit_file = std::getenv("SIDL_AUDIT_FILE");
  if (audit_file != nullptr && *audit_file == '\0') {
    throw Error(Failure::bind, "SIDL_AUDIT_FILE is set, but names no file");
  }
  options_.audit_file = audit_file == nullptr ? "" : audit_file;
  options_.listen = endpoint;
  server_ = std::make_unique<Server>(*host_, options_);
  return server_->endpoint();
}

void Orb::run() {
  leave_parents_server();
  if (server_ == nullptr) {
    throw Error(Failure::bind, "the server is not listening yet: call listen() or requestPort()");
  }
  if (running_.exchange(true)) return;
  host_->become_current(server_->ledger());
  server_->start();
  Exports::of_process()->look_after_peers();
}

bool Orb::drain(std::chrono::milliseconds patience) {
  leave_parents_server();
  if (!running_.exchange(false)) return true;
  const bool ended = server_->stop(patience);
  host_->resign();  // not earlier: calls in work may still hand out objects
  if (ended) {
    const auto gone = server_->ledger().drop_all();  // what they booked in the meantime
    return !server_->has_cut();
  }
  // Calls that do not end still use server and host: both are leaked.
  static_cast<void>(server_.release());
  static_cast<void>(host_.release());
  host_ = std::make_unique<OrbHost>();
  return false;
}

std::string Orb::url(const std::string& object) const {
  return server() == nullptr ? "" : public_url(public_endpoint(*server_), object);
}

/** No transport is loaded because a URL of a peer names it. */
std::string Orb::local_object(const std::string& url) const {
  if (server() == nullptr) return "";
  const auto& own = server_->acceptors();
  const std::string_view transport = transport_named(url);
  const auto has_transport = [&](const auto& acceptor) {
    return acceptor->endpoint().transport() == transport;
  };
  if (std::ranges::none_of(own, has_transport)) return "";
  try {
    const Url parts = parse_url(url);
    const bool is_own = std::any_of(own.begin(), own.end(), [&](const auto& acceptor) {
      return is_same(parts.endpoint, acceptor->endpoint());
    });
    return is_own ? parts.object : "";
  } catch (const Error&) {
    return "";
  }
}

void Orb::set_verbose(bool verbose) {
  leave_parents_server();
  host_->set_verbose(verbose);
}

void Orb::set_threads(int count) {
  options_.threads = static_cast<unsigned>(std::clamp(count, 2, 1000));
}

void Orb::set_lease(double seconds) {
  const double milliseconds = std::clamp(seconds * 1000.0, 0.0, 4e9);
  options_.limits.lease_ms = static_cast<std::uint32_t>(milliseconds);
  if (server() != nullptr) server_->set_lease(options_.limits.lease_ms);
}

std::vector<std::pair<const char*, std::int64_t>> Orb::statistics() const {
  if (server() == nullptr) return {};
  const auto number = [](auto value) { return static_cast<std::int64_t>(value); };
  const ServerCounters& counters = server_->counters();
  const ObjectStrands::Report report = ObjectStrands::of_process().report();
  return {{"protocolVersion", number(highest_version)},
          {"connections", number(server_->connection_count())},
          {"connectionsAccepted", number(counters.accepted.load())},
          {"connectionsRefused", number(counters.refused.load())},
          {"connectionsBroken", number(counters.errors.load())},
          {"callsInWork", number(server_->calls_in_work())},
          {"callsWaiting", report.waiting},
          {"longestQueue", report.longest},
          {"waitedForMs", report.oldest_ms},
          {"sessions", number(server_->ledger().session_count())},
          {"references", number(server_->ledger().reference_count())},
          {"bytesReceived", number(counters.bytes_received.load())},
          {"bytesSent", number(counters.bytes_sent.load())}};
}

}  // namespace shinar::wire
