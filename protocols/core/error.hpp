/**
 * What can go wrong on the wire, said once for client and server.
 *
 * An Error carries what the exceptions of package sidl.rmi carry: which failure, errno, and what
 * became of the request. The core throws it; the SIDL glue turns it into an object.
 */
#ifndef SHINAR_CORE_ERROR_HPP
#define SHINAR_CORE_ERROR_HPP

#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace shinar::wire {

/** The classes of sidl.rmi that a failure becomes. The values travel in error frames. */
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
};
constexpr std::uint32_t last_failure = 11;

/** What became of the request: the values of sidl.rmi.RequestFate. They travel in error frames. */
enum class Fate : std::uint32_t { not_sent = 0, may_have_executed = 1, executed = 2 };
constexpr std::uint32_t last_fate = 2;

/** The text with what would act on a terminal made visible; ends of lines and tabs stay. */
std::string printable(const std::string& text);

/** The same of what is part of one line: a name, or one message of a peer. */
std::string in_one_line(const std::string& text);

class Error : public std::runtime_error {
 public:
  /** `text` may have come from a peer: what would do something to a terminal is made visible. */
  Error(Failure failure, const std::string& text, Fate fate = Fate::not_sent, int err = 0)
      : std::runtime_error(printable(text)), failure_(failure), fate_(fate), err_(err) {}

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

/** What an exception says; what the system says of memory would mean nothing to a peer. */
inline const char* reason_of(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return memory ? "out of memory" : error.what();
}

}  // namespace shinar::wire
#endif
