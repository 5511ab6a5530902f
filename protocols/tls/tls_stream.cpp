#include "tls_stream.hpp"

#include <linux/sockios.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "core/error.hpp"
#include "sidl_log.h"
#include "tls_files.hpp"
#include "tls_names.hpp"

namespace shinar::wire::tls {
namespace {

using std::chrono::milliseconds;

/** Bytes of one record. */
constexpr std::size_t longest = SSL3_RT_MAX_PLAIN_LENGTH;
/** The other direction has its turn after so many records. */
constexpr int records_in_a_turn = 8;
constexpr const char binding_label[] = "EXPORTER-Channel-Binding";  // RFC 9266
constexpr std::size_t binding_bytes = 32;

// What a client can make the server's end take: 66 KiB for the pipe, the rest OpenSSL's, as
// measured with release 3.0.
/** A message that is announced as long as OpenSSL allows has a buffer at once, whatever it is. */
constexpr std::uint64_t most_shaking = std::uint64_t{320} << 10;
/** Certificates are looked into before anybody knows whether they are any good. */
constexpr std::uint64_t most_shaking_with_certificates = std::uint64_t{512} << 10;
/** 15 KiB if it is idle; records that are read or written in part, and a change of keys. */
constexpr std::uint64_t most_established = std::uint64_t{120} << 10;
/** Lists in it are kept: one of algorithms, of two bytes each, also with a pointer for each. */
constexpr std::uint64_t times_hello = 5;
/** They are kept as they came, and taken to pieces, of which there are many small ones. */
constexpr std::uint64_t times_certificates = 10;
/** Of a client's first messages, of which others have some hundreds. */
constexpr std::size_t most_hello = 16384;

using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;

bool is_address(const std::string& host) {
  const std::unique_ptr<ASN1_OCTET_STRING, decltype(&::ASN1_OCTET_STRING_free)> address(
      ::a2i_IPADDRESS(host.c_str()), &::ASN1_OCTET_STRING_free);
  ::ERR_clear_error();
  return address != nullptr;
}

/** Of the thread, as SSL_get_error looks at them; there mostly are none, which is cheap to ask. */
void forget_errors() {
  if (::ERR_peek_error() != 0) ::ERR_clear_error();
}

}  // namespace

/** The lock. */
class TlsStream::Turn {
 public:
  explicit Turn(const TlsStream& stream) : stream_(stream) {
    stream.wanting_.fetch_add(1, std::memory_order_relaxed);
    stream.mutex_.lock();
    stream.wanting_.fetch_sub(1, std::memory_order_relaxed);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { stream_.mutex_.unlock(); }

 private:
  const TlsStream& stream_;
};

TlsStream::TlsStream(Socket socket, std::string peer, Context context)
    : socket_(std::move(socket)), peer_(std::move(peer)), is_client_(false), pipe_(socket_.fd()) {
  use_.begin(users(), *this);
  const Turn turn(*this);
  if (is_shut_down_) throw Error(Failure::connect, "the process ends");
  make_session(context);
  ::SSL_set_accept_state(session_.get());
  ::SSL_set_msg_callback(session_.get(), &TlsStream::note_message);
  ::SSL_set_msg_callback_arg(session_.get(), this);
}

TlsStream::TlsStream(Socket socket, std::string peer, Context context, const std::string& host)
    : socket_(std::move(socket)),
      peer_(std::move(peer)),
      host_(host),
      is_client_(true),
      pipe_(socket_.fd()) {
  make_session(context);
  SSL* const raw = session_.get();
  ::SSL_set_connect_state(raw);
  const bool has_address = is_address(host);
  const bool is_set =
      has_address ? ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(raw), host.c_str()) == 1
                  : ::SSL_set1_host(raw, host.c_str()) == 1 &&
                        ::SSL_set_tlsext_host_name(raw, host.c_str()) == 1;
  if (!is_set) throw std::bad_alloc();
  ::SSL_set_hostflags(raw,
                      X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  SSL_set_app_data(raw, this);
  ::SSL_set_verify(raw, ::SSL_get_verify_mode(raw), &TlsStream::look_at_certificate);
}

void TlsStream::make_session(const Context& context) {
  session_.reset(::SSL_new(context.get()));
  if (session_ == nullptr) throw std::bad_alloc();
  BIO* const bio = pipe_.make_bio();
  ::SSL_set_bio(session_.get(), bio, bio);
}

TlsStream::~TlsStream() {
  if (made_by_.is_current()) {
    const std::lock_guard lock(mutex_);
    session_.reset();
  } else {
    // A child leaves the parent's session as it is: another thread may have been using it.
    static_cast<void>(session_.release());
  }
}

LibraryUsers& TlsStream::users() {
  static auto* const users = new LibraryUsers("OpenSSL");
  return *users;
}

std::shared_ptr<void> TlsStream::leave_library() {
  const std::lock_guard lock(mutex_);
  is_shut_down_ = true;
  has_shaken_hands_ = false;
  has_failed_ = true;
  is_ending_ = false;
  socket_.shut_down();
  return std::move(session_);
}

// ---- the handshake
// -------------------------------------------------------------------------------------

/** True when it is done; else errno. */
bool TlsStream::go_on_shaking() const {
  if (has_shaken_hands_) return true;
  errno = ECONNRESET;
  if (has_failed_ || is_shut_down_) return false;
  int how = SSL_ERROR_NONE;
  do {
    ::ERR_clear_error();
    const int done = ::SSL_do_handshake(session_.get());
    pipe_.flush();
    if (hello_bytes_ > most_hello) return hello_is_too_long();
    has_shaken_hands_ = done == 1;
    if (has_shaken_hands_) pipe_.end_handshake();
    if (has_shaken_hands_) return true;
    how = ::SSL_get_error(session_.get(), done);
  } while (how == SSL_ERROR_WANT_READ && (pipe_.fill() >= 0 || errno == EINTR));
  if (how == SSL_ERROR_WANT_READ && errno == EAGAIN) return false;
  failure_ = why_not_shaken(how == SSL_ERROR_WANT_READ ? SSL_ERROR_SYSCALL : how);
  has_failed_ = true;
  errno = ECONNRESET;
  return false;
}

/** What is in it would be kept as long as the connection exists. */
bool TlsStream::hello_is_too_long() const {
  failure_ = Error(Failure::protocol, "no connection over TLS: the client's first message has " +
                                          std::to_string(hello_bytes_) + " bytes, the limit is " +
                                          std::to_string(most_hello));
  has_failed_ = true;
  errno = ECONNRESET;
  return false;
}

/** How long what the client sends is, which says how much of it is kept. */
void TlsStream::note_message(int is_sent, int /*version*/, int kind, const void* bytes,
                             std::size_t size, SSL* /*session*/, void* self) {
  if (is_sent != 0 || kind != SSL3_RT_HANDSHAKE || size == 0) return;
  auto& stream = *static_cast<TlsStream*>(self);
  const int type = *static_cast<const unsigned char*>(bytes);
  if (type == SSL3_MT_CLIENT_HELLO) stream.hello_bytes_ += size;
  if (type == SSL3_MT_CERTIFICATE) stream.certificate_bytes_ += size;
}

/** That the handshake failed, once. */
void TlsStream::throw_failure() {
  if (!failure_) return;
  const Error failure = *failure_;
  failure_.reset();
  throw failure;
}

Error TlsStream::why_not_shaken(int how) const {
  const int err = errno;
  const unsigned long first = ::ERR_peek_error();
  const int reason = ERR_GET_REASON(first);
  const std::string text = take_errors();
  std::string why = text;
  if (how == SSL_ERROR_SYSCALL || text.empty() || reason == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
    why = std::string("the peer closed the connection") +
          (how == SSL_ERROR_SYSCALL && err != 0 ? std::string(": ") + std::strerror(err) : "");
  } else if (is_client_ && reason == SSL_R_CERTIFICATE_VERIFY_FAILED) {
    why = why_not_verified();
  } else if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST) {
    if (!is_client_) say_that_this_is_tls();
    why = is_client_
              ? "the server does not speak TLS (does it listen at simhandle://, without tls?)"
              : "the client does not speak TLS (its URL may lack +tls)";
  }
  return Error(is_client_ ? Failure::no_server : Failure::protocol,
               "no connection over TLS: " + why);
}

/** OpenSSL says nothing to who speaks something else; by this, a client of ours finds out. */
void TlsStream::say_that_this_is_tls() const {
  constexpr unsigned char alert[] = {SSL3_RT_ALERT,          3, 3, 0, 2, SSL3_AL_FATAL,
                                     SSL_AD_PROTOCOL_VERSION};
  static_cast<void>(::send(socket_.fd(), alert, sizeof alert, MSG_DONTWAIT | MSG_NOSIGNAL));
}

std::string TlsStream::why_not_verified() const {
  const long result = ::SSL_get_verify_result(session_.get());
  if (result == X509_V_ERR_HOSTNAME_MISMATCH || result == X509_V_ERR_IP_ADDRESS_MISMATCH) {
    if (shown_ == host_) {
      return "the server's certificate has '" + host_ +
             "' as its common name alone, which does not count: it needs it among its alternative "
             "names (subjectAltName)";
    }
    return "the server's certificate is that of '" + shown_ + "', and not for '" + host_ + "'";
  }
  return std::string("the server's certificate is not to be believed: ") +
         ::X509_verify_cert_error_string(result) + " (SIDL_TLS_CA names whose certificates are)";
}

/** OpenSSL forgets a certificate that it does not believe. */
int TlsStream::look_at_certificate(int is_good, X509_STORE_CTX* looked_at) {
  const int index = ::SSL_get_ex_data_X509_STORE_CTX_idx();
  auto* const session = static_cast<SSL*>(::X509_STORE_CTX_get_ex_data(looked_at, index));
  auto* const self = static_cast<TlsStream*>(SSL_get_app_data(session));
  X509* const shown = ::X509_STORE_CTX_get0_cert(looked_at);
  if (is_good == 0 && shown != nullptr) self->shown_ = name_in(shown);
  return is_good;
}

void TlsStream::shake_hands(Clock::time_point until) {
  for (;;) {
    {
      const Turn turn(*this);
      if (go_on_shaking()) return;
      throw_failure();
    }
    if (wait_for(socket_.fd(), POLLIN, until) == 0) {
      throw Error(Failure::no_server,
                  "the server accepted the connection but did not answer the handshake of TLS (it "
                  "may be overloaded or stopped)",
                  Fate::not_sent, ETIMEDOUT);
    }
  }
}

// ---- receiving
// -------------------------------------------------------------------------------------

/** The connection is no good any more; errno says why. */
ssize_t TlsStream::lost(int how) {
  const int err = errno;
  has_failed_ = true;
  const unsigned long first = ::ERR_peek_error();
  const bool is_alert = how == SSL_ERROR_SSL && ERR_GET_REASON(first) >= SSL_AD_REASON_OFFSET;
  const std::string why = text_of(first);
  if (is_client_ && is_alert && !has_received_) {
    throw Error(Failure::no_server,
                "the server does not accept this client: " + why +
                    " (SIDL_TLS_CERT and SIDL_TLS_KEY name the client's certificate and key)");
  }
  if (!why.empty()) {
    const std::string line = "the connection of " + peer_ + " is lost: " + why;
    sidl_log(sidl_log_detail, "tls", line.c_str());
  }
  errno = how == SSL_ERROR_SYSCALL && err != 0 && why.empty() ? err : ECONNRESET;
  return -1;
}

/** Of one record; as recv. */
ssize_t TlsStream::read_record(std::span<std::byte> to) {
  std::size_t got = 0;
  forget_errors();
  const int done = ::SSL_read_ex(session_.get(), to.data(), to.size(), &got);
  if (done == 1) {
    has_received_ = true;
    return static_cast<ssize_t>(got);
  }
  const int how = ::SSL_get_error(session_.get(), done);
  if (how == SSL_ERROR_ZERO_RETURN) return 0;
  if (how != SSL_ERROR_WANT_READ && how != SSL_ERROR_WANT_WRITE) return lost(how);
  errno = EAGAIN;
  return -1;
}

/** As recv without waiting. */
ssize_t TlsStream::take(std::span<std::byte> to) {
  if (is_shut_down_) return 0;
  go_on_ending();
  if (!go_on_shaking()) {
    throw_failure();
    return -1;
  }
  std::size_t total = 0;
  for (int i = 0; i < records_in_a_turn && total < to.size(); ++i) {
    if (total != 0 && pipe_.is_drained() && !has_record()) break;
    const ssize_t got = has_something() ? read_record(to.subspan(total)) : -1;
    if (got <= 0 && total == 0) return got;
    if (got <= 0) break;
    total += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(total);
}

/** What has been received already is enough. */
bool TlsStream::has_record() const {
  return ::SSL_pending(session_.get()) != 0 || pipe_.has_record();
}

/** True if OpenSSL gets on when it reads; else errno, as of recv. */
bool TlsStream::has_something() const {
  while (!has_record()) {
    const ssize_t got = pipe_.fill();
    if (got == 0) break;  // it shall say whether that was to be expected
    if (got < 0) return false;
  }
  return true;
}

/** False if only what comes from the socket helps: who waits has looked there, and may sleep. */
bool TlsStream::may_go_on() const {
  const Turn turn(*this);
  return !has_shaken_hands_ || has_failed_ || is_shut_down_ || is_ending_ || has_record();
}

/**
 * Who sleeps until the peer sends something receives that in the same call of the system: once the
 * hands are shaken only who receives asks the socket. More follows in calls of its own.
 */
ssize_t TlsStream::receive(void* to, std::size_t size, bool waits) {
  if (!made_by_.is_current()) return 0;
  std::array<char, 2048> bytes;
  const bool sleeps = waits && !may_go_on();
  const ssize_t come = sleeps ? ::recv(socket_.fd(), bytes.data(), bytes.size(), 0) : 0;
  if (come < 0) return -1;
  bool is_new = sleeps;
  for (Clock::time_point until{};;) {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(is_new, false)) {
        pipe_.put(bytes.data(), static_cast<std::size_t>(come), bytes.size());
      }
      const ssize_t got = take({static_cast<std::byte*>(to), size});
      if (got >= 0 || errno != EAGAIN) return got;
    }
    if (!waits || !await(POLLIN, until, receiving_)) return -1;
  }
}

