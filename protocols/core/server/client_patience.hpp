/**
 * Pings a client that is silent while this process waits for its answers, and ends its connection
 * if it stays silent. Of the thread that waits.
 */
#ifndef SHINAR_CORE_SERVER_CLIENT_PATIENCE_HPP
#define SHINAR_CORE_SERVER_CLIENT_PATIENCE_HPP

#include <chrono>
#include <cstdint>

namespace shinar::wire {

class ServerConnection;

class ClientPatience {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ClientPatience(ServerConnection& connection);
  /** To be called several times in each keepalive interval. */
  void look();

 private:
  ServerConnection& connection_;
  std::uint32_t heard_;
  Clock::time_point since_ = Clock::now();
  int misses_ = 0;
};

}  // namespace shinar::wire
#endif
