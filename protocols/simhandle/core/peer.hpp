/**
 * A server as its client sees it: one session and the pool of connections that share it.
 *
 * Any thread. A call takes a connection that nobody uses, makes another while the pool is small,
 * or shares the least used one. A broken connection is replaced by one of the same session, so that
 * references outlive it; a request is repeated only when it surely never left. After fork the child
 * leaves the parent's connections alone and begins a session of its own.
 */
#ifndef SIMHANDLE_PEER_HPP
#define SIMHANDLE_PEER_HPP

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "client_connection.hpp"

namespace simhandle {

class Peer {
 public:
  explicit Peer(Endpoint endpoint, const Limits& limits = Limits::from_environment());

  /** The peer for an endpoint: one for each, kept until the process ends. */
  static std::shared_ptr<Peer> find(const Endpoint& endpoint);

  const Endpoint& endpoint() const { return endpoint_; }

  /**
   * Sends a request and waits for its answer: a reply or exception frame. An error frame and every
   * failure are thrown as an Error whose text names peer, method, elapsed time and fate.
   */
  void call(const Request& request, Message& answer);

  /** Creates an object; returns id and type name. An exception frame comes back in `exception`. */
  struct Created {
    std::string id;
    std::string type;
    Message message;
    bool is_exception = false;
  };
  Created create(std::string_view type);
  /** Attaches to an object; with `add_reference` the session takes a count on it. */
  Created attach(std::string_view object, bool add_reference);

  /** Gives counts back. Never waits for an answer; remembered if there is no connection now. */
  void release(const std::string& object, std::uint32_t count) noexcept;

  /** Drops all references of this session at the server at once. */
  void say_goodbye() noexcept;

  /** Around fork: nobody else may hold the lock, which the child inherits. */
  void lock_for_fork() { mutex_.lock(); }
  void unlock_after_fork() { mutex_.unlock(); }

 private:
  using Clock = ClientConnection::Clock;
  using Connection = std::shared_ptr<ClientConnection>;

  void attempt(const Request& request, Clock::time_point start, ClientConnection::Deadline deadline,
               Message& answer);
  Connection acquire(Clock::time_point now, bool& reused);
  Connection connect();
  Connection pick_idle(Clock::time_point now);
  void forget_parents_connections();
  void send_release(ClientConnection& connection, const std::string& object, std::uint32_t count);
  Error explain(const Error& error, const Request& request, Clock::time_point start) const;
  Created finish_attach(Message message);

  const Endpoint endpoint_;
  const Limits limits_;
  std::mutex mutex_;  ///< guards the following; never held while waiting for the network
  Id128 session_;
  unsigned generation_;
  std::vector<Connection> connections_;
  std::size_t connecting_ = 0;
  std::vector<std::pair<std::string, std::uint32_t>> unsent_releases_;
};

/** Reads the body of an error frame. */
Error decode_error(Message& message);

}  // namespace simhandle
#endif
