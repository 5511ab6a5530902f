/**
 * Executes the frames of a client. Belongs to the connection's reader.
 */
#ifndef SHINAR_CORE_SERVER_FRAME_HANDLERS_HPP
#define SHINAR_CORE_SERVER_FRAME_HANDLERS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "core/incoming_call.hpp"
#include "core/method_numbers.hpp"
#include "core/waiter.hpp"
#include "core/wire.hpp"

namespace shinar::wire {

class ServerConnection;
struct ServerContext;
class Worker;

enum class FrameKind : std::uint8_t {
  small,   ///< runs no users' code
  call,    ///< runs a method, creates or finds an object
  answer,  ///< to a call of ours
};

class FrameHandlers {
 public:
  using Clock = std::chrono::steady_clock;

  FrameHandlers(ServerConnection& connection, ServerContext& server)
      : connection_(connection), server_(server) {}

  static FrameKind kind_of(FrameType type);

  /** What the names of methods have cost the session. */
  std::uint64_t cost_of_names() const { return named_.cost(); }

  /**
   * Executes the frame that the worker has read; false if the connection is not this worker's any
   * more. `arrived`: arrival time of the next call, if known.
   */
  bool handle(Worker& worker, Clock::time_point& arrived);
  /** Frames that run no user code; false if the connection was closed. Throws Error. */
  bool handle_small(Message& message);
  /**
   * Delivers an answer of the client. `self`: the waiter of a reader that waits for one, or NULL.
   */
  void take_answer(Message& message, Waiter* self);
  /** Takes a call that this thread does not run at once. */
  IncomingCall take_call(Message& message, Clock::time_point arrived);
  /**
   * On the first frame: it shows that the client has received the welcome. From here on other
   * threads may call over the connection, too.
   */
  void introduce() {
    if (!is_introduced_) [[unlikely]]
      introduce_now();
  }

 private:
  using Handler = bool (FrameHandlers::*)(Message& message);
  struct Entry {
    FrameKind kind = FrameKind::small;
    Handler handler = &FrameHandlers::malformed_type;  ///< if kind is small
  };
  static const Entry& entry_of(FrameType type);

  void introduce_now();
  inline void set_deadline(FrameHeader& header) const;
  /** Pins what the call refers to. On the path of each call, hence inlined. */
  [[gnu::always_inline]] inline void note_read(IncomingCall& call);

  bool method(Message& message);
  bool release(Message& message);
  bool settle(Message& message);
  bool cancel(Message& message);
  bool ping(Message& message);
  bool pong(Message& message);
  bool abandon(Message& message);
  bool goodbye(Message& message);
  bool malformed_type(Message& message);

  ServerConnection& connection_;
  ServerContext& server_;
  MethodTable named_;  ///< the client's method numbers
  bool is_introduced_ = false;
};

}  // namespace shinar::wire
#endif
