/**
 * The implementation of SimpleOrb: the host, the core's server and their settings.
 *
 * Functions may be called from any thread, except that listen() and run() must not overlap. In a
 * forked child, as the server is the parent's, the orb does not listen yet.
 */
#ifndef SHINAR_GLUE_ORB_HPP
#define SHINAR_GLUE_ORB_HPP

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/forking.hpp"
#include "core/server.hpp"
#include "orb_host.hpp"

namespace shinar::wire {

class Orb {
 public:
  ~Orb();

  /** Listens on one more address; throws Error. Returns the URL with the port. */
  std::string listen(const std::string& url);
  /** Listens on a port of `host`; false if it is taken. Throws other Errors. */
  bool request_port(const std::string& host, int port);

  /** Throws Error if it does not listen. */
  void run();
  bool is_running() const { return generation_.is_current() && running_.load(); }
  /** Stops; false if some calls did not finish: they keep running until the process ends. */
  bool drain(std::chrono::milliseconds patience);

  int port() const { return server() == nullptr ? 0 : server_->endpoint().port; }
  std::string url(const std::string& object) const;
  /** The object part of a URL of this server, else empty. */
  std::string local_object(const std::string& url) const;

  void set_threads(int count);
  void set_lease(double seconds);
  void set_verbose(bool verbose);
  Server* server() const { return generation_.is_current() ? server_.get() : nullptr; }
  /** Names and values of the server's counters; empty if it does not listen. */
  std::vector<std::pair<const char*, std::int64_t>> statistics() const;

 private:
  const Endpoint& listen(const Endpoint& endpoint);
  void leave_parents_server();

  Generation generation_;

  // In this order: the server uses the host until it is destroyed.
  std::unique_ptr<OrbHost> host_ = std::make_unique<OrbHost>();
  ServerOptions options_;
  std::unique_ptr<Server> server_;
  std::atomic<bool> running_{false};
};

}  // namespace shinar::wire
#endif
