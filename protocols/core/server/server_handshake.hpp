/**
 * The server's side of the handshake: receives the client's hello, possibly in parts, and answers
 * it. Belongs to the connection's reader, except is_done().
 */
#ifndef SHINAR_CORE_SERVER_SERVER_HANDSHAKE_HPP
#define SHINAR_CORE_SERVER_SERVER_HANDSHAKE_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

#include "core/handshake.hpp"

namespace shinar::wire {

class ServerConnection;
struct ServerContext;

class ServerHandshake {
 public:
  using Clock = std::chrono::steady_clock;

  ServerHandshake(ServerConnection& connection, ServerContext& server)
      : connection_(connection), server_(server) {}

  /** Continues to read; true when it is done, else the connection was armed or closed. */
  bool go_on();
  /** Any thread. */
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  /**
   * The connection exceeds the limit; `connections`: how many there are. Called before anything is
   * read.
   */
  void refuse_as_surplus(std::size_t connections) { surplus_ = connections; }
  /** True if the handshake has taken too long. Any thread. */
  bool is_overdue(Clock::time_point now) const;
  /** The connection was logged as a detail. */
  bool is_logged() const { return is_logged_; }

 private:
  bool finish();
  /** The welcome or refusal; `text`: its extension, the reason for a refusal or the doors. */
  Welcome answer_to(const Hello& hello, std::string& text) const;
  void open_session(const Hello& hello, const Welcome& welcome);

  ServerConnection& connection_;
  ServerContext& server_;
  const Clock::time_point begin_ = Clock::now();
  std::size_t surplus_ = 0;
  HelloBytes hello_{};
  std::size_t got_ = 0;             ///< bytes of the hello
  std::size_t extension_left_ = 0;  ///< bytes of its extension still to be skipped
  std::atomic<bool> is_done_{false};
  bool is_logged_ = false;
};

}  // namespace shinar::wire
#endif
