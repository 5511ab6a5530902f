/**
 * Certificates and keys, read from the files that sidl_trust.h names.
 */
#ifndef SHINAR_TLS_FILES_HPP
#define SHINAR_TLS_FILES_HPP

#include <openssl/ssl.h>

#include <memory>
#include <optional>
#include <string>

#include "sidl_trust.h"

namespace shinar::wire::tls {

/** Path of a file; nothing if none was named. Throws std::runtime_error. */
std::optional<std::string> file_of(sidl_trust which);

/** What OpenSSL says of an error; "" of 0. */
std::string text_of(unsigned long error);
/** The same of the first one of this thread, whose errors are forgotten. */
std::string take_errors();

/**
 * Uses the process's certificate with its chain, and the key, which others must not be able to
 * read. False if none was named. Throws std::runtime_error, whose text names the file.
 */
bool use_certificate(SSL_CTX* context);

/**
 * Believes the authorities in the file, or folder, that `which` names, and not those whose
 * certificates were revoked. False if none was named. Throws std::runtime_error.
 */
bool use_authorities(SSL_CTX* context, sidl_trust which);

}  // namespace shinar::wire::tls
#endif
