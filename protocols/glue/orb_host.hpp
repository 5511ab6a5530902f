/**
 * Host over sidl.rmi's registries: the objects of this process behind a simhandle server.
 *
 * Objects that peers created, or that were lent to one, are managed: libsidl counts how often
 * (sidl_rmi_lend), and the host releases its counts with the last reference of its peers. A
 * stand-in is not an object, but keeps others alive until its reference is released. A process may
 * have several hosts, one for each server and one for what it lends as a client.
 */
#ifndef SHINAR_GLUE_ORB_HOST_HPP
#define SHINAR_GLUE_ORB_HOST_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/checked_mutex.hpp"
#include "core/host.hpp"
#include "core/ledger.hpp"
#include "sidl_BaseInterface.hxx"

namespace shinar::wire {

class OrbHost : public Host {
 public:
  Instance create(std::string_view type, Answer& answer) override;
  Instance find(std::string_view object) override;
  Pin pin(std::string_view object) override;
  std::string type_of(void* pinned) const override;
  bool keep(const std::string& object) override;
  bool is_published(std::string_view object) const override;
  const void* class_of(void* pinned) const override;
  std::vector<std::string> names_of(const IncomingCall& call) const override;
  const void* strand(IncomingCall& call) override;
  void call(IncomingCall& call, Answer& answer) override;
  std::shared_ptr<void> forget(const std::string& id) override;
  void log(const std::string& line) override;
  bool logs_details() const override;
  void log_detail(const std::string& line) override;

  /** Registers a local object and books a reference to it for a peer's session. */
  std::string lend(const sidl::BaseInterface& object, Ledger& ledger, Session& session);

  /**
   * Books a reference to a stand-in, whose name is returned, for a peer's session; `what` is kept
   * until that is released.
   */
  std::string stand_in(std::shared_ptr<void> what, Ledger& ledger, Session& session);

  /** Makes this the host of the process's server, for hold(). */
  void become_current(Ledger& ledger);
  void resign();

  /**
   * Keeps an object of this process reachable for peers as long as the result lives. NULL if this
   * process has no simhandle server.
   */
  static std::shared_ptr<const std::string> hold(const sidl::BaseInterface& object);

  /** To be called first in each process, as the current server is per process. */
  static void begin_process();

  void set_verbose(bool verbose) { verbose_.store(verbose); }

 private:
  std::string manage(const sidl::BaseInterface& object);
  bool manages(const std::string& id);
  void give_back(const std::string& id);

  std::atomic<bool> verbose_{false};
  CheckedMutex<"OrbHost"> mutex_;
  std::unordered_map<std::string, std::int64_t> lent_;  ///< counts taken, by id
  std::unordered_map<std::string, std::shared_ptr<void>> stand_ins_;
};

}  // namespace shinar::wire
#endif
