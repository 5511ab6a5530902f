// The ranks of client groups, as a rank of the object that they call knows them: how they are
// named, and whether they are alive. Any thread.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "calls/agenda.hpp"
#include "sidl_par_Pulse.hxx"

namespace shinar::par {

// A rank of a group that calls.
struct ClientRank {
  std::string client;
  int rank;
  int ranks;
};

class Callers {
 public:
  // How the rank can be asked whether it is alive, and where it is, in words.
  void introduce(const ClientRank& caller, ::sidl::par::Pulse pulse, std::string place);
  // It has released the object.
  void forget(const ClientRank& caller);

  // "rank 2 of the callers (its URL)"
  std::string name_of(const ClientRank& caller) const;
  // " (its URL)"; empty: it is not known.
  std::string place_of(const ClientRank& caller) const;
  // Why the rank, for whose part in a call others wait, will not bring it: its connection is
  // closed, or it has not answered for as long as keepalives take to end that. Empty: it may. Does
  // not wait: the first time it begins to ask.
  std::string why_gone(const ClientRank& caller, const CallKey& key);

 private:
  // What a thread finds out that asks a rank, which may outlive all others that know the rank.
  struct Inquiry {
    explicit Inquiry(::sidl::par::Pulse asked) : pulse(std::move(asked)) {}
    void ask();

    const ::sidl::par::Pulse pulse;
    std::mutex mutex;
    bool is_asked = false;
    CallKey key;      // of the call for which it is asked, or was
    std::string why;  // it is gone, as was found for this call
    std::chrono::steady_clock::time_point found_at;
  };
  struct Known {
    std::string place;
    std::shared_ptr<Inquiry> inquiry;
  };

  mutable std::mutex mutex_;
  std::map<std::string, std::map<int, Known>> known_;  // by client and rank
};

}  // namespace shinar::par
