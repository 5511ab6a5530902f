/**
 * A thread of a server that calls an object of a client waits for the answer.
 *
 * If the thread runs a call that it read from the same connection, it continues to read it, so that
 * no other thread is needed; otherwise a worker hands over the answer. Meanwhile it runs calls
 * nested in what it waits for, and those of its chain that only it can run. On the stack of the
 * thread.
 */
#ifndef SHINAR_CORE_SERVER_CLIENT_WAIT_HPP
#define SHINAR_CORE_SERVER_CLIENT_WAIT_HPP

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

#include "core/chain.hpp"
#include "core/crew.hpp"
#include "core/interruption.hpp"
#include "core/link.hpp"
#include "core/server/client_patience.hpp"

namespace shinar::wire {

class RunningCall;
class ServerConnection;
class Worker;

class ClientWait {
 public:
  using Clock = std::chrono::steady_clock;

  /** Link::await of a server's connection. */
  static void await(ServerConnection& connection, Waiter& waiter, Deadline deadline);

 private:
  class Counted;

  ClientWait(ServerConnection& connection, Waiter& waiter, Deadline deadline);

  void run();
  bool is_too_fast() const;
  bool slow_down(std::unique_lock<Link::StateMutex>& lock);
  bool run_nested(std::unique_lock<Link::StateMutex>& lock);
  void run_chain();
  bool is_interrupted();
  void wait_until(Clock::time_point until);
  void sleep_until(Clock::time_point until);
  Clock::time_point glance_at_held();
  bool read_until(Clock::time_point until);
  template <class Action>
  void meanwhile(Action action);

  ServerConnection& connection_;
  Waiter& waiter_;
  const Deadline deadline_;
  RunningCall* const running_;
  Worker* const worker_;  ///< of the call this thread runs, if it was read here; else NULL
  bool reads_;            ///< this thread is the connection's reader
  ClientPatience patience_;
  std::optional<WaitForPeer> wait_;
  std::optional<Standby> standby_;
  Interruption interruption_;
};

}  // namespace shinar::wire
#endif
