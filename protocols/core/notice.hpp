/**
 * What a process tells a peer about the books of their session, over whichever connection there is:
 * a release, or how far a connection that has ended was read.
 */
#ifndef SHINAR_CORE_NOTICE_HPP
#define SHINAR_CORE_NOTICE_HPP

#include <cstdint>
#include <string>

#include "link.hpp"
#include "stream.hpp"

namespace shinar::wire {

struct Notice {
  /** Of a release; empty: a connection has ended. */
  std::string object;
  /** How many references, or how many messages were read. */
  std::uint64_t count = 0;
  /** The connection's. */
  std::uint64_t number = 0;

  static Notice release(const std::string& object, std::uint64_t count) { return {object, count}; }
  static Notice settle(const Stream& ended) { return {{}, ended.read(), ended.number}; }
  /** A connection has ended: that, and what was said over it of others. */
  static std::vector<Notice> end_of(Stream& stream);
  /** Those of a lost entry. */
  static std::vector<Notice> again(const Entry& lost);

  /** Puts a frame's body together; `own`: the connection by which it goes. */
  void encode(Encoder& body, Streams& streams, const Stream* own) const;

  /**
   * Sends it; `streams`: the session's, which a release must not overtake. Throws Error: it did not
   * leave.
   */
  void send(Link& link, Streams& streams) const;
};

}  // namespace shinar::wire
#endif
