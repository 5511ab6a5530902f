/**
 * A server as its client sees it: one session and the pool of connections that share it.
 *
 * Any thread. A call takes an idle connection, opens another one while the pool is not full, or
 * shares the least used one. A broken connection is replaced by one of the same session, so that
 * references outlive it; a request is retried only if it was certainly not sent. After fork the
 * child leaves the parent's connections alone and begins a session of its own.
 */
#ifndef SHINAR_CORE_PEER_HPP
#define SHINAR_CORE_PEER_HPP

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "authentication.hpp"
#include "callee.hpp"
#include "checked_mutex.hpp"
#include "client_connection.hpp"
#include "forking.hpp"
#include "ledger.hpp"
#include "notice.hpp"
#include "routes.hpp"
#include "url.hpp"

namespace shinar::wire {

struct RecentLink;

class Peer : public Callee {
 public:
  /**
   * `exports`: the objects the server may call back; NULL: none. `authenticator`: what both ends
   * have to prove; NULL: what the environment says when a connection is made.
   */
  explicit Peer(Endpoint endpoint, const Limits& limits = Limits::from_environment(),
                Exports* exports = nullptr,
                std::shared_ptr<const Authenticator> authenticator = nullptr);

  /** The peer of an endpoint: one each, kept at least as long as it has state. */
  static std::shared_ptr<Peer> find(const Endpoint& endpoint);

  const Endpoint& endpoint() const { return endpoint_; }

  /**
   * Creates an object; returns id and type name, or an exception frame in `message`. `time`: limit;
   * 0: none.
   */
  struct Created {
    std::string id;
    std::string type;
    Message message;
    bool is_exception = false;
  };
  Created create(std::string_view type, std::chrono::milliseconds time = {});
  /** Attaches to an object; with `add_reference` the session acquires a count on it. */
  Created attach(std::string_view object, bool add_reference, std::chrono::milliseconds time = {});

  void tell(Notice notice) noexcept override;
  Charge pay_for_unclaimed(std::uint64_t bytes) override { return Charge::take(unclaimed_, bytes); }
  void inherit(const std::string& object) override;
  std::string place() const override { return endpoint_.text(); }
  bool has_own_place() const override { return true; }
  std::string url(const std::string& object) const override;
  Lender lender() override;
  bool has_order_of_links() const override { return true; }

  /** The ways to the server as they are known now, the best first. */
  struct KnownRoutes {
    std::vector<Routes::Route> all;
    Endpoint in_use;
    Id128 server;
  };
  KnownRoutes routes();

  /** False if a new Peer for the same endpoint would do as well. */
  bool has_state();

  /**
   * Ends the session: the server drops all its references at once. Returns the connections, over
   * which a goodbye was sent, to be closed.
   */
  std::vector<std::shared_ptr<ClientConnection>> say_goodbye();

  /** Removes broken connections, and tells the server how far they were read. */
  void tidy() noexcept override;
  bool look() noexcept override;

  /** Around fork, so that the child does not inherit a lock held by another thread. */
  void lock_for_fork() { lock_one_of_many(mutex_); }
  void unlock_after_fork() { mutex_.unlock(); }

 private:
  using PeerMutex = CheckedMutex<"Peer">;
  using Connection = std::shared_ptr<ClientConnection>;

  std::shared_ptr<Link> acquire(const CallsOfThread& thread, Clock::time_point now,
                                Deadline deadline, bool& reused) override;
  Created ask(FrameType type, std::uint8_t flags, std::string_view name,
              std::chrono::milliseconds time);
  void watch(const Connection& connection);
  /** A connection after its handshake. */
  struct Greeting {
    std::unique_ptr<Channel> channel;
    Welcome welcome;
    std::shared_ptr<Stream> stream;
  };
  Connection connect(Deadline deadline, bool is_errand);
  /** How long a caller waits, and a connection may take to be made, by all ways together. */
  struct Patience {
    Deadline deadline;
    std::chrono::steady_clock::time_point limit;
    bool is_errand = false;  ///< a client has sent this process there: see Errands
    bool is_ruled = false;   ///< and a policy says where it may do so: not to the server's doors
  };
  Greeting find_route(const Patience& patience);
  Greeting run_errand(Deadline deadline);
  Greeting greet_named(const Patience& patience);
  std::optional<Greeting> try_door(const Endpoint& door, const Id128& server,
                                   const Patience& patience);
  Greeting greet(const Endpoint& at, std::uint32_t features, const Patience& patience);
  std::unique_ptr<Channel> greet(const Endpoint& at, const Hello& hello, const Patience& patience,
                                 Welcome& welcome);
  bool has_greeted();
  static Error no_connection_in_time();
  void await_connection(std::unique_lock<PeerMutex>& lock, Deadline deadline,
                        const std::function<bool()>& may_go_on);
  void connect_behind(Clock::time_point now);
  void connect_behind_callers() noexcept;
  void attempt_is_over(const Error* why_others_fail);
  Connection pick(Clock::time_point now, bool may_grow);
  Connection pick_recent(const RecentLink& recent, Clock::time_point now) const;
  Connection pick_idle(Clock::time_point now);
  void forget_parents_connections();
  void add(const Connection& connection, const Welcome& welcome);
  void drop_broken();
  void send(Notice notice, bool waits);
  void postpone(Notice notice);
  void send_postponed() noexcept;
  std::vector<Notice> take_notices();

  const Endpoint endpoint_;
  const Limits limits_;
  /** Pays for references in answers that nobody waits for, until the server has them back. */
  const std::shared_ptr<Account> unclaimed_;
  const std::shared_ptr<const Authenticator> authenticator_;
  PeerMutex mutex_;  ///< guards the following; never held while waiting for the network
  Id128 session_;
  Generation generation_;
  std::vector<Connection> connections_;
  std::size_t connecting_ = 0;
  std::size_t behind_ = 0;  ///< of these, attempts that go on when their callers have given up
  Clock::time_point next_behind_{};  ///< when another one may begin beside them
  std::uint64_t last_number_ = 0;    ///< of a connection
  std::uint64_t failures_ = 0;       ///< of attempts to connect
  std::optional<Error> failure_;     ///< the last one
  Routes routes_;
  CheckedCondition connected_;          ///< an attempt has ended
  Clock::time_point no_more_before_{};  ///< after a failure, existing connections are shared
  std::vector<Notice> unsent_;          ///< there was no connection
  Fifo<Notice> postponed_;              ///< the server took no data
  bool is_sending_postponed_ = false;   ///< a thread of Exports is
  std::shared_ptr<Streams> streams_ = std::make_shared<Streams>();
  struct Dropped {
    std::weak_ptr<ClientConnection> connection;  ///< another thread may still be reading it
    std::shared_ptr<Stream> stream;
  };
  std::vector<Dropped> dropped_;  ///< until the server has been told how far they were read
  Exports* exports_;
  bool is_looked_after_ = false;  ///< by `exports_`
  bool lends_ = false;            ///< the server has been handed objects of this process
  Id128 server_{};                ///< the server's id, which reveals a restart
  std::chrono::milliseconds lease_{};
  std::shared_ptr<Session> lent_;  ///< the session they are booked to
};

/** At the exit, by a transport that can be used no longer: as Peer::say_goodbye() of its peers. */
void say_goodbye_over(std::string_view transport);

}  // namespace shinar::wire
#endif
