/**
 * What a process tells a peer about the reference counts of their session, over any of its
 * connections: a release, or how far an ended connection was read.
 */
#ifndef SHINAR_CORE_NOTICE_HPP
#define SHINAR_CORE_NOTICE_HPP

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "link.hpp"
#include "stream.hpp"

namespace shinar::wire {

struct Notice {
  /** The object of a release; empty: a connection has ended. */
  std::string object;
  /** Number of references, or of messages read. */
  std::uint64_t count = 0;
  /** Of the ended connection. */
  std::uint64_t number = 0;
  /** For what is kept of a release until the peer confirms it; empty: nobody pays. */
  Charge paid{};

  static Notice release(std::string object, std::uint64_t count, Charge paid) {
    return {std::move(object), count, 0, std::move(paid)};
  }
  static Notice settle(const Stream& ended) { return {{}, ended.read(), ended.number}; }
  /**
   * A connection has ended: the notice of that, and unconfirmed ones about others that were sent
   * over it.
   */
  static std::vector<Notice> end_of(Stream& stream);
  /** The notices of a lost entry, to be sent again. */
  static std::vector<Notice> again(Entry& lost);

  /** Encodes the body of the frame; `own`: the connection it is sent over. */
  void encode(Encoder& body, Streams& streams, const Stream* own) const;

  /**
   * Sends it; `streams`: the session's, which a release must not overtake. Throws Error if it was
   * not sent; it may then be sent over another link. `waits`: for the peer to take it, else that is
   * an error, too (time_out).
   */
  void send(Link& link, Streams& streams, bool waits);
};

}  // namespace shinar::wire
#endif