ssize_t TlsStream::poll(void* to, std::size_t size) {
  errno = EAGAIN;
  // A spinning reader lets others have the lock.
  if (wanting_.load(std::memory_order_relaxed) != 0 || !made_by_.is_current()) return -1;
  const Turn turn(*this);
  return take({static_cast<std::byte*>(to), size});
}

/** A record that has come in part does not count. */
bool TlsStream::has_buffered() const {
  if (!made_by_.is_current()) return false;
  const Turn turn(*this);
  if (!go_on_shaking()) return has_failed_;
  return has_record();
}

/**
 * Sleeps until something happens; false, with errno, if `until`, set at first, has come. errno as
 * poll if it is interrupted.
 */
bool TlsStream::await(short events, Clock::time_point& until, milliseconds patience) const {
  const auto now = Clock::now();
  if (until == Clock::time_point()) until = now + patience;
  errno = EAGAIN;
  if (now >= until) return false;
  pollfd something{socket_.fd(), events, 0};
  const auto left = std::chrono::ceil<milliseconds>(until - now);
  const int ready = ::poll(&something, 1, static_cast<int>(left.count()));
  if (ready == 0) errno = EAGAIN;
  return ready > 0;
}

// ---- sending
// -------------------------------------------------------------------------------------

ssize_t TlsStream::send(std::span<const std::byte> bytes, bool waits) {
  const iovec whole{const_cast<std::byte*>(bytes.data()), bytes.size()};
  return send({&whole, 1}, waits);
}

