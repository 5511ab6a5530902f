// What is behind a sidl.par.Group: how its ranks talk to each other.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "calls/agenda.hpp"
#include "calls/monitor.hpp"
#include "calls/shared_flags.hpp"
#include "impl/misfits.hpp"
#include "sidl_BaseException.hxx"
#include "sidl_io_Serializable.hxx"
#include "sidl_par_Member.hxx"
#include "sidl_skel.hxx"

namespace shinar::par {

// What the ranks of a group find out together: of the letters that they bring, all get that which
// has failed, if one has, and of several such, or of others, that with the lowest priority.
struct Letter {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  // From here on: failures of ranks of the group, which come after those of what it calls.
  static constexpr std::int64_t kOfRanks = std::int64_t{1} << 32;
  // Some ranks are in a collective call that others do not come to.
  static constexpr std::int64_t kDisagree = kOfRanks - 1;

  bool failed = false;
  std::int64_t priority = kNone;  // at the end of a call that has not failed, the call: see Phase
  ::sidl::io::Serializable content;  // of one that has failed, the exception
};

// A failure of this process's own, with a note.
template <typename Exception>
Letter failure(std::int64_t priority, const std::string& note) {
  Exception thrown = Exception::_create();
  thrown.setNote(note);
  return {true, priority, ::sidl::babel_cast<::sidl::io::Serializable>(thrown)};
}

// What a rank brings: that its work is done, or the exception that it has thrown.
template <typename Work>
Letter attempt(std::int64_t priority, Work work) {
  try {
    translated([&] {
      work();
      return 0;
    });
    return {};
  } catch (...) {
    const ::sidl::BaseInterface thrown(::sidl::current_exception());
    return {true, priority, ::sidl::babel_cast<::sidl::io::Serializable>(thrown)};
  }
}

// Which of two all get.
const Letter& better_of(const Letter& a, const Letter& b);
// Throws the exception of a letter that has failed.
void check(const Letter& letter);
// What has failed, and whether it is that ranks do not agree.
Reason reason_of(const ::sidl::BaseException& thrown);
Reason reason_of(const ::sidl::BaseInterface& thrown);
Reason reason_of(const Letter& letter);

// Throws on all ranks if they have different texts, or digests; `difference` is what those say that
// have another one than rank 0, whose text it is given. `exchange` is made twice, by all.
void compare(const std::string& text, int rank,
             const std::function<std::string(const std::string& first)>& difference,
             const std::function<Letter(Letter)>& exchange);
void compare(std::uint64_t digest, int rank, const std::string& difference,
             const std::function<Letter(Letter)>& exchange);

// Who knows which parts of the calls of a client have come to this rank.
class Clientele {
 public:
  virtual ~Clientele() = default;
  // Why a part is missing, and will not come; empty: it may come.
  virtual std::string why_gone(const CallKey& key) = 0;
  // In words: the call, and who has not come to it. With the lock of the group's monitor.
  virtual std::string missing_part(const CallKey& key) = 0;
};

class GroupState {
 public:
  using Clock = Monitor::Clock;

