/**
 * One connection as the server keeps it. Idle, it costs this object and a file descriptor.
 *
 * Reading belongs to one worker at a time (see WorkerPool); answering is guarded by `write`, as
 * several calls of one connection may be in work. Whoever runs one of its calls holds a
 * shared_ptr, so that the descriptor stays valid until the last answer has been tried.
 */
#ifndef SIMHANDLE_SERVER_CONNECTION_HPP
#define SIMHANDLE_SERVER_CONNECTION_HPP

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "encoder.hpp"
#include "frame_reader.hpp"
#include "handshake.hpp"
#include "ledger.hpp"
#include "method_numbers.hpp"
#include "socket.hpp"
#include "spin.hpp"

namespace simhandle {

struct ServerConnection : std::enable_shared_from_this<ServerConnection> {
  using Clock = std::chrono::steady_clock;

  ServerConnection(Socket accepted, const Limits& limits)
      : socket(std::move(accepted)),
        reader(limits, std::make_shared<Budget>(limits.memory_bytes)),
        spin(limits.spin_us) {}

  const Socket socket;
  const Clock::time_point accepted = Clock::now();

  // The reading worker's:
  FrameReader reader;
  ReceiveBuffer pending;  ///< received, not used yet
  Spin spin;
  HelloBytes hello{};
  std::size_t hello_got = 0;
  std::size_t extension_left = 0;  ///< bytes of the hello's extension still to be skipped
  std::vector<std::unique_ptr<const Method>> methods;  ///< number n is methods[n - 1]
  std::atomic<bool> greeted{false};

  // Set by the handshake, then constant:
  std::shared_ptr<Session> session;
  std::uint32_t inline_limit = 0;
  std::uint64_t message_limit = 0;
  std::uint32_t keepalive_ms = 0;
  std::string name;  ///< of the peer, if details are logged

  std::mutex write;                  ///< held while frames are sent; guards the following
  Buffer unsent;                     ///< answers to calls that came together, to be sent together
  std::atomic<int> unsent_calls{0};  ///< how many; still in the server's count of calls in work

  std::atomic<int> in_work{0};
  std::atomic<bool> attended{true};    ///< somebody waits for its bytes: epoll or a worker
  std::atomic<bool> throttled{false};  ///< not armed because too many calls are in work
  Clock::time_point last_sign{};  ///< watch thread's: last sign of life, or since when it waits
};

}  // namespace simhandle
#endif
