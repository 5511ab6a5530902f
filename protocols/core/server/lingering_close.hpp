/**
 * Connections that were refused and closed, except that what their clients still send is received
 * and dropped, for a second at most: data that comes for a closed socket makes the system reset the
 * connection, and a reset would overtake the frames that say why it was refused. What a client
 * sends beyond a mebibyte waits for the end of that second.
 *
 * An epoll of its own, registered with that of the pool. Any thread.
 */
#ifndef SHINAR_CORE_SERVER_LINGERING_CLOSE_HPP
#define SHINAR_CORE_SERVER_LINGERING_CLOSE_HPP

#include <chrono>
#include <cstddef>
#include <memory>
#include <unordered_map>

#include "core/checked_mutex.hpp"
#include "core/server/pollable.hpp"
#include "core/socket.hpp"

namespace shinar::wire {

class ServerConnection;
class WorkerPool;

class LingeringClose final : public Pollable {
 public:
  /** Throws Error(bind). */
  explicit LingeringClose(WorkerPool& pool);

  /** Registers it with the pool. */
  void start();

  /**
   * Takes a connection that nobody reads any more and whose own direction has ended. False if there
   * are as many as there may be: the caller shuts it down.
   */
  bool add(std::shared_ptr<ServerConnection> connection);
  /** Shuts down those whose time is over. Watch thread. */
  void tidy(Clock::time_point now);

  void serve(Worker& worker) override;

 private:
  struct Entry {
    std::shared_ptr<ServerConnection> connection;
    Clock::time_point until;
    int portions = 0;  ///< dropped so far
  };

  void drop_some(const std::shared_ptr<ServerConnection>& connection);
  void count(const ServerConnection& connection, int portions);
  void remove(const std::shared_ptr<ServerConnection>& connection);

  WorkerPool& pool_;
  const Socket epoll_;
  CheckedMutex<"LingeringClose"> mutex_;
  std::unordered_map<const ServerConnection*, Entry> entries_;
};

}  // namespace shinar::wire
#endif
