#include "tls_files.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace shinar::wire::tls {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::runtime_error("'" + path + "' " + why);
}

/** "… cannot be read: No such file or directory" */
[[noreturn]] void refuse_unread(const std::string& path, const std::string& what) {
  const std::string why = take_errors();
  refuse(path, "cannot be read as " + what + (why.empty() ? "" : ": " + why));
}

/** OpenSSL would wait at a pipe, and with it all who connect. */
void check_regular(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) {
    refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  }
  if (!S_ISREG(about.st_mode)) refuse(path, "is no regular file");
}

/** A key for others to read is no secret. */
File open_key(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  File file(::fdopen(fd, "r"), &std::fclose);
  if (file == nullptr) {
    ::close(fd);
    refuse(path, "cannot be read: no memory");
  }
  struct stat about {};
  if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) refuse(path, "is no regular file");
  if (about.st_uid != ::geteuid() && about.st_uid != 0) {
    refuse(path, "has a key and belongs to another user");
  }
  if ((about.st_mode & 077) != 0) {
    refuse(path, "has a key and can be used by others: chmod 600 " + path);
  }
  return file;
}

/** Nobody is asked for a passphrase: there may be no terminal. */
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writes*/, void* was_asked) {
  *static_cast<bool*>(was_asked) = true;
  return -1;
}

Key read_key(const std::string& path) {
  const File file = open_key(path);
  bool was_asked = false;
  Key key(::PEM_read_PrivateKey(file.get(), nullptr, &no_passphrase, &was_asked), &::EVP_PKEY_free);
  if (key == nullptr && was_asked) {
    take_errors();
    refuse(path, "has an encrypted key; one without a passphrase is needed");
  }
  if (key == nullptr) refuse_unread(path, "a private key (PEM)");
  return key;
}

void use_revoked(SSL_CTX* context, const std::string& path) {
  check_regular(path);
  X509_STORE* const store = ::SSL_CTX_get_cert_store(context);
  X509_LOOKUP* const lookup = ::X509_STORE_add_lookup(store, ::X509_LOOKUP_file());
  if (lookup == nullptr || ::X509_load_crl_file(lookup, path.c_str(), X509_FILETYPE_PEM) <= 0) {
    refuse_unread(path, "a list of revoked certificates (PEM)");
  }
  ::X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK);
}

}  // namespace

std::optional<std::string> file_of(sidl_trust which) {
  const std::unique_ptr<char, decltype(&std::free)> path(::sidl_trust_file(which), &std::free);
  if (path == nullptr) return std::nullopt;
  if (*path == '\0') {
    throw std::runtime_error(std::string(::sidl_trust_variable(which)) +
                             " is set, and names no file");
  }
  return std::string(path.get());
}

std::string text_of(unsigned long error) {
  if (error == 0) return "";
  if (ERR_SYSTEM_ERROR(error)) return std::strerror(static_cast<int>(ERR_GET_REASON(error)));
  const char* const reason = ::ERR_reason_error_string(error);
  return reason != nullptr ? reason : "error " + std::to_string(error) + " of OpenSSL";
}

std::string take_errors() {
  const unsigned long first = ::ERR_get_error();
  ::ERR_clear_error();
  return text_of(first);
}

bool use_certificate(SSL_CTX* context) {
  const auto certificate = file_of(sidl_trust_certificate);
  const auto key_file = file_of(sidl_trust_key);
  if (!certificate && !key_file) return false;
  if (!certificate) throw std::runtime_error("SIDL_TLS_KEY names a key, SIDL_TLS_CERT nothing");
  check_regular(*certificate);
  ::ERR_clear_error();
  if (::SSL_CTX_use_certificate_chain_file(context, certificate->c_str()) != 1) {
    refuse_unread(*certificate, "certificates (PEM)");
  }
  const Key key = read_key(key_file.value_or(*certificate));
  if (::SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    take_errors();
    refuse(key_file.value_or(*certificate),
           "has not the key of the certificate in '" + *certificate + "'");
  }
  return true;
}

bool use_authorities(SSL_CTX* context, sidl_trust which) {
  const auto path = file_of(which);
  if (path) {
    struct stat about {};
    const bool is_folder = ::stat(path->c_str(), &about) == 0 && S_ISDIR(about.st_mode);
    if (!is_folder) check_regular(*path);
    ::ERR_clear_error();
    if (::SSL_CTX_load_verify_locations(context, is_folder ? nullptr : path->c_str(),
                                        is_folder ? path->c_str() : nullptr) != 1) {
      refuse_unread(*path, "certificates of authorities (PEM)");
    }
  }
  if (const auto revoked = file_of(sidl_trust_revoked)) use_revoked(context, *revoked);
  return path.has_value();
}

}  // namespace shinar::wire::tls
