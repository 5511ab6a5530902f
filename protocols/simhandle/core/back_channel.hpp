/**
 * A client as its server sees it: the objects of a session's process, reached over the connections
 * that it has made.
 *
 * One for each session; it may outlive it, and then only fails. Any thread.
 */
#ifndef SIMHANDLE_BACK_CHANNEL_HPP
#define SIMHANDLE_BACK_CHANNEL_HPP

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "callee.hpp"
#include "lanes.hpp"

namespace simhandle {

class BackChannel : public Callee {
 public:
  BackChannel(Ledger& ledger, std::weak_ptr<Session> session, std::string place)
      : ledger_(&ledger), session_(std::move(session)), place_(std::move(place)) {}

  /** The connection to which the client has given this number; NULL: it is gone. */
  std::shared_ptr<Link> find(std::uint64_t number);

  /** The client's calls that keep an order, whichever connection they came over. */
  Lanes lanes;

  /**
   * The session has another connection, to which the client has given a number, or 0. Sends the
   * releases that waited for one.
   */
  void add(const std::shared_ptr<Link>& link, std::uint64_t number);

  void release(const std::string& object, std::uint32_t count) noexcept override;
  std::string place() const override { return place_; }
  bool has_own_place() const override { return false; }
  std::string url(const std::string&) const override { return ""; }
  Lender lender() override;

 protected:
  std::shared_ptr<Link> acquire(Clock::time_point now, Deadline deadline, bool& reused) override;

 private:
  using Release = std::pair<std::string, std::uint32_t>;

  std::shared_ptr<Link> least_used();
  void send_release(const std::shared_ptr<Link>& link, const Release& release);

  Ledger* const ledger_;  ///< valid while the session is
  const std::weak_ptr<Session> session_;
  const std::string place_;
  std::mutex mutex_;  ///< guards the following
  struct Way {
    std::weak_ptr<Link> link;
    std::uint64_t number;
  };
  std::vector<Way> links_;
  std::vector<Release> unsent_;
};

}  // namespace simhandle
#endif
