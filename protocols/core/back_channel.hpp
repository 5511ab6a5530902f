/**
 * A client as its server sees it: the objects of a session's process, reached over the connections
 * that it has made.
 *
 * One for each session; it may outlive it, and then only fails, as it does in a forked child. Any
 * thread.
 */
#ifndef SHINAR_CORE_BACK_CHANNEL_HPP
#define SHINAR_CORE_BACK_CHANNEL_HPP

#include <memory>
#include <string>
#include <vector>

#include "callee.hpp"
#include "caller_strands.hpp"
#include "checked_mutex.hpp"
#include "forking.hpp"
#include "ledger.hpp"
#include "notice.hpp"

namespace shinar::wire {

class BackChannel : public Callee {
 public:
  BackChannel(Ledger& ledger, const std::shared_ptr<Session>& session, std::string place)
      : ledger_(&ledger), session_(session), streams_(session->streams), place_(std::move(place)) {}

  /** The connection to which the client has given this number; NULL: it is gone. */
  std::shared_ptr<Link> find(std::uint64_t number);

  /** Those of the connections that are there, but `own`, are given up by their client. */
  void abandon(std::vector<std::uint64_t> numbers, const Link& own);

  /** The client's calls that keep an order, whichever connection they came over. */
  CallerStrands caller_strands;

  /**
   * The session gets another connection. Before the client knows: from then on it may send over it,
   * leave it and say so over another, which may be read first.
   */
  void expect(const std::shared_ptr<Link>& link);
  /** The client knows it: others may send over it. Returns what waited for one to be told. */
  [[nodiscard]] std::vector<Notice> add(const std::shared_ptr<Link>& link);

  void tell(Notice notice) noexcept override;
  void inherit(const std::string& object) override;
  std::string place() const override { return place_; }
  bool has_own_place() const override { return false; }
  std::string url(const std::string&) const override { return ""; }
  Lender lender() override;
  bool has_order_of_links() const override { return false; }

 protected:
  std::shared_ptr<Link> acquire(const CallsOfThread& thread, Clock::time_point now,
                                Deadline deadline, bool& reused) override;

 private:
  void send(Notice notice);
  std::shared_ptr<Link> least_used();
  void check_generation() const;

  const Generation generation_;
  Ledger* const ledger_;  ///< valid while the session is
  const std::weak_ptr<Session> session_;
  const std::shared_ptr<Streams> streams_;
  const std::string place_;
  CheckedMutex<"BackChannel"> mutex_;          ///< guards the following
  std::vector<std::weak_ptr<Link>> expected_;  ///< all of them
  std::vector<std::weak_ptr<Link>> links_;     ///< those that the client knows
  std::vector<Notice> unsent_;
};

}  // namespace shinar::wire
#endif
