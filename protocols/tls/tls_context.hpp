/**
 * What TLS does in this process: TLS 1.3 and nothing older, no resumption, no early data.
 */
#ifndef SHINAR_TLS_CONTEXT_HPP
#define SHINAR_TLS_CONTEXT_HPP

#include <openssl/ssl.h>

#include <memory>

namespace shinar::wire::tls {

using Context = std::shared_ptr<SSL_CTX>;

/** Any thread. Throws Error(connect) if files that were named are no good. */
Context client_context();

/**
 * With the certificate that was read last: if files that are to be read again are no good, that is
 * logged, and the old ones count. Any thread. Throws Error(bind) if there are none yet.
 */
Context server_context();

/** True if servers are not verified, since the user said so by SIDL_TLS_INSECURE_ANY_SERVER. */
bool believes_any_server();

}  // namespace shinar::wire::tls
#endif
