#include "tls_context.hpp"

#include <openssl/err.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "sidl_log.h"
#include "sidl_trust.h"
#include "tls_files.hpp"

namespace shinar::wire::tls {
namespace {

/** Of ALPN: peers that speak something else over TLS do not take this for it. */
constexpr std::array<unsigned char, 10> protocol = {9, 's', 'i', 'm', 'h', 'a', 'n', 'd', 'l', 'e'};

/** Of a peer's certificates, which OpenSSL keeps as long as the connection: no memory is claimed.
 */
constexpr long most_certificate_bytes = 32 << 10;

/** OpenSSL's, the fastest first. */
constexpr const char ciphers[] =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

[[noreturn]] void fail(const std::string& what) {
  const std::string why = take_errors();
  throw std::runtime_error(what + (why.empty() ? "" : ": " + why));
}

/** A client that names no protocol is left to the handshake of simhandle. */
int choose_protocol(SSL* /*ssl*/, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned offered_size, void* /*nothing*/) {
  unsigned char* found = nullptr;
  const int how = ::SSL_select_next_proto(&found, size, protocol.data(), protocol.size(), offered,
                                          offered_size);
  *chosen = found;
  return how == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Context make() {
  ::ERR_clear_error();
  Context context(::SSL_CTX_new(::TLS_method()), &::SSL_CTX_free);
  if (context == nullptr) fail("TLS cannot be used");
  SSL_CTX* const raw = context.get();
  if (::SSL_CTX_set_min_proto_version(raw, TLS1_3_VERSION) != 1) fail("no TLS 1.3");
  if (::SSL_CTX_set_ciphersuites(raw, ciphers) != 1) fail("no ciphers");
  ::SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  ::SSL_CTX_set_mode(raw, SSL_MODE_ENABLE_PARTIAL_WRITE);
  ::SSL_CTX_set_read_ahead(raw, 1);  // a record at once: that is what the pipe has
  ::SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  ::SSL_CTX_set_num_tickets(raw, 0);
  ::SSL_CTX_set_max_cert_list(raw, most_certificate_bytes);
  return context;
}

Context make_client() {
  Context context = make();
  SSL_CTX* const raw = context.get();
  if (!use_authorities(raw, sidl_trust_authorities) &&
      ::SSL_CTX_set_default_verify_paths(raw) != 1) {
    fail("the system's authorities cannot be read");
  }
  use_certificate(raw);
  ::SSL_CTX_set_verify(raw, believes_any_server() ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  if (::SSL_CTX_set_alpn_protos(raw, protocol.data(), protocol.size()) != 0) fail("no ALPN");
  return context;
}

Context make_server() {
  Context context = make();
  SSL_CTX* const raw = context.get();
  if (!use_certificate(raw)) {
    throw std::runtime_error(
        "a server needs a certificate and its key: --tls-cert and --tls-key of sidl serve, or "
        "SIDL_TLS_CERT and SIDL_TLS_KEY");
  }
  if (use_authorities(raw, sidl_trust_client_authorities)) {
    ::SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  ::SSL_CTX_set_alpn_select_cb(raw, &choose_protocol, nullptr);
  return context;
}

/** A context, and what it was made of. */
struct Known {
  std::mutex mutex;
  Context context;
  std::uint32_t generation = 0;
};

}  // namespace

bool believes_any_server() {
  const char* const text = std::getenv("SIDL_TLS_INSECURE_ANY_SERVER");
  const bool believes = text != nullptr && std::strcmp(text, "1") == 0;
  static std::atomic<bool> is_said{false};
  if (believes && !is_said.exchange(true)) {
    sidl_log(sidl_log_warning, "tls",
             "servers are not verified: SIDL_TLS_INSECURE_ANY_SERVER is 1, so anybody may pose as "
             "one");
  }
  return believes;
}

Context client_context() {
  static auto* const known = new Known;  // connections are made at the exit, too
  const std::lock_guard lock(known->mutex);
  const std::uint32_t generation = ::sidl_trust_generation();
  if (known->context != nullptr && known->generation == generation) return known->context;
  try {
    known->context = make_client();
  } catch (const std::runtime_error& error) {
    known->context.reset();
    throw Error(Failure::connect, std::string("TLS: ") + error.what());
  }
  known->generation = generation;
  return known->context;
}

Context server_context() {
  static auto* const known = new Known;
  const std::lock_guard lock(known->mutex);
  const std::uint32_t generation = ::sidl_trust_generation();
  if (known->context != nullptr && known->generation == generation) return known->context;
  try {
    known->context = make_server();
  } catch (const std::runtime_error& error) {
    if (known->context == nullptr) throw Error(Failure::bind, std::string("TLS: ") + error.what());
    const std::string line = std::string("the old certificate remains in use: ") + error.what();
    sidl_log(sidl_log_error, "tls", line.c_str());
  }
  known->generation = generation;
  return known->context;
}

}  // namespace shinar::wire::tls