  static std::shared_ptr<GroupState> alone();
  // Returns when all ranks are there; throws if one does not come.
  static std::shared_ptr<GroupState> of_urls(std::vector<std::string> urls, int rank);
  ~GroupState();
  GroupState(const GroupState&) = delete;
  GroupState& operator=(const GroupState&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::vector<std::string>& urls() const { return urls_; }
  // Of no other group.
  const std::string& token() const { return token_; }

  // A series of exchanges; all ranks begin theirs in one order.
  std::int64_t new_context() { return ++contexts_; }
  // The name of something that each rank offers to others; all ranks make theirs in one order.
  std::string new_name();
  void end_context(std::int64_t context);
  // Where a rank is, as others see it that wait in an exchange.
  enum class Phase {
    Elsewhere,  // it has not come to the exchange
    InCall,     // it is in a collective call, at whose end the exchange is
    Before,     // it is in the exchange, which is not at the end of a call
    AtEnd,      // it is in the exchange, which is at the end of a call; all of the same one
    Through     // it has been through it; one of the two before, if it has sent letters there
  };
  // The ranks do the operations of a context in one order, each with some exchanges; a rank may
  // leave one before its end, and comes to the next one like the others.
  static constexpr std::int64_t kMostExchanges = 16;  // of an operation
  static std::int64_t number_of(std::int64_t operation, std::int64_t exchange) {
    return operation * kMostExchanges + exchange;  // exchanges count from 1
  }
  // An exchange; all ranks have the same numbers, which ascend within a context. Those that have
  // different phases find out, with priority Letter::kDisagree.
  struct Round {
    std::int64_t context;
    std::int64_t number;
    Clock::time_point until;
    Phase phase = Phase::Before;
    bool has_failed = false;  // a rank is missing: what has come counts, and nothing is awaited
  };
  Letter exchange(const Round& round, Letter mine);
  // The operation is a collective call, and this rank waits for the servers.
  void enter_call(std::int64_t context, std::int64_t operation, const std::string& method);
  // Its method; empty if it is not the last one.
  std::string called(std::int64_t context, std::int64_t operation);
  // This rank takes no part in the operation any more.
  void leave(std::int64_t context, std::int64_t operation);
  void barrier() { par::check(agree({})); }
  // The rank that has not come to the agreement in which this one waits; this one, if it waits in
  // none.
  int late_in_agreement();
  // An exchange of the whole group: all ranks make it in one order.
  Letter agree(Letter mine);
  // All ranks are about to call the same, of all objects that the group calls; throws if they are
  // not. Not for several threads at a time.
  void compare_calls(std::uint64_t digest, Clock::time_point until);
  ::sidl::par::Member member(int rank);
  // Empty if the rank before this one is alive, else that it is gone, and why.
  std::string neighbour_is_gone() {
    return is_gone((rank_ + size_ - 1) % size_, Clock::time_point::max());
  }
  // The same of the rank from which this one hears the order of calls, which rank 0 makes.
  std::string order_is_gone(Clock::time_point until);
  // Of ranks that have been found gone: empty if they are back.
  std::string missing(Clock::time_point until);

  // ---- the order of collective calls; for the following the lock of the monitor is held
  // -----------

  Monitor& monitor() { return monitor_; }
  Agenda& agenda() { return agenda_; }
  // Null: there are no calls of the client any more.
  void set_clientele(const std::string& client, std::weak_ptr<Clientele> clientele);
  // What a call waits for whose turn it is not, as the end of a sentence.
  std::string ahead_of(const CallKey& key);

  // ---- without it
  // ----------------------------------------------------------------------------------

  // Rank 0: a client is going to call, and has gone, with its last call if that has not run
  // everywhere. One alone calls without positions.
  void admit(const std::string& client);
  void dismiss(const std::string& client, const std::string& why);

  // Messages on their way to other ranks.
  using Passed = std::vector<std::pair<int, ::sidl::rmi::Ticket>>;
  // Rank 0: gives a call, whose first part has come, its position, and tells the others.
  Passed put_in_order(const CallKey& key);
  // Throws if one has not arrived; with `waits`, when all have, else looks only.
  void check(Passed& passed, bool waits);
  // The call does not run, here or anywhere: tells some other ranks, which tell others.
  void give_up(const CallKey& key, const Reason& why);
  // Asks others whether they have given up the call whose turn it is: this rank may not have been
  // told while it was stopped, or out of reach. And looks after those whose parts of it are
  // missing: it is given up if they are gone, or keep calls of other clients waiting for too long.
  // What a call has waited behind, and since when:
  struct Behind {
    std::optional<CallKey> first;
    Clock::time_point since;
  };
  void look_after_first(const CallKey& waiting, Behind& behind, Clock::time_point until);

  // ---- messages of other ranks
  // ---------------------------------------------------------------------

  void receive(std::int64_t context, std::int64_t number, int step, int sender, Letter letter);
  // What this rank has sent in a step; false: nothing yet.
  bool repeat(std::int64_t context, std::int64_t number, int step, Letter& letter);
  // Whose message this rank waits for in an exchange; its own, if it waits for none.
  int awaited(std::int64_t context, std::int64_t number, Phase& phase);
  void enqueue(std::int64_t position, const CallKey& key);
  // Empty: nobody has given it up, as far as this rank knows.
  std::string why_given_up(const CallKey& key);
  void grant(const std::string& client);
  std::int64_t stop();
  void settle(std::int64_t number);

  // This rank has published an object, until take_names().
  void add_name(const std::string& name);
  std::vector<std::string> take_names();

  // When the ranks of a group have to be there that this thread forms.
  static Clock::time_point forming_deadline();

 private:
  // Contexts of the group's own.
  static constexpr std::int64_t kOfGroup = 0;
  static constexpr std::int64_t kOfCalls = -1;
  // A rank whose message does not come is asked whether it is alive: after the first, then each.
  static constexpr std::chrono::milliseconds kFirstCheck{200};
  static constexpr std::chrono::milliseconds kNextCheck{1000};
  // Intervals of keepalives, after which a rank that is silent is gone.
  static constexpr int kMostMisses = 3;
  using Address =
      std::tuple<std::int64_t, std::int64_t, int, int>;  // context, number, step, sender

  GroupState(std::vector<std::string> urls, int rank, int size);
  static std::shared_ptr<GroupState> made(std::vector<std::string> urls, int rank, int size);
  std::string name_of(int rank) const;
  Letter gone(int rank, const ::sidl::BaseException& failed);
  std::string is_gone(int rank, Clock::time_point until);
  // Of one that has been found gone; empty if it has not, or is back.
  std::string still_missing(int rank, Clock::time_point until = Clock::time_point::max());
  std::optional<Clock::time_point> is_asked(int rank);
  void ask_patiently(int rank);
  std::string is_unreachable(int rank);
  std::string does_not_answer(int rank);
  static std::chrono::milliseconds silence_allowed();
  Letter late(const Address& address);
  int find_late(const Address& address, Phase& phase);
  std::string why_given_up_elsewhere(const CallKey& key, Clock::time_point until);
  std::string why_too_long(const Behind& behind, Clientele& clientele);
  std::shared_ptr<Clientele> clientele_of(const CallKey& key) const;
  Passed pass_on(std::int64_t position, const CallKey& key);
  template <typename Send, typename Receive>
  void tell_others(Send send, Receive receive);
  void admit_here(const std::string& client);
  void go_on(const std::string& client);
  void grant_everywhere(const std::string& client);
  void settle_everywhere();
  Letter exchange_letters(Round& round, Letter best);
  std::string who_called_what(const Round& round, int other);
  void announce(const ::sidl::par::Member& self);
  void withdraw_announcement();
  void ask_for_list(int rank);
  // What rank 0 says, on all ranks. While the group forms.
  std::string text_of_first(const std::string& mine);
  // ---- flags, where all ranks are on one machine
  void share_flags();
  bool uses_flags(const Round& round) const;
  bool is_well_everywhere(const Round& round, const Letter& mine);
  void look_a_while(const SharedFlags::Operation& own) const;
  bool await_flags(const SharedFlags::Operation& own, const Round& round);
  bool goes_on(int rank, const Round& round);
  bool has_letter(const Round& round);

  bool is_possible(const Address& address) const;
  void make_room(const Address& address);
  Letter await(const Address& address, const Round& round);
  std::int64_t posting_ms(int to, Clock::time_point until);
  Letter post(int to, const Address& from_here, const Letter& letter, Clock::time_point until);
  bool is_known_gone(int rank);
  Letter ask_again(const Address& address, const Round& round);
  Letter come_after_all(const Address& address, const Round& round, Letter failed);
  bool has_come_again(const Address& address);
  Phase phase_of_sender(const Address& address);
  static bool will_not_send(Phase its, Phase mine);
  Phase phase_passed(std::int64_t context, std::int64_t number) const;
  void wait_for(const Round& round, int rank);
  void is_through(std::int64_t context, std::int64_t number);

  const std::vector<std::string> urls_;
  const int rank_;
  const int size_;
  std::string member_name_;
  std::string token_;
  bool is_forming_ = true;
  std::atomic<std::int64_t> contexts_ = 0;
  std::int64_t offered_ = 0;  // names
  std::int64_t agreements_ = 0;
  std::int64_t comparisons_ = 0;

  std::unique_ptr<SharedFlags> flags_;  // null: ranks tell each other by letters

  std::mutex names_mutex_;
  std::vector<std::string> names_;  // of what this rank has published

  struct Asked {
    ::sidl::rmi::Ticket ticket;
    Clock::time_point since;
  };
  std::mutex members_mutex_;
  std::map<int, ::sidl::par::Member> members_;
  std::set<int> gone_;                            // ranks that have been found gone
  std::map<int, Asked> asked_;                    // that have not answered yet
  std::map<int, Clock::time_point> unreachable_;  // since when
  std::map<int, std::string> other_lists_;  // how those of ranks differ that form another group

  Monitor monitor_;
  std::map<Address, Letter> letters_;          // that have come
  std::map<Address, Letter> sent_;             // of the last exchanges of each context
  std::map<std::int64_t, std::int64_t> done_;  // by context: exchanges that are over
  struct Called {
    std::int64_t operation = -1;
    std::string method;
  };
  // A rank asks another one what that has called when the other may have gone on to its next call.
  static constexpr std::size_t kKeptCalls = 4;
  std::map<std::int64_t, std::array<Called, kKeptCalls>> in_call_;  // by context: the last ones
  const Called* call_of(std::int64_t context, std::int64_t operation) const;
  struct Wait {
    std::int64_t number;
    Phase phase;
    int rank;
  };
  std::map<std::int64_t, Wait> waits_;   // by context: in which exchange, and for whom
  std::map<CallKey, std::string> told_;  // calls given up that others have been told of, and why
  std::deque<CallKey> told_in_order_;
  std::deque<std::int64_t> ended_;  // contexts, of which others may still ask
  Agenda agenda_;
  std::map<std::string, std::weak_ptr<Clientele>> clientele_;  // by client
  std::mutex admission_;                                       // of one client at a time
  std::set<std::string> clients_;  // rank 0: those that are there; under admission_
  std::map<std::string, std::int64_t> last_calls_;  // rank 0: of each client, with a position
};

}  // namespace shinar::par
