/**
 * An address on which a server listens, where clients come in.
 */
#ifndef SHINAR_CORE_SERVER_ACCEPTOR_HPP
#define SHINAR_CORE_SERVER_ACCEPTOR_HPP

#include <atomic>
#include <memory>

#include "core/checked_mutex.hpp"
#include "core/server/pollable.hpp"
#include "core/transport.hpp"

namespace shinar::wire {

struct ServerContext;

class Acceptor final : public Pollable {
 public:
  /** Listens at once; throws Error(bind, unknown_host). */
  Acceptor(ServerContext& server, const Endpoint& wanted);

  /** With what was chosen, if something was left open. */
  const Endpoint& endpoint() const { return listener_->endpoint(); }
  /** From now on clients are let in. */
  void open();
  /** From now on they are refused. */
  void close();
  /** Tries again if there was no room for those who came. Watch thread, now and then. */
  void try_again();

  void serve(Worker& worker) override;
  bool wants_scan(int& looks) const override;
  void scan(Clock::time_point since) override;

 private:
  void accept_all();
  void admit(Listener::Accepted accepted);

  ServerContext& server_;
  const std::unique_ptr<Listener> listener_;
  std::atomic<bool> exhausted_{false};  ///< there is no room for what waits

  CheckedMutex<"Acceptor"> mutex_;  ///< guards the following
  bool is_paused_ = false;          ///< until try_again
};

}  // namespace shinar::wire
#endif
