/**
 * One connection of a client, shared by any number of calling threads.
 *
 * A call runs on the caller's thread from send to receive. Of the threads that wait for replies one
 * is the leader: it reads the socket, keeps its own reply, hands the others theirs, and passes the
 * lead on when it leaves, not before it has handed out all that came together. While it waits it
 * pings a silent peer, and gives the connection up after keepalive_misses intervals without a byte.
 */
#ifndef SIMHANDLE_CLIENT_CONNECTION_HPP
#define SIMHANDLE_CLIENT_CONNECTION_HPP

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bell.hpp"
#include "encoder.hpp"
#include "frame_reader.hpp"
#include "handshake.hpp"
#include "method_numbers.hpp"
#include "socket.hpp"
#include "spin.hpp"

namespace simhandle {

/** A frame that asks for an answer (create, attach, request) or for none (release, …). */
struct Request {
  FrameType type = FrameType::request;
  std::uint8_t flags = 0;
  std::string_view method;   ///< of a request, else empty
  std::uint64_t digest = 0;  ///< of its signature
  Encoder* encoder = nullptr;
};

class ClientConnection {
 public:
  using Clock = std::chrono::steady_clock;
  using Deadline = std::optional<Clock::time_point>;

  /** Takes over a socket on which hands have been shaken. */
  ClientConnection(Socket socket, const Welcome& welcome, const Limits& limits);
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  /** Sends a request and waits for its answer: a reply, exception or error frame. */
  void call(const Request& request, Deadline deadline, Message& answer);

  /** Sends a frame that is not answered. */
  void send(const Request& request);

  /** False once the connection is broken or the server said goodbye: it takes no new calls. */
  bool is_usable() const { return usable_.load(std::memory_order_acquire); }

  /** Reads what came while nobody waited; returns is_usable(). */
  bool refresh();

  /** Says goodbye and closes. Calls in progress fail. */
  void close();

  /** After fork: closes the child's copy of the socket without a word to the server. */
  void abandon();

  /** Calls in progress, counted by the pool. */
  std::atomic<int> in_use{0};
  /** When the last call began: who finds it long ago calls refresh() first. */
  std::atomic<Clock::time_point> last_used{Clock::now()};

 private:
  class Wait;
  struct Waiter {
    Message& message;  ///< the caller's: the answer; until then the leader's to read other frames
    std::uint64_t id = 0;
    bool done = false;       ///< the answer is there; the waiter's thread
    bool taken_out = false;  ///< of waiters_, to be handed its answer; under state_
    /**
     * `look`, rung under state_ while the waiter is in the list: time to lead, or all is lost.
     * `delivered`, rung by whoever took the waiter out of the list: the last ring.
     */
    Bell bell{};
    static constexpr std::uint32_t look = 1, delivered = 2;
  };

  void enter(Waiter& waiter);
  void leave(Waiter& waiter);
  void transmit(FrameHeader& header, const Request& request);
  void await(Waiter& waiter, Deadline deadline);
  void lead(Waiter& waiter, Deadline deadline);
  bool read_one(Waiter* waiter, Wait& wait);
  void handle(Message& message, Waiter* self);
  void deliver(Message& message, Waiter* self);
  void read_goodbye(Message& message);
  void fail(const Error& error);
  void drain();
  void ping();
  [[noreturn]] void throw_broken(Fate fate);

  Socket socket_;
  const std::uint32_t inline_limit_;
  const std::uint64_t message_limit_;
  const std::chrono::milliseconds interval_;

  std::mutex write_;  ///< held while a frame is sent; guards methods_
  MethodNumbers methods_;

  std::mutex state_;  ///< guards the following; never held while waiting for the network
  std::vector<Waiter*> waiters_;
  std::uint64_t next_id_ = 1;
  bool leader_ = false;
  std::optional<Error> broken_;
  std::atomic<bool> usable_{true};

  // The leader's:
  FrameReader reader_;
  ReceiveBuffer buffer_;
  Spin spin_;
  int misses_ = 0;
};

}  // namespace simhandle
#endif
