/**
 * Names in certificates.
 */
#ifndef SHINAR_TLS_NAMES_HPP
#define SHINAR_TLS_NAMES_HPP

#include <openssl/x509.h>

#include <string>

namespace shinar::wire::tls {

/** The name that a certificate is usually known by: of its subject, else the first other one. */
std::string name_in(X509* certificate);

}  // namespace shinar::wire::tls
#endif
