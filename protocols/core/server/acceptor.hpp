/**
 * An address on which a server listens and accepts clients.
 */
#ifndef SHINAR_CORE_SERVER_ACCEPTOR_HPP
#define SHINAR_CORE_SERVER_ACCEPTOR_HPP

#include <atomic>
#include <exception>
#include <memory>
#include <optional>

#include "core/checked_mutex.hpp"
#include "core/server/pollable.hpp"
#include "core/transport.hpp"

namespace shinar::wire {

class ServerConnection;
struct ServerContext;

class Acceptor final : public Pollable {
 public:
  /** Listens at once; throws Error(bind, unknown_host). */
  Acceptor(ServerContext& server, const Endpoint& wanted);

  /** The actual address, with the port that was chosen. */
  const Endpoint& endpoint() const { return listener_->endpoint(); }
  /** Begins to accept clients. */
  void open();
  /** Refuses clients from now on. */
  void close();
  /**
   * Resumes accepting after it was paused for lack of resources. Called regularly by the watch
   * thread.
   */
  void try_again();

  void serve(Worker& worker) override;
  bool wants_scan(int& looks) const override;
  void scan(Clock::time_point since) override;

 private:
  void accept_all();
  void wait_for_memory() const;
  void all_accepted();
  void admit(Listener::Accepted accepted);
  void pause(const std::exception& reason);
  bool make_room();
  bool finds_place(ServerConnection& newcomer, std::size_t count);

  ServerContext& server_;
  const std::unique_ptr<Listener> listener_;
  /** Of the last connection, before its greeting. Threads accept in turn, by epoll. */
  std::atomic<std::uint64_t> own_memory_{0};
  CheckedMutex<"Acceptor"> mutex_;  ///< guards the following
  bool is_paused_ = false;          ///< out of descriptors or memory; until try_again
  bool is_told_ = false;            ///< that it was: once until nobody waits any more
  std::optional<Clock::time_point> told_at_;
};

}  // namespace shinar::wire
#endif
