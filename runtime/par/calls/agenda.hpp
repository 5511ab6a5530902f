// The order in which a rank runs collective calls: that of rank 0 of its group, so that it is the
// same on all ranks. Not for several threads at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace shinar::par {

// A collective call: the number that the ranks of a client group have given it.
struct CallKey {
  std::string client;
  std::int64_t number;

  auto operator<=>(const CallKey&) const = default;
};

class Agenda {
 public:
  // Rank 0: the next position, for a call that has none yet.
  std::int64_t next_position() { return last_position_ + 1; }
  // The call has a position; positions count from 1, and may come in any order.
  void enqueue(std::int64_t position, const CallKey& key);

  // Whether it is the call's turn, and it does not run yet.
  bool is_next(const CallKey& key) const;
  void start(const CallKey& key);
  void finish(const CallKey& key);

  // Whether it has begun, or a later one of its client has.
  bool has_run(const CallKey& key) const;

  // The call is not to run. False if it runs already, or has.
  bool give_up(const CallKey& key, const std::string& why);
  // Why a call is not to run; null if nobody has said so.
  const std::string* given_up(const CallKey& key) const;

  // No more calls of this client come. It has none that runs.
  void forget(const std::string& client);

 private:
  struct Client {
    std::int64_t last_run = 0;
    std::map<std::int64_t, std::string> given_up;  // by number
  };

  void skip_nothing();

  std::map<std::int64_t, CallKey> queue_;  // by position
  std::int64_t next_ = 1;                  // position of the call that is next, or runs
  std::int64_t last_position_ = 0;
  bool is_running_ = false;
  std::map<std::string, Client> clients_;
};

}  // namespace shinar::par
