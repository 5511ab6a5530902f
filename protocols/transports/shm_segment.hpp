/**
 * The memory of a connection: two rings, and sockets to signal each end.
 *
 * The client makes it and passes it to the server over a Unix-domain socket; nothing has a name in
 * the file system, and nothing is left when both processes are gone. The server checks that it is
 * ordinary memory of the right size that can never shrink, so that no access can fail.
 */
#ifndef SHINAR_TRANSPORTS_SHM_SEGMENT_HPP
#define SHINAR_TRANSPORTS_SHM_SEGMENT_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/socket.hpp"
#include "shm_ring.hpp"

namespace shinar::wire::shm {

/** Bytes of each ring. */
constexpr std::size_t ring_bytes = std::size_t{512} << 10;

/** The memory of a connection, mapped. */
class Segment {
 public:
  /** Makes one and sends it over the connected socket; throws Error(connect). */
  static std::unique_ptr<Segment> make(const Socket& socket);
  /**
   * Receives one without waiting. NULL: errno EAGAIN: it has not arrived; 0: the stream has ended;
   * EPROTO: what arrived is no such memory.
   */
  static std::unique_ptr<Segment> receive(const Socket& socket);

  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment();

  /** Signals about space in the rings go through it; it ends with the peer. */
  const Socket space;
  RingWriter out;
  RingReader in;
  RingControl& out_control;
  RingControl& in_control;

 private:
  struct Layout;
  Segment(Layout& layout, std::size_t bytes, bool is_client, Socket space);

  Layout& layout_;
  const std::size_t bytes_;
};

}  // namespace shinar::wire::shm
#endif
