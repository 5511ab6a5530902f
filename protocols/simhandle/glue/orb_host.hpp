/**
 * The objects of this process behind a simhandle server: Host over sidl.rmi's registries.
 *
 * Objects that peers created, or that went out in an answer, are `managed`: they leave the registry
 * with the last reference of a peer. What a program registered or published itself stays.
 */
#ifndef SIMHANDLE_GLUE_ORB_HOST_HPP
#define SIMHANDLE_GLUE_ORB_HOST_HPP

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "core/host.hpp"
#include "core/ledger.hpp"
#include "sidl_BaseInterface.hxx"

namespace simhandle {

class OrbHost : public Host {
 public:
  Instance create(std::string_view type, Answer& answer) override;
  Instance find(std::string_view object) override;
  void call(std::string_view object, const Method& method, Message& arguments,
            Answer& answer) override;
  std::shared_ptr<void> forget(const std::string& id) override;
  void log(const std::string& line) override;
  bool logs_details() const override;
  void log_detail(const std::string& line) override;

  /** Registers a local object and books a reference to it for the answer's session. */
  std::string lend(const sidl::BaseInterface& object, Answer& answer);

  /** Keeps a proxy that went out in an answer alive until its receiver has had time to attach. */
  void keep_for_a_while(const sidl::BaseInterface& object);

  /** Makes this the host of the process's server, for hold() and let_go(). */
  void become_current(Ledger& ledger);
  void resign();

  /**
   * Keeps an object of this process reachable for peers while a call to one of them refers to it.
   * Returns its id, or the empty string if this process has no simhandle server.
   */
  static std::string hold(const sidl::BaseInterface& object);
  static void let_go(const std::string& id);

  void set_verbose(bool verbose) { verbose_.store(verbose); }

 private:
  using Clock = std::chrono::steady_clock;

  std::string manage(const sidl::BaseInterface& object);

  std::mutex mutex_;  ///< guards the following
  std::unordered_set<std::string> managed_;
  std::deque<std::pair<Clock::time_point, sidl::BaseInterface>> kept_;
  std::atomic<bool> verbose_{false};
};

}  // namespace simhandle
#endif
