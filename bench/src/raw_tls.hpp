// The same messages over TLS 1.3, by OpenSSL on a blocking socket: a record for each 16 KiB, head
// and doubles of small messages in one.
#pragma once

#include <openssl/ssl.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "raw_socket.hpp"

namespace raw {

class Tls {
 public:
  // The server has the certificate that the environment names, which the client does not look at.
  Tls(int socket, bool is_server)
      : context_(SSL_CTX_new(TLS_method()), &SSL_CTX_free), socket_(socket) {
    const int one = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_3_VERSION);
    SSL_CTX_set_read_ahead(context_.get(), 1);
    if (is_server) {
      use(SSL_CTX_use_certificate_chain_file(context_.get(), std::getenv("SIDL_TLS_CERT")));
      use(SSL_CTX_use_PrivateKey_file(context_.get(), std::getenv("SIDL_TLS_KEY"),
                                      SSL_FILETYPE_PEM));
      SSL_CTX_set_num_tickets(context_.get(), 0);
    }
    session_.reset(SSL_new(context_.get()));
    use(SSL_set_fd(session_.get(), socket_));
    use(is_server ? SSL_accept(session_.get()) : SSL_connect(session_.get()));
  }
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;
  ~Tls() { close(socket_); }

  void send(const double* values, size_t count, uint64_t flags = 0) {
    const Head head{count | flags};
    const size_t size = sizeof head + 8 * count;
    const size_t first = std::min(size, record_.size());
    std::memcpy(record_.data(), &head, sizeof head);
    if (count != 0) std::memcpy(record_.data() + sizeof head, values, first - sizeof head);
    write(record_.data(), first);
    const char* const rest = reinterpret_cast<const char*>(values) + (first - sizeof head);
    if (size > first) write(rest, size - first);
  }

  bool receive(std::vector<double>& values, size_t& count, uint64_t* flags = nullptr) {
    Head head;
    if (!read(&head, sizeof head)) return false;
    count = head.count & ~all_flags;
    if (flags != nullptr) *flags = head.count & all_flags;
    if (values.size() < count) values.resize(count);
    return read(values.data(), 8 * count);
  }

 private:
  static void use(int result) {
    if (result != 1) throw std::runtime_error("raw TLS does not work");
  }
  void write(const char* bytes, size_t size) {
    size_t written = 0;
    if (SSL_write_ex(session_.get(), bytes, size, &written) != 1) {
      throw std::runtime_error("raw TLS cannot write");
    }
  }
  bool read(void* to, size_t size) {
    char* out = static_cast<char*>(to);
    while (size > 0) {
      size_t got = 0;
      if (SSL_read_ex(session_.get(), out, size, &got) != 1) return false;
      out += got;
      size -= got;
    }
    return true;
  }

  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  const int socket_;
  std::unique_ptr<SSL, decltype(&SSL_free)> session_{nullptr, &SSL_free};
  std::vector<char> record_ = std::vector<char>(SSL3_RT_MAX_PLAIN_LENGTH);
};

}  // namespace raw