ssize_t TlsStream::send(std::span<const iovec> pieces, bool waits) {
  if (!made_by_.is_current()) {
    errno = EPIPE;
    return -1;
  }
  for (Clock::time_point until{};;) {
    {
      const Turn turn(*this);
      const ssize_t sent = attempt(pieces);
      if (sent >= 0 || errno != EAGAIN) return sent;
    }
    if (!waits || !await(POLLOUT, until, sending_)) return -1;
  }
}

/** As sendmsg without waiting. */
ssize_t TlsStream::attempt(std::span<const iovec> pieces) {
  const bool is_new = begun_ == accepted_;
  const bool is_flushed = pipe_.flush();
  if (is_flushed && !is_new) {
    // Offered again, though it has left meanwhile: also if the connection has ended since.
    return static_cast<ssize_t>(begun_ - std::exchange(accepted_, begun_));
  }
  if (pipe_.err() != 0 && !has_failed_ && !is_shut_down_) hear_why();
  if (is_shut_down_ || has_failed_ || pipe_.err() != 0) {
    errno = EPIPE;
    return -1;
  }
  if (!is_flushed || !go_on_shaking()) {
    errno = EAGAIN;
    return -1;
  }
  for (int i = 0; i < records_in_a_turn; ++i) {
    const std::size_t size = encrypt_some(pieces, begun_ - accepted_);
    if (size == 0) break;
    last_record_ = begun_;
    begun_ += size;
    if (pipe_.kept() != 0) break;
  }
  if (begun_ == accepted_) {
    hear_why();
    errno = EPIPE;
    return -1;
  }
  // Who hears that nothing was sent may send something else.
  const std::uint64_t done = pipe_.kept() == 0 ? begun_ : std::max(last_record_, accepted_ + 1);
  return static_cast<ssize_t>(done - std::exchange(accepted_, done));
}

