/**
 * The server's side of the handshake: receives the client's hello, possibly in parts, and answers
 * it; where clients have to prove who they are, then receives their proof. Belongs to the
 * connection's reader, except is_done().
 */
#ifndef SHINAR_CORE_SERVER_SERVER_HANDSHAKE_HPP
#define SHINAR_CORE_SERVER_SERVER_HANDSHAKE_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/handshake.hpp"
#include "core/identity.hpp"

namespace shinar::wire {

class ServerAuthentication;
class ServerConnection;
struct ServerContext;

class ServerHandshake {
 public:
  using Clock = std::chrono::steady_clock;

  ServerHandshake(ServerConnection& connection, ServerContext& server);
  ~ServerHandshake();

  /** Continues to read; true when it is done, else the connection was armed or closed. */
  bool go_on();
  /** Any thread. */
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  /** True if go_on() may have to wait for other processes. Any thread. */
  bool may_wait() const;
  Clock::time_point begin() const { return begin_; }
  /**
   * The connection exceeds the limit; `connections`: how many there are. Called before anything is
   * read.
   */
  void refuse_as_surplus(std::size_t connections) { surplus_ = connections; }
  /**
   * The same, if any of the hello has come: then the caller closes the connection. (Closed with
   * bytes that were not read it would be reset, and the reset overtake the answer.)
   */
  bool refuse_at_once(std::size_t connections) noexcept;
  /** There is no memory for the connection: why not. Likewise. */
  void refuse_for_memory(std::string why) { lacks_memory_ = std::move(why); }
  /** True if the handshake has taken too long. Any thread. */
  bool is_overdue(Clock::time_point now) const;
  /** The connection was logged as a detail. */
  bool is_logged() const { return is_logged_; }

 private:
  enum class Stage : std::uint8_t { hello, extension, proof };

  bool read_some(std::span<std::byte> to, std::size_t& got);
  bool read_hello();
  bool read_extension();
  bool greet();
  bool take_proof();
  bool accept();
  bool refuse(const std::string& text, const Identity& who);
  /** The welcome or refusal; `text`: its extension, the reason for a refusal or the doors. */
  Welcome answer_to(const Hello& hello, std::string& text);
  std::string objection() const;
  /** Why a client may not connect; no text: it may. */
  struct Refused {
    Refusal why = Refusal::none;
    std::string text{};
  };
  Refused admit(const Identity& identity, const Hello& hello, const Welcome& welcome);
  std::string count(const std::shared_ptr<Party>& party);

  ServerConnection& connection_;
  ServerContext& server_;
  const std::shared_ptr<const Authenticator> required_;  ///< NULL: nothing has to be proved
  const Clock::time_point begin_ = Clock::now();
  std::size_t surplus_ = 0;
  std::string lacks_memory_{};
  HelloBytes hello_{};
  std::size_t got_ = 0;             ///< bytes of the hello
  std::size_t extension_left_ = 0;  ///< bytes of its extension still to be read
  /** Of a client that offers it to a server that requires it, until it is done. */
  std::unique_ptr<ServerAuthentication> authentication_;
  std::atomic<bool> is_done_{false};
  Stage stage_ = Stage::hello;
  bool is_heard_ = false;
  bool is_logged_ = false;
};

}  // namespace shinar::wire
#endif
