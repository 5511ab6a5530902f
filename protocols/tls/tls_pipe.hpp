/**
 * OpenSSL's way to a socket, without waiting. What the socket does not take is kept, so that
 * whatever is encrypted counts as written: OpenSSL would want the same bytes again. What has come
 * is read here, several records at a time, so that OpenSSL is not asked in vain.
 */
#ifndef SHINAR_TLS_PIPE_HPP
#define SHINAR_TLS_PIPE_HPP

#include <openssl/bio.h>
#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace shinar::wire::tls {

class Pipe {
 public:
  explicit Pipe(int fd) : fd_(fd) {}
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  /** For SSL_set_bio, which owns it; this object must live longer. Throws std::bad_alloc. */
  BIO* make_bio();

  /** Receives what has come, as recv. */
  ssize_t fill();
  /** What somebody else has received, where there was room for `room` bytes; none: the end. */
  void put(const char* bytes, std::size_t size, std::size_t room);
  /**
   * True if a whole record has been received, for OpenSSL to read, which gets none in part: it
   * would keep the beginning, and nobody could tell any more where the next one begins.
   */
  bool has_record() const { return record() != 0; }
  /** True if the last fill() got all there was: another one would get nothing, most likely. */
  bool is_drained() const { return is_drained_; }

  /** Sends what is kept; true if nothing is left. */
  bool flush();
  std::size_t kept() const { return kept_.size() - sent_; }
  /** Nothing is expected soon: frees memory. */
  void rest();
  /** errno of a socket that is broken, or 0. */
  int err() const { return err_; }
  /** From now on OpenSSL is told of that: before, it shall first read why the peer has closed. */
  void end_handshake() { is_shaking_ = false; }

 private:
  static int write(BIO* bio, const char* bytes, int size);
  static int read(BIO* bio, char* bytes, int size);
  static long control(BIO* bio, int what, long number, void* pointer);
  static const BIO_METHOD* method();
  std::size_t send(const char* bytes, std::size_t size);
  void make_room(std::size_t size);
  std::size_t record() const;

  const int fd_;
  int err_ = 0;
  bool is_shaking_ = true;
  bool has_ended_ = false;
  bool is_drained_ = false;
  std::vector<char> kept_;
  std::size_t sent_ = 0;  ///< of what is kept
  std::vector<char> received_;
  std::size_t begin_ = 0, end_ = 0;  ///< of what OpenSSL has not read yet, in received_
  std::size_t left_ = 0;             ///< of the record that it reads
};

}  // namespace shinar::wire::tls
#endif
