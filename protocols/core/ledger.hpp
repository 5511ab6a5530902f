/**
 * Reference counts by session: who holds how many references to which object.
 *
 * A session is one client process. It outlives its connections by its lease, which starts when the
 * last connection is lost without a goodbye; when it expires, the session's counts are dropped. An
 * object on which no session has a count is forgotten (Host::forget). Any thread.
 */
#ifndef SHINAR_CORE_LEDGER_HPP
#define SHINAR_CORE_LEDGER_HPP

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "account.hpp"
#include "checked_mutex.hpp"
#include "handshake.hpp"
#include "host.hpp"
#include "identity.hpp"
#include "party.hpp"
#include "peer_log.hpp"
#include "stream.hpp"
#include "tenant.hpp"
#include "waiting_releases.hpp"

namespace shinar::wire {

class BackChannel;

/** Guarded by the ledger's lock, except for the public members. */
class Session {
 public:
  /** Calls the client's objects; set for sessions of a server, from the first handshake on. */
  std::shared_ptr<BackChannel> back;
  /** Whom its connections have proved to be, guarded as ServerContext says; empty: nobody. */
  Identity owner;
  /** The session's connections. */
  const std::shared_ptr<Streams> streams;
  /** Whose it is; NULL: it is of no server. */
  const std::shared_ptr<Party> party;
  /** Whose share of the server it has; NULL: it is of no server. */
  const std::shared_ptr<Tenant> tenant;
  /** What is kept for it: pays for itself, its books, and the names of methods. Any thread. */
  const std::shared_ptr<Account> account;

  /** Threads that wait for peers while they run its calls. */
  std::atomic<std::uint32_t> waiting{0};

  /** Throws Error if too much is kept for all sessions. */
  Session(std::shared_ptr<Streams> connections, std::uint32_t most_references,
          std::shared_ptr<Budget> of_all, std::shared_ptr<Party> of_whom);

  /** To tell sessions apart in a log; says nothing of its id, which is a secret. Any thread. */
  std::string short_name() const { return digits_of(log_id_, 4); }

  /** The peer has forgotten it: what was booked to it is not any more. Any thread. */
  bool is_given_up() const { return given_up; }

 private:
  friend class Ledger;
  Id128 id{};
  const Id128 log_id_ = random_id();
  WaitingReleases releases;  ///< of the peer
  std::unordered_map<std::string, std::uint64_t> counts;
  std::uint64_t paid_for_counts = 0;
  int connections = 0;
  std::chrono::milliseconds lease{};
  std::chrono::steady_clock::time_point lost;  ///< when the last connection ended
  bool said_goodbye = false;
  std::atomic<bool> given_up{false};  ///< written under the lock
};

class Ledger {
 public:
  using Clock = std::chrono::steady_clock;

  Ledger(Host& host, std::uint32_t most_references)
      : host_(host),
        most_references_(most_references),
        kept_(std::make_shared<Budget>(Account::limit_for(most_references))) {}

  /** Unreferenced objects; destroying them may run destructors. */
  using Forgotten = Ended;

  /**
   * Opens a session, or adds a connection to it. `streams`: for a new session; NULL: it makes its
   * own. `party`: whose it is, of those of a server. The session exists as long as there is an
   * owner. Throws Error if too much is kept.
   */
  std::shared_ptr<Session> open(const Id128& id, std::chrono::milliseconds lease,
                                std::shared_ptr<Streams> streams = nullptr,
                                const std::shared_ptr<Party>& party = nullptr);
  /** A connection of the session has ended; all it delivered was read. */
  [[nodiscard]] Forgotten close(const std::shared_ptr<Session>& session);
  /** The client is done: the session's counts are dropped with its last connection. */
  void say_goodbye(Session& session);
  /** The peer is gone, and the session with it: drops all its counts now. */
  [[nodiscard]] Forgotten give_up(Session& session);

  /** What is kept for all sessions together. */
  const Budget& kept() const { return *kept_; }
  /** Why there is no room for another session; empty: there is. */
  std::string why_full() const;

  /** Adds `count` references to the object. Throws Error above the limit. */
  void book(Session& session, const std::string& object, std::uint64_t count);

  /** Releases references; any beyond those the session has are ignored. */
  Forgotten release(Session& session, const std::string& object, std::uint64_t count);
  /** Releases one reference to each of the objects. */
  Forgotten release(Session& session, const std::vector<std::string>& objects);

  /**
   * Executes a release frame, or defers it until all that was sent before it has been read. Throws
   * Error.
   */
  [[nodiscard]] Forgotten release(Session& session, Message& message);
  /** More of the connection was read, or it ended: executes releases that waited for that. */
  [[nodiscard]] Forgotten go_on(Session& session, const Stream& stream);
  /** The server ends, and with it all counts: discards waiting releases. */
  [[nodiscard]] Forgotten discard_waiting();

  /** Drops the sessions whose lease has expired; `log`: told of those that held something. */
  [[nodiscard]] Forgotten expire(Clock::time_point now, PeerLog& log);
  /** Drops all counts of all sessions: the server ends. */
  [[nodiscard]] Forgotten drop_all();

  Host& host() { return host_; }
  std::size_t session_count();
  std::uint64_t reference_count();

 private:
  void release_locked(Session& session, const std::string& object, std::uint64_t count,
                      Forgotten& forgotten);
  void release_locked(Session& session, const WaitingReleases::Due& due, Forgotten& forgotten);
  static void give_back_objects(const Session& session, std::size_t objects);
  void unbook(const std::string& object, std::uint64_t count, Forgotten& forgotten);
  void forget_session(const Session& session);
  bool is_worth_keeping(const Session& session) const;
  using Counts = decltype(Session::counts);
  Counts take_all(Session& session, Forgotten& forgotten);
  void unbook_all(const Counts& counts, Forgotten& forgotten);

  Host& host_;
  const std::uint32_t most_references_;
  const std::shared_ptr<Budget> kept_;
  CheckedMutex<"Ledger"> mutex_;
  std::map<Id128, std::shared_ptr<Session>> sessions_;
  std::unordered_map<std::string, std::uint64_t> totals_;
};

}  // namespace shinar::wire
#endif
