/**
 * Who holds how many references to what: the sessions of a server and their counts.
 *
 * A session is one client process. It outlives its connections by its lease: when the last
 * connection is lost without a goodbye, the lease runs; when it is over, the session's counts are
 * dropped. An object on which no session has a count is forgotten (Host::forget). Any thread.
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

#include "checked_mutex.hpp"
#include "handshake.hpp"
#include "host.hpp"
#include "stream.hpp"
#include "waiting_releases.hpp"

namespace shinar::wire {

class BackChannel;

/** Guarded by the ledger's lock, but for what is public. */
class Session {
 public:
  /** The way back to the client's objects; of the sessions of a server, from the first greeting. */
  std::shared_ptr<BackChannel> back;
  /** The session's connections. */
  const std::shared_ptr<Streams> streams;

  /** Threads that wait for peers in the course of its calls. */
  std::atomic<std::uint32_t> waiting{0};

  Session(std::shared_ptr<Streams> connections, std::uint32_t most_references)
      : streams(std::move(connections)), releases(most_references) {}

  /** The peer has forgotten it: what was booked to it is not any more. Any thread. */
  bool is_given_up() const { return given_up; }

 private:
  friend class Ledger;
  Id128 id{};
  WaitingReleases releases;  ///< of the peer
  std::unordered_map<std::string, std::uint64_t> counts;
  int connections = 0;
  std::chrono::milliseconds lease{};
  std::chrono::steady_clock::time_point lost;  ///< when the last connection went
  bool said_goodbye = false;
  std::atomic<bool> given_up{false};  ///< written under the lock
};

class Ledger {
 public:
  using Clock = std::chrono::steady_clock;

  Ledger(Host& host, std::uint32_t most_references)
      : host_(host), most_references_(most_references) {}

  /** What nobody refers to any more; it may run destructors when it goes. */
  using Forgotten = Ended;

  /**
   * A connection of the session has begun. `streams`: of a new session; NULL: its own. A session is
   * there as long as somebody keeps it.
   */
  std::shared_ptr<Session> open(const Id128& id, std::chrono::milliseconds lease,
                                std::shared_ptr<Streams> streams = nullptr);
  /** A connection of the session has ended; what it brought was read. */
  [[nodiscard]] Forgotten close(const std::shared_ptr<Session>& session);
  /** The client is done: the counts of the session go with its last connection. */
  void say_goodbye(Session& session);
  /** The peer is gone, and the session with it: drops all its counts now. */
  [[nodiscard]] Forgotten give_up(Session& session);

  /** The session has `count` more references to the object. Throws Error if that is too many. */
  void book(Session& session, const std::string& object, std::uint64_t count);

  /** Gives references back; more than the session has are ignored. */
  Forgotten release(Session& session, const std::string& object, std::uint64_t count);
  /** Gives one reference to each of the objects back. */
  Forgotten release(Session& session, const std::vector<std::string>& objects);

  /**
   * Does what a release frame asks for, or keeps it until all is read that was sent before it.
   * Throws Error.
   */
  [[nodiscard]] Forgotten release(Session& session, Message& message);
  /** The connection was read on, or has ended, and releases waited for that. */
  [[nodiscard]] Forgotten go_on(Session& session, const Stream& stream);
  /** The server ends, and with it all counts: what waits need not be done any more. */
  [[nodiscard]] Forgotten discard_waiting();

  /** Drops the sessions whose lease is over. */
  [[nodiscard]] Forgotten expire(Clock::time_point now);
  /** Drops all counts of all sessions: the server ends. */
  [[nodiscard]] Forgotten drop_all();

  Host& host() { return host_; }
  std::size_t session_count();
  std::uint64_t reference_count();

 private:
  void release_locked(Session& session, const std::string& object, std::uint64_t count,
                      Forgotten& forgotten);
  void release_locked(Session& session, const WaitingReleases::Due& due, Forgotten& forgotten);
  void unbook(const std::string& object, std::uint64_t count, Forgotten& forgotten);
  void forget_session(const Session& session);
  using Counts = decltype(Session::counts);
  Counts take_all(Session& session, Forgotten& forgotten);
  void unbook_all(const Counts& counts, Forgotten& forgotten);

  Host& host_;
  const std::uint32_t most_references_;
  CheckedMutex<"Ledger"> mutex_;
  std::map<Id128, std::shared_ptr<Session>> sessions_;
  std::unordered_map<std::string, std::uint64_t> totals_;
};

}  // namespace shinar::wire
#endif