/**
 * A server that does not accept its client says so after the client has shaken hands, and closes:
 * throws Error if it has.
 */
void TlsStream::hear_why() {
  constexpr int most = 4;  // looks at what has come
  if (!is_client_ || has_received_) return;
  for (int i = 0; i < most && !has_record() && pipe_.fill() > 0;) ++i;
  std::byte first{};
  std::size_t got = 0;
  forget_errors();
  if (!has_record() || ::SSL_peek_ex(session_.get(), &first, 1, &got) == 1) return;
  static_cast<void>(lost(::SSL_get_error(session_.get(), 0)));
}

/** A record of what lies behind the first `skip` bytes; returns its size, 0: there is nothing. */
std::size_t TlsStream::encrypt_some(std::span<const iovec> pieces, std::size_t skip) {
  while (!pieces.empty() && skip >= pieces.front().iov_len) {
    skip -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  if (pieces.empty()) return 0;
  const auto* from = static_cast<const std::byte*>(pieces.front().iov_base) + skip;
  std::size_t size = std::min(pieces.front().iov_len - skip, longest);
  if (size < longest && pieces.size() > 1) {
    gathered_.assign(from, from + size);
    for (const iovec& each : pieces.subspan(1)) {
      const auto* const bytes = static_cast<const std::byte*>(each.iov_base);
      const std::size_t more = std::min(each.iov_len, longest - gathered_.size());
      gathered_.insert(gathered_.end(), bytes, bytes + more);
    }
    from = gathered_.data();
    size = gathered_.size();
  }
  std::size_t written = 0;
  forget_errors();
  if (++records_ > records_per_key_) {
    ::SSL_key_update(session_.get(), SSL_KEY_UPDATE_NOT_REQUESTED);  // before what is written next
    records_ = 1;
  }
  if (::SSL_write_ex(session_.get(), from, size, &written) == 1) return written;
  has_failed_ = true;
  return 0;
}

void TlsStream::rest_sending() {
  if (!made_by_.is_current()) return;
  const Turn turn(*this);
  gathered_ = {};
  pipe_.rest();
  if (session_ != nullptr) ::SSL_free_buffers(session_.get());
}

int TlsStream::unsent() const {
  if (!made_by_.is_current()) return 0;
  const Turn turn(*this);
  int bytes = 0;
  if (::ioctl(socket_.fd(), SIOCOUTQ, &bytes) != 0) bytes = 0;
  return bytes + (pipe_.err() == 0 ? static_cast<int>(pipe_.kept()) : 0);
}

// ---- what is known of the peer
// -------------------------------------------------------------------------------------

std::string TlsStream::carriers() const {
  if (!made_by_.is_current()) return "";
  const Turn turn(*this);
  if (!has_shaken_hands_) return "";
  return std::string(::SSL_get_version(session_.get())) + ", " +
         ::SSL_get_cipher_name(session_.get());
}

Identity TlsStream::identity() const {
  if (!made_by_.is_current()) return {};
  const Turn turn(*this);
  if (!has_shaken_hands_ || (is_client_ && believes_any_server())) return {};
  const Certificate shown(::SSL_get1_peer_certificate(session_.get()), &::X509_free);
  if (shown == nullptr) return {};
  return {.name = name_in(shown.get()), .proof = "tls"};
}

std::vector<std::byte> TlsStream::binding() const {
  if (!made_by_.is_current()) return {};
  const Turn turn(*this);
  std::vector<std::byte> bytes(binding_bytes);
  const bool is_made =
      has_shaken_hands_ &&
      ::SSL_export_keying_material(session_.get(), reinterpret_cast<unsigned char*>(bytes.data()),
                                   bytes.size(), binding_label, sizeof binding_label - 1, nullptr,
                                   0, 0) == 1;
  return is_made ? bytes : std::vector<std::byte>();
}

std::uint64_t TlsStream::own_memory() const {
  if (!made_by_.is_current()) return 0;
  const Turn turn(*this);
  if (has_shaken_hands_) {
    return most_established + times_hello * hello_bytes_ + times_certificates * certificate_bytes_;
  }
  const bool looks_at_certificates =
      session_ != nullptr && (::SSL_get_verify_mode(session_.get()) & SSL_VERIFY_PEER) != 0;
  return looks_at_certificates ? most_shaking_with_certificates : most_shaking;
}

// ---- the end
// -------------------------------------------------------------------------------------

/** The peer shall know that nothing was cut off. */
void TlsStream::say_end() {
  const bool is_said = (::SSL_get_shutdown(session_.get()) & SSL_SENT_SHUTDOWN) != 0;
  if (has_shaken_hands_ && !has_failed_ && !is_said) ::SSL_shutdown(session_.get());
}

void TlsStream::finish_sending() {
  if (!made_by_.is_current()) return;
  const Turn turn(*this);
  if (is_shut_down_) return;
  is_ending_ = true;
  go_on_ending();
}

/** What the socket did not take comes first. Whoever waits for the end of the peer looks on. */
void TlsStream::go_on_ending() {
  if (!is_ending_) return;
  if (pipe_.flush()) say_end();  // once
  if (pipe_.err() == 0 && !pipe_.flush()) return;
  is_ending_ = false;
  ::shutdown(socket_.fd(), SHUT_WR);
}

void TlsStream::shut_down() {
  if (!made_by_.is_current()) return;
  const Turn turn(*this);
  if (std::exchange(is_shut_down_, true)) return;
  if (pipe_.flush()) say_end();
  socket_.shut_down();
}

}  // namespace shinar::wire::tls
