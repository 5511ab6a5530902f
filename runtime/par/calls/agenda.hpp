// The order in which a rank runs collective calls, which is the same on all ranks. As long as there
// is only one client it is that of the client's numbers; else rank 0 of the group gives each call a
// position. When a second client comes, rank 0 first stops all ranks, and hears from each up to
// which number it has run calls of the first; calls up to the highest of these run before all that
// have a position. Not for several threads at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shinar::par {

// A collective call: the number that the ranks of a client group have given it.
struct CallKey {
  std::string client;
  std::int64_t number;

  auto operator<=>(const CallKey&) const = default;
};

// Why a call is not to run.
struct Reason {
  std::string text;
  bool is_disagreement = false;  // of ranks
};

class Agenda {
 public:
  // Numbers of calls and positions count from 1, and are less than this.
  static constexpr std::int64_t kEndOfNumbers = std::int64_t{1} << 59;
  static bool is_number(std::int64_t number) { return number > 0 && number < kEndOfNumbers; }

  // A client may call. Calls of others, which have gone, do not run.
  void welcome(const std::string& client);
  // Earlier calls of the client that are to run and have not begun.
  std::vector<CallKey> earlier_than(const CallKey& key) const;

  // The calls of this client run without positions. Also when that has been stopped.
  void grant(const std::string& client);
  // No call that has no position begins; returns the number of the last one that has.
  std::int64_t stop();
  // Those up to this number do now, before all others; later ones need positions. Of a client that
  // does not call here nothing is awaited.
  void settle(std::int64_t number);
  // The client that needs no positions; empty: there is none, or it has been settled.
  const std::string& granted() const { return is_settled_ ? kNobody : granted_; }

  // Rank 0: whether a call needs a position before it can run.
  bool needs_position(const CallKey& key) const;
  // The next position, for a call that has none yet.
  std::int64_t next_position() { return last_position_ + 1; }
  // Whether there can be as many calls before it as are left.
  bool is_near(std::int64_t position) const { return position - next_ < kMostQueued; }
  // The call has a position; positions count from 1, and may come in any order.
  void enqueue(std::int64_t position, const CallKey& key);

  // Whether a call runs, for which others wait.
  bool is_running() const { return is_running_; }
  // The call that others wait for, and that does not run yet.
  std::optional<CallKey> first() const;

  // Whether it is the call's turn, and it does not run yet.
  bool is_next(const CallKey& key) const;
  // Returns its place in the order of all calls, which ascends, and is the same on all ranks that
  // run it, also if others do not: there are kWithin numbers up to the next one. 0: too many to
  // tell.
  static constexpr std::int64_t kWithin = 1024;
  std::int64_t start(const CallKey& key);
  void finish(const CallKey& key);
  // What has started has not begun to run, and is not to: why.
  void withdraw(const CallKey& key, const Reason& why);

  // The number of the last call of a client that has begun; 0: none has.
  std::int64_t last_run(const std::string& client) const;
  // Whether it has begun, or a later one of its client has.
  bool has_run(const CallKey& key) const;

  // The call is not to run. False if it runs already, or has.
  bool give_up(const CallKey& key, const Reason& why);
  // Why a call is not to run; null if nobody has said so.
  const Reason* given_up(const CallKey& key) const;

  // No more calls of this client come. It has none that runs.
  void forget(const std::string& client);

 private:
  struct Client {
    std::int64_t last_run = 0;
    std::map<std::int64_t, Reason> given_up;  // by number
  };

  bool is_granted(const CallKey& key) const;
  bool owes_granted() const;
  CallKey last_granted() const { return {granted_, settled_}; }
  void end_turn();
  void skip_nothing();

  static inline const std::string kNobody;
  // Each client waits for one call at a time.
  static constexpr std::int64_t kMostQueued = 1 << 20;

  std::map<std::int64_t, CallKey> queue_;  // by position
  std::int64_t next_ = 1;                  // position of the call that is next, or runs
  std::int64_t last_position_ = 0;
  bool is_running_ = false;
  bool runs_granted_ = false;  // the call that runs has no position
  std::int64_t before_ = 0;    // the number of the last one that its client had run
  std::string granted_;        // the client whose calls need none
  std::int64_t settled_ = 0;   // up to this number, if that is settled
  bool is_settled_ = true;
  bool is_stopped_ = false;
  std::int64_t epoch_ = 0;  // how often it has changed whose calls need positions
  std::map<std::string, Client> clients_;
};

}  // namespace shinar::par
