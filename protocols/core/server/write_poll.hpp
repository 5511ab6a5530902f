/**
 * Polls the connections of a server that have a write backlog, and has it sent when they take more.
 *
 * An epoll of its own, registered with that of the pool. Any thread.
 */
#ifndef SHINAR_CORE_SERVER_WRITE_POLL_HPP
#define SHINAR_CORE_SERVER_WRITE_POLL_HPP

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/checked_mutex.hpp"
#include "core/server/pollable.hpp"
#include "core/socket.hpp"

namespace shinar::wire {

class ServerConnection;
class WorkerPool;

class WritePoll final : public Pollable {
 public:
  /** Throws Error(bind). */
  explicit WritePoll(WorkerPool& pool);

  /** Registers it with the pool. */
  void start();

  /**
   * Has ReplyQueue::send_on called once the client takes data, or is gone; false: see errno. Under
   * the connection's write lock.
   */
  bool add(ServerConnection& connection, bool is_known);
  /** The same again for one that was added. False: see errno. */
  bool rearm(ServerConnection& connection);
  /** The backlog is gone. The caller must keep the connection alive. */
  void remove(ServerConnection& connection);

  std::vector<std::shared_ptr<ServerConnection>> all();
  /** Removes all at the end, when no thread is left. */
  std::vector<std::shared_ptr<ServerConnection>> take_all();

  void serve(Worker& worker) override;

 private:
  bool arm(ServerConnection& connection, int how);

  WorkerPool& pool_;
  const Socket epoll_;
  CheckedMutex<"WritePoll"> mutex_;
  std::unordered_map<ServerConnection*, std::shared_ptr<ServerConnection>> backlogged_;
};

}  // namespace shinar::wire
#endif
