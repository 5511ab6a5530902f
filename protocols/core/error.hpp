/**
 * What can go wrong on the wire, for client and server alike.
 *
 * An Error carries what the exceptions of package sidl.rmi carry: the failure, errno, and the fate
 * of the request. The core throws it; the SIDL glue turns it into an exception object.
 */
#ifndef SHINAR_CORE_ERROR_HPP
#define SHINAR_CORE_ERROR_HPP

#include <cerrno>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace shinar::wire {

/** Each becomes an exception class of sidl.rmi. The values are sent in error frames. */
enum class Failure : std::uint32_t {
  protocol = 1,
  object_does_not_exist = 2,
  malformed_url = 3,
  unknown_host = 4,
  no_route = 5,
  connect = 6,
  no_server = 7,
  bind = 8,
  time_out = 9,
  unexpected_close = 10,
  cancelled = 11,
  not_allowed = 12,
};
constexpr std::uint32_t last_failure = 12;

/**
 * What became of the request: the values of sidl.rmi.RequestFate. They are sent in error frames.
 */
enum class Fate : std::uint32_t { not_sent = 0, may_have_executed = 1, executed = 2 };
constexpr std::uint32_t last_fate = 2;

/** The text with terminal control characters escaped, except newlines and tabs. */
std::string printable(const std::string& text);

/**
 * The same for text within one line, such as a name or a peer's message: newlines and tabs, too.
 */
std::string in_one_line(const std::string& text);

class Error : public std::runtime_error {
 public:
  /** `text` may have come from a peer: see printable(). */
  Error(Failure failure, const std::string& text, Fate fate = Fate::not_sent, int err = 0)
      : std::runtime_error(printable(text)), failure_(failure), fate_(fate), err_(err) {}
  /** A copy shares no text with the original: threads hand each other copies. */
  Error(const Error& other)
      : std::runtime_error(std::string(other.what())),
        failure_(other.failure_),
        fate_(other.fate_),
        err_(other.err_) {}
  Error& operator=(const Error& other) {
    std::runtime_error::operator=(Error(other));
    failure_ = other.failure_;
    fate_ = other.fate_;
    err_ = other.err_;
    return *this;
  }

  Failure failure() const { return failure_; }
  Fate fate() const { return fate_; }
  /** errno behind the failure, or 0. */
  int err() const { return err_; }

 private:
  Failure failure_;
  Fate fate_;
  int err_;
};

/** The peer sent something that the protocol does not allow. */
inline Error malformed(const std::string& text) {
  return Error(Failure::protocol, "malformed message: " + text, Fate::may_have_executed);
}

/** The text of an exception; that of std::bad_alloc would mean nothing to a peer. */
inline const char* reason_of(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return memory ? "out of memory" : error.what();
}

/** Where an exception says "Resource temporarily unavailable" and no more. */
inline Error no_more_threads(Failure failure, const std::string& consequence) {
  return Error(failure, consequence + ": the system cannot create more threads", Fate::not_sent,
               EAGAIN);
}

/** The server was started anew while a call was prepared, and knows nothing of what that lends: its
 *  caller may prepare it again. */
inline Error lent_in_vain() {
  return Error(Failure::unexpected_close,
               "the server was started anew, and what the call lends was lent to the old one",
               Fate::not_sent, ESTALE);
}
inline bool is_lent_in_vain(const Error& error) {
  return error.err() == ESTALE && error.fate() == Fate::not_sent;
}

}  // namespace shinar::wire
#endif
