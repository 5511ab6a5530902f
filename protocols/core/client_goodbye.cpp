/** ClientConnection: how it ends. */
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <utility>

#include "client_connection.hpp"
#include "crew.hpp"

namespace shinar::wire {

using std::chrono::milliseconds;

void ClientConnection::say_goodbye() {
  Encoder body;
  body.put<std::uint32_t>(0);
  body.put_string("the client is done");
  Request request;
  request.type = FrameType::goodbye;
  request.encoder = &body;
  try {
    if (is_usable()) send(request);
  } catch (const std::exception&) {
    // The peer is gone already, or the session's lease ends at the server.
  }
}

void ClientConnection::close(Clock::time_point told) {
  try {
    if (is_usable()) drain(told);
  } catch (const std::exception&) {
    // As above.
  }
  fail(Error(Failure::unexpected_close, "the connection was closed"));
}

/**
 * Reads to the end of the stream, which the server closes when it has read our goodbye. Closing
 * with unread bytes would reset the connection and might discard the goodbye in transit, and the
 * one-way calls before it. Nor would the kernel keep unsent bytes for ever: as long as the server
 * takes some, this waits.
 */
void ClientConnection::drain(Clock::time_point since) {
  constexpr milliseconds peek_time(20);
  constexpr milliseconds farewell(500);  // all was sent: the server may be busy
  if (!become_leader()) return;
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  channel->finish_sending();
  for (int left = channel->unsent();
       !channel->await(true, false, -1, peek_time).readable || channel->discard();) {
    const auto now = Clock::now();
    const int unsent = channel->unsent();
    if (std::exchange(left, unsent) != unsent) since = now;
    if (now - since >= (left == 0 ? farewell : interval_ * keepalive_misses)) break;
  }
  step_down();
}

}  // namespace shinar::wire
