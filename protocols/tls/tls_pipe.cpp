#include "tls_pipe.hpp"

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace shinar::wire::tls {
namespace {

/** Bytes received at a time; at most four records. */
constexpr std::size_t at_first = 2048;
constexpr std::size_t at_most =
    4 * std::size_t{SSL3_RT_HEADER_LENGTH + SSL3_RT_MAX_ENCRYPTED_LENGTH};

}  // namespace

const BIO_METHOD* Pipe::method() {
  static const BIO_METHOD* const made = [] {
    BIO_METHOD* const fresh =
        ::BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "shinar socket");
    if (fresh == nullptr) throw std::bad_alloc();
    ::BIO_meth_set_write(fresh, &Pipe::write);
    ::BIO_meth_set_read(fresh, &Pipe::read);
    ::BIO_meth_set_ctrl(fresh, &Pipe::control);
    return fresh;
  }();
  return made;
}

BIO* Pipe::make_bio() {
  BIO* const bio = ::BIO_new(method());
  if (bio == nullptr) throw std::bad_alloc();
  ::BIO_set_data(bio, this);
  ::BIO_set_init(bio, 1);
  return bio;
}

/** As much as the socket takes now. */
std::size_t Pipe::send(const char* bytes, std::size_t size) {
  std::size_t total = 0;
  while (total < size && err_ == 0) {
    const ssize_t sent = ::send(fd_, bytes + total, size - total, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      total += static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      err_ = errno;
    }
  }
  return total;
}

bool Pipe::flush() {
  if (kept() == 0) return true;
  sent_ += send(kept_.data() + sent_, kept());
  if (kept() != 0) return false;
  kept_.clear();
  sent_ = 0;
  return true;
}

int Pipe::write(BIO* bio, const char* bytes, int size) {
  Pipe& self = *static_cast<Pipe*>(::BIO_get_data(bio));
  ::BIO_clear_retry_flags(bio);
  const auto all = static_cast<std::size_t>(size);
  const std::size_t sent = self.flush() ? self.send(bytes, all) : 0;
  if (self.err_ != 0) {
    errno = self.err_;
    return self.is_shaking_ ? size : -1;
  }
  try {
    self.kept_.insert(self.kept_.end(), bytes + sent, bytes + all);
  } catch (const std::bad_alloc&) {  // OpenSSL's frames are C
    self.err_ = errno = ENOMEM;
    return -1;
  }
  return size;
}

/** For at least so many bytes; strangers who send little cost little. */
void Pipe::make_room(std::size_t size) {
  if (begin_ != 0) std::memmove(received_.data(), received_.data() + begin_, end_ - begin_);
  end_ -= std::exchange(begin_, 0);
  if (end_ + size > received_.size()) {
    received_.resize(std::max(std::clamp(2 * end_, at_first, at_most), end_ + size));
  }
}

void Pipe::put(const char* bytes, std::size_t size, std::size_t room) {
  make_room(size);
  std::copy_n(bytes, size, received_.data() + end_);
  end_ += size;
  is_drained_ = size < room;
  has_ended_ = has_ended_ || size == 0;
}

ssize_t Pipe::fill() {
  make_room(1);
  const std::size_t room = received_.size() - end_;
  const ssize_t got = ::recv(fd_, received_.data() + end_, room, MSG_DONTWAIT);
  if (got > 0) end_ += static_cast<std::size_t>(got);
  is_drained_ = got > 0 && static_cast<std::size_t>(got) < room;
  has_ended_ = has_ended_ || got == 0;
  return got;
}

/**
 * Bytes of the record that has come as a whole, 0 if none has. What is no record goes to OpenSSL as
 * it is, which says so.
 */
std::size_t Pipe::record() const {
  constexpr std::size_t head = SSL3_RT_HEADER_LENGTH;
  const std::size_t here = end_ - begin_;
  if (here == 0 || has_ended_) return here;
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(received_[begin_ + i])};
  };
  if (byte(0) < SSL3_RT_CHANGE_CIPHER_SPEC || byte(0) > SSL3_RT_APPLICATION_DATA) return here;
  if (here < head) return 0;
  const std::size_t size = head + (byte(head - 2) << 8) + byte(head - 1);
  return here >= size ? size : 0;
}

int Pipe::read(BIO* bio, char* bytes, int size) {
  Pipe& self = *static_cast<Pipe*>(::BIO_get_data(bio));
  ::BIO_clear_retry_flags(bio);
  if (self.left_ == 0) self.left_ = self.record();
  if (self.left_ == 0) {
    if (!self.has_ended_) ::BIO_set_retry_read(bio);
    return self.has_ended_ ? 0 : -1;
  }
  const std::size_t count = std::min(static_cast<std::size_t>(size), self.left_);
  std::memcpy(bytes, self.received_.data() + self.begin_, count);
  self.begin_ += count;
  self.left_ -= count;
  return static_cast<int>(count);
}

void Pipe::rest() {
  if (begin_ == end_) {
    received_ = {};
    begin_ = end_ = 0;
  }
  if (kept() == 0) kept_ = {};
}

long Pipe::control(BIO* bio, int what, long /*number*/, void* /*pointer*/) {
  const Pipe& self = *static_cast<const Pipe*>(::BIO_get_data(bio));
  switch (what) {
    case BIO_CTRL_FLUSH:
      return 1;
    case BIO_CTRL_EOF:
      return self.has_ended_ ? 1 : 0;
    case BIO_CTRL_WPENDING:
      return static_cast<long>(self.kept());
    default:
      return 0;
  }
}

}  // namespace shinar::wire::tls
