/**
 * What the frames of a client ask for. Belongs to whoever reads the connection.
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
  small,   ///< runs no code of users
  call,    ///< runs a method, or makes or finds an object
  answer,  ///< to a call of ours
};

class FrameHandlers {
 public:
  using Clock = std::chrono::steady_clock;

  FrameHandlers(ServerConnection& connection, ServerContext& server)
      : connection_(connection), server_(server) {}

  static FrameKind kind_of(FrameType type);

  /**
   * Does what the frame that the worker has read asks for; false if the connection is not this
   * worker's any more. `arrived`, which may be unknown, is when the next call did.
   */
  bool handle(Worker& worker, Clock::time_point& arrived);
  /** Frames that run no user code; false if the connection was closed. Throws Error. */
  bool handle_small(Message& message);
  /** An answer of the client. `self`: who reads in order to wait, or NULL. */
  void take_answer(Message& message, Waiter* self);
  /** A call that is not the worker's to run at once. */
  IncomingCall take_call(Message& message, Clock::time_point arrived);
  /**
   * The first frame has come, so that the client knows of the connection, which may have broken
   * before it could read the welcome. From here on others send over it, too.
   */
  void introduce() {
    if (!is_introduced_) [[unlikely]]
      introduce_now();
  }

 private:
  using Handler = bool (FrameHandlers::*)(Message& message);
  struct Entry {
    FrameKind kind = FrameKind::small;
    Handler handler = &FrameHandlers::malformed_type;  ///< of small frames
  };
  static const Entry& entry_of(FrameType type);

  void introduce_now();
  /** From here on what the call refers to is held. Of each call: inlined where it is read. */
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
  MethodTable named_;  ///< the client's numbers of methods
  bool is_introduced_ = false;
};

}  // namespace shinar::wire
#endif
