/**
 * Clients of a server that have not taken all that was sent to them: tells when they take more.
 *
 * An epoll of its own, which that of the pool looks at. Any thread.
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

  /** From now on the pool hears of it. */
  void start();

  /** ReplyQueue::send_on is called once there is room, or the client is gone; false: errno. Under
   *  the connection's write lock. */
  bool add(ServerConnection& connection, bool is_known);
  /** Once more, for one that was added. False: errno. */
  bool rearm(ServerConnection& connection);
  /** It has taken all. The caller keeps the connection. */
  void remove(ServerConnection& connection);

  std::vector<std::shared_ptr<ServerConnection>> all();
  /** No thread is left: takes out all. */
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
