/**
 * Who holds how many references to what: the sessions of a server and their counts.
 *
 * A session is one client process. It outlives its connections by its lease: when the last
 * connection is lost without a goodbye, the lease runs; when it is over, the session's counts are
 * dropped. An object on which no session has a count is forgotten (Host::forget). Any thread.
 */
#ifndef SIMHANDLE_LEDGER_HPP
#define SIMHANDLE_LEDGER_HPP

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "handshake.hpp"
#include "host.hpp"

namespace simhandle {

class BackChannel;

/** Guarded by the ledger's lock, but for `back`. */
class Session {
 public:
  /** The way back to the client's objects; of the sessions of a server, from the first greeting. */
  std::shared_ptr<BackChannel> back;

 private:
  friend class Ledger;
  Id128 id{};
  std::unordered_map<std::string, std::uint64_t> counts;
  int connections = 0;
  std::chrono::milliseconds lease{};
  std::chrono::steady_clock::time_point lost;  ///< when the last connection went
  bool said_goodbye = false;
};

class Ledger {
 public:
  using Clock = std::chrono::steady_clock;

  Ledger(Host& host, std::uint32_t most_references)
      : host_(host), most_references_(most_references) {}

  /** A connection of the session has begun. */
  std::shared_ptr<Session> open(const Id128& id, std::chrono::milliseconds lease);
  /** A connection of the session has ended. */
  void close(const std::shared_ptr<Session>& session);
  /** The client is done: drops all counts of the session now. */
  void say_goodbye(Session& session);

  /** The session has `count` more references to the object. Throws Error if that is too many. */
  void book(Session& session, const std::string& object, std::uint64_t count);
  /** What nobody refers to any more; it may run destructors when it goes. */
  using Forgotten = std::vector<std::shared_ptr<void>>;

  /** Gives references back; more than the session has are ignored. */
  Forgotten release(Session& session, const std::string& object, std::uint64_t count);

  /** Does what a frame asks for that adds or releases references. Throws Error. */
  Forgotten change(Session& session, Message& message);

  /** Drops the sessions whose lease is over. */
  Forgotten expire(Clock::time_point now);
  /** Drops all counts of all sessions: the server ends. */
  void drop_all();

  Host& host() { return host_; }
  std::size_t session_count();
  std::uint64_t reference_count();

 private:
  void unbook(const std::string& object, std::uint64_t count, Forgotten& forgotten);
  std::size_t drop(Session& session, Forgotten& forgotten);

  Host& host_;
  const std::uint32_t most_references_;
  std::mutex mutex_;
  std::map<Id128, std::shared_ptr<Session>> sessions_;
  std::unordered_map<std::string, std::uint64_t> totals_;
};

}  // namespace simhandle
#endif
