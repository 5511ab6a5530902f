/**
 * A client as its server sees it: the objects of a session's process, reached over the connections
 * that it has made.
 *
 * One for each session. It may outlive the session; its calls then fail, as they do in a forked
 * child. Any thread.
 */
#ifndef SHINAR_CORE_BACK_CHANNEL_HPP
#define SHINAR_CORE_BACK_CHANNEL_HPP

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
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
  /** At most so many references to the client's objects are held, and what is kept of each. */
  BackChannel(Ledger& ledger, const std::shared_ptr<Session>& session, std::string place,
              std::uint32_t most_references)
      : ledger_(&ledger),
        session_(session),
        streams_(session->streams),
        account_(session->account),
        most_held_(std::max(most_references, least_held)),
        place_(std::move(place)) {}

  /** The connection to which the client has given this number; NULL if it is gone. */
  std::shared_ptr<Link> find(std::uint64_t number);

  /**
   * The client has abandoned these connections; those that still exist, except `own`, are marked.
   */
  void abandon(std::vector<std::uint64_t> numbers, const Link& own);

  /** Ordered calls of the client, over all its connections. */
  CallerStrands caller_strands;

  /**
   * The session gets another connection. To be called before the client is told: once it knows, it
   * may send over the connection, abandon it and say so over another one, which may be read first.
   */
  void expect(const std::shared_ptr<Link>& link);
  /** The client knows the connection: calls may use it. Returns the notices that waited for one. */
  [[nodiscard]] std::vector<Notice> add(const std::shared_ptr<Link>& link);

  void hold(std::string_view object) override;
  Charge let_go(std::string_view object, std::uint64_t count) noexcept override;
  void tell(Notice notice) noexcept override;
  void inherit(const std::string& object) override;
  std::string place() const override { return place_; }
  bool has_own_place() const override { return false; }
  std::string url(const std::string&) const override { return ""; }
  Lender lender() override;
  bool has_order_of_links() const override { return false; }
  bool is_ruled() const override;
  void check_attach(std::string_view object) override;

 protected:
  std::shared_ptr<Link> acquire(const CallsOfThread& thread, Clock::time_point now,
                                Deadline deadline, bool& reused) override;

 private:
  void send(Notice notice);
  std::shared_ptr<Link> least_used();
  void check_generation() const;

  /** Lower bound: calls in work hold what they were given. */
  static constexpr std::uint32_t least_held = 1024;

  const Generation generation_;
  Ledger* const ledger_;  ///< valid while the session is
  const std::weak_ptr<Session> session_;
  const std::shared_ptr<Streams> streams_;
  const std::shared_ptr<Account> account_;  ///< pays for handles to the client's objects
  const std::uint32_t most_held_;
  std::atomic<std::uint64_t> held_{0};
  const std::string place_;
  CheckedMutex<"BackChannel"> mutex_;          ///< guards the following
  std::vector<std::weak_ptr<Link>> expected_;  ///< all of them
  std::vector<std::weak_ptr<Link>> links_;     ///< those the client knows of
  std::vector<Notice> unsent_;
};

}  // namespace shinar::wire
#endif
