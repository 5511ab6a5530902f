/**
 * A byte stream over TLS.
 *
 * OpenSSL's objects are for one thread at a time, so reader and writer share a lock, which nobody
 * keeps while he waits. What is encrypted cannot be taken back: bytes whose record the socket has
 * not taken as a whole do not count as sent yet, and are not encrypted again when they are offered
 * again.
 */
#ifndef SHINAR_TLS_STREAM_HPP
#define SHINAR_TLS_STREAM_HPP

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/byte_stream.hpp"
#include "core/checked_mutex.hpp"
#include "core/error.hpp"
#include "core/forking.hpp"
#include "core/library_users.hpp"
#include "core/socket.hpp"
#include "tls_context.hpp"
#include "tls_pipe.hpp"

namespace shinar::wire::tls {

class TlsStream final : public ByteStream, public LibraryUser {
 public:
  using Clock = std::chrono::steady_clock;

  /** The server's end: it shakes hands while it receives, which throws Error if that fails. */
  TlsStream(Socket socket, std::string peer, Context context);
  /** The client's, of a server that has a certificate for the host. */
  TlsStream(Socket socket, std::string peer, Context context, const std::string& host);
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;
  ~TlsStream() override;

  /** Of the client. Throws Error(no_server), and as wait_for. */
  void shake_hands(Clock::time_point until);

  /** A key of AES-GCM is good for 2^24.5 records (RFC 8446, 5.5); then there is a new one. */
  void set_records_per_key(std::uint64_t most) { records_per_key_ = most; }

  ssize_t send(std::span<const iovec> pieces, bool waits) override;
  ssize_t send(std::span<const std::byte> bytes, bool waits) override;
  ssize_t receive(void* to, std::size_t size, bool waits) override;
  ssize_t poll(void* to, std::size_t size) override;
  int descriptor() const override { return socket_.fd(); }
  bool has_buffered() const override;
  void set_patience(std::chrono::milliseconds receiving,
                    std::chrono::milliseconds sending) override {
    receiving_ = receiving;
    sending_ = sending;
    socket_.set_timeout(SO_RCVTIMEO, receiving);
  }
  void rest_sending() override;
  void finish_sending() override;
  void shut_down() override;
  int unsent() const override;
  std::string peer() const override { return peer_; }
  std::string carriers() const override;
  Identity identity() const override;
  std::vector<std::byte> binding() const override;
  std::uint64_t own_memory() const override;

  /** Of servers. Clients take leave of theirs when OpenSSL has ended, as well as they can. */
  static LibraryUsers& users();
  std::shared_ptr<void> leave_library() override;

 private:
  class Turn;
  using Session = std::unique_ptr<SSL, decltype(&::SSL_free)>;

  void make_session(const Context& context);
  bool go_on_shaking() const;
  bool hello_is_too_long() const;
  void throw_failure();
  Error why_not_shaken(int how) const;
  void say_that_this_is_tls() const;
  std::string why_not_verified() const;
  static int look_at_certificate(int is_good, X509_STORE_CTX* looked_at);
  static void note_message(int is_sent, int version, int kind, const void* bytes, std::size_t size,
                           SSL* session, void* self);
  ssize_t take(std::span<std::byte> to);
  bool has_record() const;
  bool may_go_on() const;
  bool has_something() const;
  ssize_t read_record(std::span<std::byte> to);
  ssize_t lost(int how);
  ssize_t attempt(std::span<const iovec> pieces);
  void hear_why();
  std::size_t encrypt_some(std::span<const iovec> pieces, std::size_t skip);
  bool await(short events, Clock::time_point& until, std::chrono::milliseconds patience) const;
  void say_end();
  void go_on_ending();

  LibraryUse use_;  ///< ends after all the rest
  const Socket socket_;
  const std::string peer_;
  const std::string host_;  ///< of a client's server
  const Generation made_by_;
  const bool is_client_;
  std::chrono::milliseconds receiving_{1000}, sending_{1000};
  mutable std::atomic<int> wanting_{0};      ///< threads that want the lock for more than a look
  mutable CheckedMutex<"TlsStream"> mutex_;  ///< guards the following
  mutable Pipe pipe_;
  Session session_{nullptr, &::SSL_free};  ///< ends before the pipe
  mutable bool has_shaken_hands_ = false;
  std::size_t hello_bytes_ = 0, certificate_bytes_ = 0;  ///< that the client has sent
  mutable bool has_failed_ = false;                      ///< to shake hands, or later
  mutable std::optional<Error> failure_{};               ///< to shake hands; until it was thrown
  bool is_shut_down_ = false;
  bool is_ending_ = false;  ///< to send: what is left, and that it is all
  std::string shown_{};     ///< the name in the certificate that the server has shown
  bool has_received_ = false;
  // Sending, in bytes of the stream: accepted_ <= begun_; what lies between is encrypted, and
  // offered again by the caller.
  std::uint64_t begun_ = 0, accepted_ = 0;
  std::uint64_t last_record_ = 0;  ///< where it begins
  std::vector<std::byte> gathered_;
  std::uint64_t records_ = 0;  ///< by the present key
  std::uint64_t records_per_key_ = std::uint64_t{1} << 23;
};

}  // namespace shinar::wire::tls
#endif
