/**
 * The objects of this process that servers may call back over connections made to them.
 *
 * Threads of the program that wait for answers read their connections and run what is nested in
 * their calls. For everything else there is a watcher thread, started when the first object is
 * handed out. It reads connections that no other thread reads, so that calls are served and pings
 * answered while the program does not wait, and hands calls to a few runner threads. It also reads
 * late answers, which may carry references, and those to observed calls, for which it also pings
 * silent servers, and looks after servers that are not being called. From one connection it takes
 * no more calls at a time than a server would, unless calls are observed, which the answers to them
 * may depend on. Any thread.
 */
#ifndef SHINAR_CORE_EXPORTS_HPP
#define SHINAR_CORE_EXPORTS_HPP

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "checked_mutex.hpp"
#include "ledger.hpp"
#include "socket.hpp"
#include "tellers.hpp"

namespace shinar::wire {

class Callee;
class ClientConnection;

class Exports {
 public:
  Exports(Host& host, std::uint32_t most_references)
      : host_(host), ledger_(host, most_references) {}
  Exports(const Exports&) = delete;
  Exports& operator=(const Exports&) = delete;
  /** Ends the threads; no connection may be watched any more. */
  ~Exports();

  /** Those of the process; NULL until set. Never destroyed, as calls may be made late in exit. */
  static Exports* of_process();
  static void set_of_process(Exports* exports);

  Host& host() { return host_; }
  Ledger& ledger() { return ledger_; }
  Tellers& tellers() { return tellers_; }

  /**
   * From now on reads the connection whenever no other thread does. Returns the session to which
   * its server's references are booked; the connection is one of that session's while it lasts.
   * `streams`: those of all connections to the server.
   */
  std::shared_ptr<Session> watch(const std::shared_ptr<ClientConnection>& connection,
                                 const Id128& session, std::chrono::milliseconds lease,
                                 const std::shared_ptr<Streams>& streams);

  /** The same until all outstanding answers have come, including those no longer waited for. */
  void look_after(const std::shared_ptr<ClientConnection>& connection);
  /** A connection that the watcher wanted to read has lost its reader. Under any lock. */
  void hurry() noexcept;

  /** Adds a server to look after, if there is a thread for it. */
  void add_peer(std::weak_ptr<Callee> peer);
  /**
   * The process serves others: the watcher thread starts with the first peer. A program that only
   * calls may do without it.
   */
  void look_after_peers();

  using Task = std::function<void()>;
  /** Runs a request of a server, which may take long, in a runner thread. */
  void submit(Task task);
  /** Destroys unreferenced objects in a runner thread, as that may run destructors. */
  void forget(Ledger::Forgotten gone);

 private:
  struct Watched {
    std::weak_ptr<ClientConnection> connection;
    std::shared_ptr<Session> session;  ///< NULL: nothing was lent over it
    bool armed = false;                ///< the watcher's
    bool full = false;                 ///< the watcher's: there is more to be read, later
    /** The watcher's: when to look whether the server is silent; NULL: no call is observed. */
    std::optional<Ledger::Clock::time_point> pulse{};
  };
  static constexpr std::size_t most_runners = 16;

  void start(const char* consequence);
  void start_for_peers();
  void visit_peers();
  Watched& find_or_add(const std::shared_ptr<ClientConnection>& connection,
                       const char* consequence);
  void run_watcher();
  struct Reviewed;
  void review(Reviewed& reviewed);
  void keep_alive(Reviewed& reviewed);
  void look(std::uint64_t serial);
  void look_again();
  void run();
  void leave();
  std::optional<std::thread> take_runner();

  Host& host_;
  Ledger ledger_;
  PeerLog log_{[this](const std::string& line) { host_.log(line); }};
  Tellers tellers_;

  CheckedMutex<"Exports"> mutex_;  ///< guards the following
  CheckedCondition work_;
  std::map<std::uint64_t, Watched> watched_;
  std::vector<std::weak_ptr<Callee>> peers_;
  bool serves_ = false;
  std::uint64_t next_serial_ = 1;  ///< 0 is the wake-up call
  std::deque<Task> tasks_;
  std::vector<std::thread> runners_;
  std::size_t idle_runners_ = 0;
  bool stopping_ = false;
  std::thread watcher_;
  Socket epoll_;
  Socket wake_;
};

}  // namespace shinar::wire
#endif
